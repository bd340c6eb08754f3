import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { limits } from "../../protocol/limits.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag, oneRun } from "../flags.ts";
import { followRun, readRunLog } from "../follow-run.ts";
import { parseCount } from "../parse-args.ts";
import { tellUnpublished } from "../tell-unpublished.ts";
import { toSafeLines } from "../text/safe-text.ts";
import { UsageError } from "../usage-error.ts";
import { Timeline } from "../view/timeline.ts";

type Flags = CommonFlags & { readonly follow: boolean; readonly step?: number };

export const logs = defineCommand<Flags, [string]>({
  usage: "[-f | --step N] RUN",
  about: `A line per event, with the time since the run was submitted: what it said and asked, its calls with the end of their
output, its waits and its states. With --json every event as it stands in the log, one per line. With --step it is all
that the command of one call said, as far as that is kept.`,
  examples: [
    ["logs r_1a", "What it has done so far."],
    ["logs -f r_1a", "The same, and what it does, until it is over."],
    ["logs r_1a --step 3", "All that the command of call 3 said."],
  ],
  parameters: {
    flags: {
      follow: flag("Stays until the run is over."),
      step: {
        kind: "parsed",
        parse: parseCount,
        optional: true,
        placeholder: "N",
        brief: "Only the output of the command that the call of this number ran.",
      },
      json: jsonFlag,
    },
    aliases: { f: "follow" },
    positional: oneRun,
  },
  async run(cli, { follow, step, json }, run) {
    if (step !== undefined) {
      if (follow) throw new UsageError("--follow is for a whole run, --step for one command that has ended.");
      return showOutput(cli, { run, step }, json);
    }
    const timeline = new Timeline(cli.out.colors);
    const show = (event: LogEvent): void =>
      json ? cli.out.jsonLine(event) : cli.out.print(...timeline.toLines(event));
    if (follow) {
      cli.interrupt.sayOnLeaving(`Left. Run ${run} goes on: signalbox logs -f ${run}`);
      await followRun(cli, run, show, cli.interrupt.signal);
    } else await readRunLog(cli, run, show);
    if (!json) await tellUnpublished(cli, (await cli.link.call("run.get", { run })).run);
  },
});

/** The kept output of one command, as it was; on a screen without what a terminal would obey. */
async function showOutput(
  cli: Cli,
  call: { readonly run: string; readonly step: number },
  json: boolean,
): Promise<void> {
  const parts: Buffer[] = [];
  for (let offset = 0; ;) {
    const part = await cli.link.call("run.output", { ...call, offset, limit: limits.outputBytesMax });
    const bytes = Buffer.from(part.base64, "base64");
    parts.push(bytes);
    offset += bytes.length;
    if (bytes.length === 0 || offset >= part.size) break;
  }
  const all = Buffer.concat(parts);
  if (json) return cli.out.json({ ...call, base64: all.toString("base64") });
  if (cli.out.isScreen) return cli.out.print(...toSafeLines(String(all).replace(/\n$/, "")));
  cli.out.raw(all);
}
