import { statSync } from "node:fs";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag, textFlag } from "../flags.ts";
import { type NamedProcess, parseNonEmpty, parseProcess } from "../parse-args.ts";
import { toFolder } from "../resolve-project.ts";
import { toProcesses } from "../to-processes.ts";
import { UsageError } from "../usage-error.ts";

type Flags = CommonFlags & {
  readonly name?: string;
  readonly ignoreCase: boolean;
  readonly process: readonly NamedProcess[];
};

export const projectAdd = defineCommand<Flags, [string]>({
  usage: "PATH [--name NAME] [--ignore-case] [--process NAME=COMMAND]…",
  about: `A process is a command of the project that runs start only by its name; the unit process:NAME lets one at a time do
so. No shell reads the command. NAME@agent=COMMAND makes one that each run has to itself.`,
  examples: [
    ["project add .", "The current folder, under its own name."],
    ["project add ~/src/shop --name shop --process test='npm test'", "With a name and a named process."],
  ],
  parameters: {
    flags: {
      name: textFlag("NAME", "What to call it. Left out: the name of the folder."),
      ignoreCase: flag("Names that differ only in case are the same file."),
      process: {
        kind: "parsed",
        parse: parseProcess,
        variadic: true,
        default: [],
        placeholder: "NAME=COMMAND",
        brief: "A named command.",
      },
      json: jsonFlag,
    },
    positional: {
      kind: "tuple",
      parameters: [{ parse: parseNonEmpty, placeholder: "PATH", brief: "The folder that agents work on." }],
    },
  },
  async run(cli, { name, ignoreCase, process: processes, json }, path) {
    const root = toFolder(cli, path);
    if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new UsageError(`PATH "${path}": ${root} is not a folder.`);
    }
    const added = await cli.link.call("project.add", {
      root,
      foldCase: ignoreCase,
      processes: toProcesses(processes),
      ...(name === undefined ? {} : { name }),
    });
    if (json) return cli.out.json(added);
    cli.out.print(added.name);
    cli.out.note(`Added ${added.root} as ${added.name} (${added.project}).`);
  },
});
