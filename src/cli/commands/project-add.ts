import { statSync } from "node:fs";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { allowFlag, egressFlag, type EgressKind, flag, jsonFlag, testTimeFlag, textFlag } from "../flags.ts";
import { type NamedProcess, parseNonEmpty, parseProcess } from "../parse-args.ts";
import { withProgress } from "../progress.ts";
import { toFolder } from "../resolve-project.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { splitWords } from "../text/split-words.ts";
import { toProcesses } from "../to-processes.ts";
import { UsageError } from "../usage-error.ts";

type Flags = CommonFlags & {
  readonly name?: string;
  readonly branch?: string;
  readonly ignoreCase: boolean;
  readonly process: readonly NamedProcess[];
  readonly test?: string[];
  readonly testTime?: number;
  readonly egress?: EgressKind;
  readonly allow: readonly string[];
};

export const projectAdd = defineCommand<Flags, [string]>({
  usage:
    "PATH [--name NAME] [--branch NAME] [--ignore-case] [--process NAME=COMMAND]… [--test COMMAND [--test-time TIME]] [--egress KIND] [--allow HOST]…",
  about: `A process is a command of the project that runs start only by its name; the unit process:NAME lets one at a time do
so. No shell reads the command. NAME@agent=COMMAND makes one that each run has to itself.

Agents work on copies: the folder itself stays as it is until something lands. Of a git repository the branch that is
checked out is taken, or the one that is named, and gets what lands; any other folder is versioned by Signalbox alone.

A test runs without a network, on what is tracked, and with the dependencies (such as node_modules) that stand beside the lock file
of the result: those of a run that has landed, or what the run itself has installed by that very file. So a run installs what the
test needs before it finishes.

Inside their cages runs reach the registries of package managers, and nobody else: docs/operating/network.md.`,
  examples: [
    ["project add .", "The current folder, under its own name."],
    ["project add ~/src/shop --name shop --process test='npm test'", "With a name and a named process."],
    ["project add . --test 'npm test'", "Every result is tested before it lands."],
  ],
  parameters: {
    flags: {
      name: textFlag("NAME", "What to call it. Left out: the name of the folder."),
      branch: textFlag("NAME", "The branch that gets what lands. Left out: the one that is checked out."),
      ignoreCase: flag("Names that differ only in case are the same file."),
      process: {
        kind: "parsed",
        parse: parseProcess,
        variadic: true,
        default: [],
        placeholder: "NAME=COMMAND",
        brief: "A named command.",
      },
      test: {
        kind: "parsed",
        parse: splitWords,
        optional: true,
        placeholder: "COMMAND",
        brief: "Has to succeed on every result before it lands. No shell reads it. Left out: results land untested.",
      },
      testTime: { ...testTimeFlag, brief: "How long the test may take, such as 45m. Left out: 30m." },
      egress: { ...egressFlag, brief: "How much of the network its runs have. Left out: list." },
      allow: { ...allowFlag, brief: "A host that its runs may reach, besides the list developer." },
      json: jsonFlag,
    },
    positional: {
      kind: "tuple",
      parameters: [{ parse: parseNonEmpty, placeholder: "PATH", brief: "The folder that agents work on." }],
    },
  },
  async run(cli, flags, path) {
    const { name, branch, ignoreCase, process: processes, test, testTime, egress = "list", allow, json } = flags;
    const root = toFolder(cli, path);
    if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new UsageError(`PATH "${path}": ${root} is not a folder.`);
    }
    const adding = cli.link.call("project.add", {
      root,
      foldCase: ignoreCase,
      processes: toProcesses(processes),
      landingTest: test ?? null,
      ...(testTime === undefined ? {} : { testTimeMs: testTime }),
      egress: { kind: egress, allow: ["developer", ...allow.filter((host) => host !== "developer")] },
      ...(name === undefined ? {} : { name }),
      ...(branch === undefined ? {} : { branch }),
    });
    const added = await withProgress(cli.out, `taking in the history of ${root}`, adding);
    if (json) return cli.out.json(added);
    cli.out.print(added.name);
    cli.out.note(toSafeLine(`Added ${added.root} as ${added.name} (${added.project}).`));
  },
});
