import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, manyRuns, seenFlag } from "../flags.ts";
import { forEach } from "../for-each.ts";
import { parseHunks, parseNonEmpty, type NamedHunks } from "../parse-args.ts";
import { howItStands } from "../tell-done.ts";
import { UsageError } from "../usage-error.ts";

type Flags = CommonFlags & {
  readonly file: readonly string[];
  readonly files: readonly string[];
  readonly hunk: readonly NamedHunks[];
  readonly hunks: readonly NamedHunks[];
  readonly seen?: string;
};

const fileFlag = {
  kind: "parsed",
  parse: parseNonEmpty,
  variadic: true,
  default: [],
  placeholder: "PATH",
  brief: "Only this file of the run's changes.",
} as const;

const hunkFlag = {
  kind: "parsed",
  parse: parseHunks,
  variadic: true,
  default: [],
  placeholder: "PATH:N,N",
  brief: "Only these hunks of a file, as signalbox diff counts them.",
} as const;

export const approve = defineCommand<Flags, string[]>({
  usage: "RUN… [--file PATH]… [--hunk PATH:N,N]… [--seen ID]",
  about: `What is approved lands in the order of approval, tested if the project has a test; signalbox land waits for it. What is
not approved stays in review with its leases: approve it later, or signalbox return sends it back with a message.`,
  examples: [
    ["approve r_1a", "Let all of it land."],
    ["approve r_1a --file src/a.ts --file src/b.ts", "Only these files."],
    ["approve r_1a --hunk src/a.ts:1,3", "Only the first and third hunk of one file."],
  ],
  parameters: {
    flags: {
      file: fileFlag,
      files: { ...fileFlag, brief: "The same as --file." },
      hunk: hunkFlag,
      hunks: { ...hunkFlag, brief: "The same as --hunk." },
      seen: seenFlag,
      json: jsonFlag,
    },
    positional: manyRuns,
  },
  run(cli, { seen, json, ...named }, ...runs) {
    const [file, hunk] = [
      [...named.file, ...named.files],
      [...named.hunk, ...named.hunks],
    ];
    const isForOne = file.length + hunk.length > 0 || seen !== undefined;
    if (isForOne && runs.length > 1) throw new UsageError("--file, --hunk and --seen are for one run at a time.");
    const files = file.length === 0 ? {} : { files: file };
    const hunks = hunk.length === 0 ? {} : { hunks: byPath(hunk) };
    return forEach(cli, runs, json, async (run) => {
      await cli.link.call("run.approve", { run, ...files, ...hunks, ...(seen === undefined ? {} : { seen }) });
      return `${run} is approved${file.length + hunk.length > 0 ? " in part" : ""}.${await howItStands(cli, run)}`;
    });
  },
});

/** A path may be named several times: all of its hunks are meant. */
function byPath(named: readonly NamedHunks[]): Record<string, string[]> {
  const hunks: Record<string, string[]> = {};
  for (const { path, ids } of named) hunks[path] = [...new Set([...(hunks[path] ?? []), ...ids])];
  return hunks;
}
