import { completeProjects } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import type { Project } from "../../protocol/wire/project.ts";
import { allowFlag, egressFlag, type EgressKind, flag, jsonFlag, testTimeFlag, textFlag } from "../flags.ts";
import {
  type DerivedRule,
  type NamedProcess,
  parseDerived,
  parseNonEmpty,
  parseProcess,
  parseText,
  parseWarm,
  type WarmPair,
} from "../parse-args.ts";
import { resolveProject } from "../resolve-project.ts";
import { splitWords } from "../text/split-words.ts";
import { toImage } from "../to-image.ts";
import { toProcesses } from "../to-processes.ts";
import { UsageError } from "../usage-error.ts";

type Flags = CommonFlags & {
  readonly ignoreCase?: boolean;
  readonly process: readonly NamedProcess[];
  readonly removeProcess: readonly string[];
  readonly test?: string[];
  readonly testTime?: number;
  readonly noTest: boolean;
  readonly message?: string;
  readonly noMessage: boolean;
  readonly branch?: string;
  readonly noBranch: boolean;
  readonly derived: readonly DerivedRule[];
  readonly noDerived: boolean;
  readonly derivedNetwork?: boolean;
  readonly egress?: EgressKind;
  readonly allow: readonly string[];
  readonly disallow: readonly string[];
  readonly warm: readonly WarmPair[];
  readonly removeWarm: readonly string[];
  readonly image?: string;
  readonly dockerfile?: string;
};

export const projectChange = defineCommand<Flags, [string]>({
  usage:
    "PROJECT [--process NAME=COMMAND]… [--test COMMAND | --no-test] [--derived PATHS=COMMAND]… [--egress KIND] [--allow HOST]… [--image NAME | --dockerfile PATH] [flags]",
  about: `Processes and hosts that are not named stay as they are. The case rule can change only while nothing is held or
queued, and so can what is derived. Whom runs may reach changes at once for runs that have a network; one that was started without gets none.
With an image, commands of runs that start from now on find its files as their system instead of the machine's.`,
  examples: [
    ["project change shop --process test='npm run test:ci'", "Change or add a named process."],
    ["project change shop --remove-process deploy --no-ignore-case", "Take one away, and let case matter."],
    ["project change shop --test 'npm test'", "Test every result before it lands, from now on."],
    ["project change shop --test-time 2h", "The test may take that long; one that hangs is ended then."],
    [
      "project change shop --message 'feat: {title} ({approver})'",
      "What commits of landings say. $(cat FILE) gives several lines.",
    ],
    [
      "project change shop --derived 'src/gen/**=npm run generate'",
      "Nobody holds what is generated; it is made again for every result.",
    ],
    ["project change shop --branch 'signalbox/{run}'", "For pull requests: mainline stays, and you push the branches."],
    ["project change shop --allow '*.example.org'", "Let its runs reach these hosts, too."],
    ["project change shop --egress none", "No network for its runs."],
    ["project change shop --warm Gemfile.lock=vendor/bundle", "Keep these dependencies for the next runs, too."],
    ["project change shop --image docker.io/library/node:24", "Let its runs work in an image, with its tools."],
    ["project change shop --dockerfile docker/Dockerfile", "In one that is built, anew when something in it changes."],
    ["project change shop --image none", "On the machine's own system again."],
  ],
  parameters: {
    flags: {
      ignoreCase: {
        kind: "boolean",
        optional: true,
        brief: "Names that differ only in case are the same file; --no-ignore-case: they are not.",
      },
      process: {
        kind: "parsed",
        parse: parseProcess,
        variadic: true,
        default: [],
        placeholder: "NAME=COMMAND",
        brief: "Adds or changes a named command.",
      },
      removeProcess: {
        kind: "parsed",
        parse: parseText,
        variadic: true,
        default: [],
        placeholder: "NAME",
        brief: "Takes a named command away.",
      },
      test: {
        kind: "parsed",
        parse: splitWords,
        optional: true,
        placeholder: "COMMAND",
        brief: "Has to succeed on every result before it lands. No shell reads it.",
      },
      noTest: flag("Takes the test away: results land untested."),
      testTime: testTimeFlag,
      message: textFlag(
        "TEMPLATE",
        "What the commit of a landing says, with {title}, {description}, {run}, {task}, {runner}, {approver}, {project}.",
      ),
      noMessage: flag("Lets commits say what they say by default."),
      branch: textFlag(
        "PATTERN",
        "Each run lands on a branch of its own, with {run} in its name, instead of mainline.",
      ),
      noBranch: flag("Results land on mainline again."),
      derived: {
        kind: "parsed",
        parse: parseDerived,
        variadic: true,
        default: [],
        placeholder: "PATHS=COMMAND",
        brief:
          "Files that a command makes of others, by globs with commas between; the same paths again change the command.",
      },
      noDerived: flag("Takes all of that away."),
      derivedNetwork: {
        kind: "boolean",
        optional: true,
        brief: "Lets those commands reach what is on the allow-list; --no-derived-network: nobody, as usual.",
      },
      egress: { ...egressFlag, brief: "How much of the network its runs have." },
      allow: allowFlag,
      disallow: { ...allowFlag, brief: "Takes a host, or the list developer, off the allow-list." },
      warm: {
        ...{ kind: "parsed", parse: parseWarm, variadic: true, default: [], placeholder: "LOCKFILE=FOLDER" },
        brief: "Keeps an ignored folder beside a lock file for the next runs with the same one.",
      },
      removeWarm: {
        ...{ kind: "parsed", parse: parseText, variadic: true, default: [], placeholder: "LOCKFILE" },
        brief: "Takes such a lock file away.",
      },
      image: textFlag("NAME", "The image that its runs work in, as podman or docker know it; none takes it away."),
      dockerfile: textFlag("PATH", "A Dockerfile of the project, from which the image is built."),
      json: jsonFlag,
    },
    positional: {
      kind: "tuple",
      parameters: [
        {
          parse: parseNonEmpty,
          placeholder: "PROJECT",
          brief: "Name, id or folder.",
          proposeCompletions: completeProjects,
        },
      ],
    },
  },
  async run(cli, flags, given) {
    const { ignoreCase, process: changed, removeProcess, test, noTest, testTime, json } = flags;
    const same = changed.length === 0 && removeProcess.length === 0;
    const { derivedNetwork } = flags;
    const derivedSame = flags.derived.length === 0 && !flags.noDerived;
    if (test !== undefined && noTest) throw new UsageError("--test and --no-test cannot both be meant.");
    if (flags.message !== undefined && flags.noMessage)
      throw new UsageError("--message and --no-message cannot both be meant.");
    if (flags.branch !== undefined && flags.noBranch)
      throw new UsageError("--branch and --no-branch cannot both be meant.");
    const landingTest = noTest ? null : test;
    const landingBranch = flags.noBranch ? null : flags.branch;
    const landingMessage = flags.noMessage ? null : flags.message;
    const sameEgress = flags.egress === undefined && flags.allow.length + flags.disallow.length === 0;
    const sameWarm = flags.warm.length + flags.removeWarm.length === 0;
    const image = toImage(flags);
    const isCageSame = sameEgress && image === undefined;
    const sameTest =
      landingTest === undefined &&
      testTime === undefined &&
      landingMessage === undefined &&
      landingBranch === undefined;
    if (
      ignoreCase === undefined &&
      same &&
      sameTest &&
      isCageSame &&
      derivedSame &&
      derivedNetwork === undefined &&
      sameWarm
    ) {
      throw new UsageError(
        "There is nothing to change: give --ignore-case, --process, --remove-process, --test, --no-test, --test-time, --message, --no-message, --branch, --no-branch, --derived, --no-derived, --derived-network, --egress, --allow, --disallow, --warm, --remove-warm, --image or --dockerfile.",
      );
    }
    const project = await resolveProject(cli, given);
    const { project: before } = await cli.link.call("project.get", { project });
    const processes = { ...before.processes, ...toProcesses(changed) };
    for (const name of removeProcess) {
      if (!Object.hasOwn(processes, name)) {
        throw new UsageError(
          `--remove-process "${name}": ${before.name} has ${Object.keys(processes).join(", ") || "none"}.`,
        );
      }
      delete processes[name];
    }
    await cli.link.call("project.change", {
      project,
      ...(ignoreCase === undefined ? {} : { foldCase: ignoreCase }),
      ...(same ? {} : { processes }),
      ...(landingTest === undefined ? {} : { landingTest }),
      ...(testTime === undefined ? {} : { testTimeMs: testTime }),
      ...(landingMessage === undefined ? {} : { landingMessage }),
      ...(landingBranch === undefined ? {} : { landingBranch }),
      ...(derivedSame ? {} : { derived: toDerived(before, flags) }),
      ...(derivedNetwork === undefined ? {} : { derivedNetwork }),
      ...(sameEgress ? {} : { egress: toEgress(before, flags) }),
      ...(sameWarm ? {} : { warm: toWarm(before, flags) }),
      ...(image === undefined ? {} : { image: image === "none" ? null : image }),
    });
    if (json) return cli.out.json(await cli.link.call("project.get", { project }));
    cli.out.print(before.name);
  },
});

function toDerived({ derived: before }: Project, { derived, noDerived }: Flags): Project["derived"] {
  const rules = new Map(noDerived ? [] : before.map((rule) => [rule.paths.join(","), rule]));
  for (const rule of derived) rules.set(rule.paths.join(","), rule);
  return [...rules.values()];
}

function toWarm({ name, warm: before }: Project, { warm, removeWarm }: Flags): Project["warm"] {
  const missing = removeWarm.find((lock) => !Object.hasOwn(before, lock));
  if (missing !== undefined)
    throw new UsageError(`--remove-warm "${missing}": ${name} has ${Object.keys(before).join(", ") || "none"}.`);
  const kept = Object.entries(before).filter(([lock]) => !removeWarm.includes(lock));
  return Object.fromEntries([...kept, ...warm.map(({ lock, folder }): [string, string] => [lock, folder])]);
}

function toEgress({ name, egress: before }: Project, { egress, allow, disallow }: Flags): Project["egress"] {
  const kind = egress ?? before.kind;
  const missing = disallow.find((host) => !before.allow.includes(host));
  if (missing !== undefined)
    throw new UsageError(`--disallow "${missing}": the list of ${name} has ${before.allow.join(", ") || "nothing"}.`);
  if (kind === "none" && allow.length > 0)
    throw new UsageError(`Runs of ${name} have no network, so a list says nothing: give --egress list as well.`);
  return { kind, allow: [...new Set([...before.allow.filter((host) => !disallow.includes(host)), ...allow])] };
}
