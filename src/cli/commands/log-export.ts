import { createWriteStream } from "node:fs";
import { realpath, rename, rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, textFlag } from "../flags.ts";
import { parseCount, parseNonEmpty } from "../parse-args.ts";
import { withProgress } from "../progress.ts";
import { toWriteError } from "../write-error.ts";

type Flags = CommonFlags & {
  readonly from?: number;
  readonly to?: number;
  readonly type: readonly string[];
  readonly output?: string;
};

const seq = { kind: "parsed", parse: parseCount, optional: true, placeholder: "SEQ" } as const;

export const logExport = defineCommand<Flags>({
  usage: "[--from SEQ] [--to SEQ] [--type PREFIX]… [-o FILE]",
  about: "Every event as it was written, one JSON document per line. Works with and without a daemon.",
  examples: [
    ["log export -o events.jsonl", "Everything, into a file."],
    ["log export --from 800 --type run. | jq .run", "A part of it, for another program."],
  ],
  parameters: {
    flags: {
      from: { ...seq, brief: "The first event." },
      to: { ...seq, brief: "The last event." },
      type: {
        kind: "parsed",
        parse: parseNonEmpty,
        variadic: true,
        default: [],
        placeholder: "PREFIX",
        brief: "Only types that start like this, such as run. or lease.granted.",
      },
      output: textFlag("FILE", "Writes into a file; it appears when it is complete."),
      json: jsonFlag,
    },
    aliases: { o: "output" },
  },
  async run(cli, { from, to, type, output, json }) {
    const { exportLog } = await import("../../daemon/main.ts");
    const lines = exportLog(cli.home, { from, to });
    let count = 0;
    const counted = function* (): Generator<string, void, void> {
      for (const line of lines) {
        if (!isMeant(line, type)) continue;
        count++;
        yield `${line.trimEnd()}\n`;
      }
    };
    if (output === undefined) return await cli.out.stream(counted());
    const file = resolve(cli.cwd, output);
    await withProgress(cli.out, `writing ${file}`, writeWhole(cli, file, counted())).catch((error: unknown) => {
      throw toWriteError(error, output, file);
    });
    if (json) cli.out.json({ file, events: count });
    else cli.out.note(`${count} events in ${file}`);
  },
});

function isMeant(line: string, types: readonly string[]): boolean {
  if (types.length === 0) return true;
  const { type } = JSON.parse(line) as { type: string };
  return types.some((prefix) => type.startsWith(prefix));
}

async function writeWhole(cli: Cli, named: string, lines: Iterable<string>): Promise<void> {
  cli.interrupt.sayOnLeaving("Left. The file was not written.");
  const { signal } = cli.interrupt;
  // Where a link leads, the file is meant, not the link.
  const file = await realpath(named).catch(() => named);
  const there = await stat(file).catch(() => undefined);
  // A pipe or a device takes what is written; moving a file into its place would take it away from everybody.
  if (there !== undefined && !there.isFile()) {
    await pipeline(Readable.from(lines), createWriteStream(file, { flags: "r+" }), { signal });
    return;
  }
  const spare = `${file}.${process.pid}.part`;
  try {
    await pipeline(Readable.from(lines), createWriteStream(spare, { mode: 0o600 }), { signal });
    await rename(spare, file);
  } catch (error) {
    await rm(spare, { force: true });
    throw error;
  }
}
