import type { InputOf } from "../../protocol/operations.ts";
import type { Cli } from "../cli.ts";
import { completeAgents, completeProfiles, completeRuns, completeTasks } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { doorLines } from "../door-lines.ts";
import { runEphemeral } from "../ephemeral.ts";
import {
  egressFlag,
  type EgressKind,
  flag,
  jsonFlag,
  keyFlag,
  priorityFlag,
  projectFlag,
  several,
  textFlag,
  unitsFlag,
} from "../flags.ts";
import { type NamedProcess, parseNonEmpty, parseProcess, parseRunId, parseTaskId, parseText } from "../parse-args.ts";
import { readText } from "../read-text.ts";
import { resolveProject } from "../resolve-project.ts";
import { stayWithRun } from "../stay-with-run.ts";
import { warningLines } from "../view/warning-lines.ts";
import { splitWords } from "../text/split-words.ts";
import { toImage } from "../to-image.ts";
import { UsageError } from "../usage-error.ts";

type Flags = CommonFlags & {
  readonly project?: string;
  readonly task?: string;
  readonly scope: readonly string[];
  readonly runner?: string;
  readonly script?: string;
  readonly description?: string;
  readonly plan: readonly string[];
  readonly priority?: number;
  readonly tag: readonly string[];
  readonly after: readonly string[];
  readonly accept?: string[];
  readonly profile?: string;
  readonly key?: string;
  readonly noCage: boolean;
  readonly egress?: EgressKind;
  readonly image?: string;
  readonly dockerfile?: string;
  readonly agent?: string;
  readonly wait: boolean;
  readonly ephemeral: boolean;
  readonly process: readonly NamedProcess[];
  readonly test?: string[];
};

export const run = defineCommand<Flags, string[]>({
  usage: "[TITLE] [--project PROJECT] [--runner NAME] [--script FILE] [--plan UNIT]… [--wait] [flags] [-- COMMAND…]",
  about: `With a plan it starts only when all its units can be claimed and a slot is free. With --wait it shows what the run does
and ends with 0 when it is done and what it landed is on the branch, 1 when it failed, was rejected or terminated, and 9 when it
goes on only after a person said something (it is in review, asks or is paused), when something of theirs keeps what has
landed from the branch, or when some of what it changed is set aside. Ctrl-C only ends the watching.

With the runner command, what stands after -- is run in the run's cage, on a copy of the project, with the task in
SIGNALBOX_TASK. What it changes is claimed as it is found; what somebody else holds is waited for at its end, and merged:
with a plan it has what it needs from the start. When it ends with 0 its changes are reviewed and land.

With --agent it works in a living agent, in its workspace and beside its services, which it reaches at 127.0.0.1: their ports
are in variables such as WEB_PORT and WEB_URL. One run is in an agent at a time; the next ones wait.

With --ephemeral a private daemon is started for this one run and taken away afterwards, as in CI; what did not land is
kept in a folder that is named at the end. --project is then a folder, --wait is implied, and a run that asks for a person is
ended, because there is none.`,
  examples: [
    ["run --script fix.yaml", "A scripted run on the project of the current folder."],
    ["run --script fix.yaml --tag api --priority 5 --wait", "A task with a tag, ahead of others; watch it."],
    ["run --script check.yaml --after r_1a --plan file:src/a.ts", "After another run, with a plan."],
    ["run 'add a rate limit' --runner mcp", "Whoever connects to the address it prints does the work."],
    ["run 'tidy imports' --runner command --plan dir:src -- npm run fix", "Any command, in a cage; its changes land."],
    ["run 'make the start page faster' --runner claude --agent shop-1", "In a living agent, beside its dev server."],
    ["run --task t_1a --runner claude", "A task that is there, once more."],
    [
      "run --ephemeral --project . --script ci.yaml --test 'npm test' --json",
      "One run without a daemon, for CI. What it changes is tested before it lands.",
    ],
  ],
  parameters: {
    flags: {
      project: projectFlag,
      task: {
        kind: "parsed",
        parse: parseTaskId,
        optional: true,
        placeholder: "TASK",
        brief: "A task that is there, instead of a TITLE. Left out: one is made.",
        proposeCompletions: completeTasks,
      },
      scope: {
        ...several(parseNonEmpty),
        placeholder: "PATH",
        brief: "A file or folder that it, and all whom it starts, may change; nothing else. Left out: everything.",
      },
      runner: textFlag("NAME", "Who does it. Left out: as the profile says, else script, which --script then names."),
      script: textFlag("FILE", "The YAML file of a scripted run; - is standard input."),
      description: textFlag("TEXT", "What is wanted, at length."),
      plan: { ...unitsFlag, default: [], brief: "A unit to claim before it starts. Left out: the plan of the script." },
      priority: priorityFlag,
      tag: {
        kind: "parsed",
        parse: parseNonEmpty,
        variadic: true,
        default: [],
        placeholder: "TAG",
        brief: "A tag to list and stop it by.",
      },
      after: {
        kind: "parsed",
        parse: parseRunId,
        variadic: true,
        default: [],
        placeholder: "RUN",
        brief: "A run that has to be done first.",
        proposeCompletions: completeRuns,
      },
      accept: {
        kind: "parsed",
        parse: splitWords,
        optional: true,
        placeholder: "COMMAND",
        brief: "A command that has to succeed before the result counts. No shell reads it.",
      },
      profile: { ...textFlag("NAME", "The profile to run it with."), proposeCompletions: completeProfiles },
      key: keyFlag,
      noCage: flag(
        "Its commands run without a cage, as you (under a root daemon as its agents' user): your word, for this run, and recorded.",
      ),
      egress: {
        ...egressFlag,
        brief: "How much of the network it has. open is your word, for this run only. Left out: as its project says.",
      },
      image: textFlag(
        "NAME",
        "The image that it works in; none is the machine's own system. Left out: as its project says.",
      ),
      dockerfile: textFlag("PATH", "A Dockerfile of the project, from which its image is built."),
      agent: {
        ...textFlag("AGENT", "The living agent that it works in. Left out: a place of its own."),
        proposeCompletions: completeAgents,
      },
      wait: flag("Stays until the run is over or needs somebody, and answers with its result."),
      ephemeral: flag("Starts a private daemon for this one run."),
      process: {
        kind: "parsed",
        parse: parseProcess,
        variadic: true,
        default: [],
        placeholder: "NAME=COMMAND",
        brief: "With --ephemeral: a named command of the project.",
      },
      test: {
        kind: "parsed",
        parse: splitWords,
        optional: true,
        placeholder: "COMMAND",
        brief:
          "With --ephemeral: has to succeed on the result before it lands. No shell reads it. Left out: it lands untested.",
      },
      json: jsonFlag,
    },
    aliases: { p: "project", r: "runner", s: "script", t: "tag", w: "wait" },
    positional: {
      kind: "array",
      parameter: {
        parse: parseText,
        placeholder: "TITLE",
        brief: "What is wanted, in a line. Left out: the task of the script. Then, after --, a command.",
      },
    },
  },
  async run(cli, flags, ...words) {
    // A task that is there has its title: what stands after -- is a command, and nothing else is.
    const isCommand = flags.task !== undefined && flags.runner === "command";
    const title = isCommand ? undefined : words[0];
    const command = isCommand ? words : words.slice(1);
    if (title?.trim() === "") throw new UsageError("TITLE is empty.");
    if (flags.task !== undefined && title !== undefined)
      throw new UsageError("--task names what is wanted; a TITLE goes with a new task.");
    if (flags.task !== undefined && flags.ephemeral)
      throw new UsageError("--task names a task of a daemon that runs; --ephemeral starts one that has none.");
    if (title === undefined && flags.script === undefined && flags.task === undefined) {
      throw new UsageError("What is to be done? Give a TITLE and --runner NAME or --profile NAME, or --script FILE.");
    }
    const hasRunner = flags.runner !== undefined || flags.profile !== undefined;
    if (flags.script === undefined && (!hasRunner || flags.runner === "script")) {
      throw new UsageError(
        "The script runner needs --script FILE; --runner NAME or --profile NAME asks an assistant instead.",
      );
    }
    if (flags.agent !== undefined && flags.ephemeral)
      throw new UsageError("--agent names an agent of a daemon that runs; --ephemeral starts one that has none.");
    if (flags.process.length > 0 && !flags.ephemeral) {
      throw new UsageError("--process goes with --ephemeral; signalbox project change names processes of a project.");
    }
    if (flags.test !== undefined && !flags.ephemeral)
      throw new UsageError("--test goes with --ephemeral; signalbox project change names the test of a project.");
    if (command.length > 0 && flags.runner !== "command" && flags.profile === undefined)
      throw new UsageError("A command after -- goes with --runner command. A title of several words is put in quotes.");
    if (command.length === 0 && flags.runner === "command")
      throw new UsageError("What is to be run? signalbox run TITLE --runner command -- COMMAND…");
    const request = await toRequest(cli, flags, title, command);
    if (flags.ephemeral) return await runEphemeral(cli, flags, request);
    const project = await projectFor(cli, flags);
    const submitted = await cli.link.call("run.submit", { ...request, project });
    const { door } = submitted;
    cli.out.note(...warningLines(submitted.warnings));
    if (flags.wait && door !== null) cli.out.note(...doorLines(door));
    if (flags.wait) return await stayWithRun(cli, submitted.run, { json: flags.json, alone: false });
    if (flags.json) cli.out.json(submitted);
    else cli.out.print(submitted.run);
    if (!flags.json && door !== null) cli.out.print(...doorLines(door));
    return 0;
  },
});

/** An agent and a task are of one project, so that need not be said. */
async function projectFor(cli: Cli, { project, agent, task }: Flags): Promise<string> {
  if (task !== undefined && project === undefined) return (await cli.link.call("task.get", { task })).task.project;
  if (agent === undefined || project !== undefined) return resolveProject(cli, project);
  return (await cli.link.call("agent.get", { agent })).agent.project;
}

async function toRequest(
  cli: Cli,
  flags: Flags,
  title: string | undefined,
  command: readonly string[],
): Promise<Omit<InputOf<"run.submit">, "project">> {
  const { runner, script, description, plan, priority, tag, after, accept, profile, key, noCage, egress, agent } =
    flags;
  const image = toImage(flags);
  return {
    tags: [...tag],
    ...(flags.task === undefined ? {} : { task: flags.task }),
    ...(flags.scope.length === 0 ? {} : { scope: [...flags.scope] }),
    dependsOn: [...after],
    ...(title === undefined ? {} : { title }),
    ...(runner === undefined ? {} : { runner }),
    ...(command.length === 0 ? {} : { command: [...command] }),
    ...(script === undefined ? {} : { script: await readText(cli, "--script", script) }),
    ...(description === undefined ? {} : { description }),
    ...(plan.length === 0 ? {} : { plan: [...plan] }),
    ...(priority === undefined ? {} : { priority }),
    ...(accept === undefined ? {} : { acceptance: accept }),
    ...(profile === undefined ? {} : { profile }),
    ...(key === undefined ? {} : { key }),
    ...(noCage ? { noCage } : {}),
    ...(egress === undefined ? {} : { egress }),
    ...(image === undefined ? {} : { image }),
    ...(agent === undefined ? {} : { agent }),
  };
}
