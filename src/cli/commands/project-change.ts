import { completeProjects } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { type NamedProcess, parseNonEmpty, parseProcess, parseText } from "../parse-args.ts";
import { resolveProject } from "../resolve-project.ts";
import { toProcesses } from "../to-processes.ts";
import { UsageError } from "../usage-error.ts";

type Flags = CommonFlags & {
  readonly ignoreCase?: boolean;
  readonly process: readonly NamedProcess[];
  readonly removeProcess: readonly string[];
};

export const projectChange = defineCommand<Flags, [string]>({
  usage: "PROJECT [--[no-]ignore-case] [--process NAME=COMMAND]… [--remove-process NAME]…",
  about:
    "Processes that are not named stay as they are. The case rule can change only while nothing is held or queued.",
  examples: [
    ["project change shop --process test='npm run test:ci'", "Change or add a named process."],
    ["project change shop --remove-process deploy --no-ignore-case", "Take one away, and let case matter."],
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
  async run(cli, { ignoreCase, process: changed, removeProcess, json }, given) {
    if (ignoreCase === undefined && changed.length === 0 && removeProcess.length === 0) {
      throw new UsageError("There is nothing to change: give --ignore-case, --process or --remove-process.");
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
    const same = changed.length === 0 && removeProcess.length === 0;
    await cli.link.call("project.change", {
      project,
      ...(ignoreCase === undefined ? {} : { foldCase: ignoreCase }),
      ...(same ? {} : { processes }),
    });
    if (json) return cli.out.json(await cli.link.call("project.get", { project }));
    cli.out.print(before.name);
  },
});
