import type { Saying } from "../../protocol/stream.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { limits } from "../../protocol/limits.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag, oneRun } from "../flags.ts";
import { followRun, readRunLog } from "../follow-run.ts";
import { GrowingLine } from "../growing-line.ts";
import { LiveTail } from "../live-tail.ts";
import { parseCount } from "../parse-args.ts";
import { askPatiently } from "../patience.ts";
import { tellUnpublished } from "../tell-unpublished.ts";
import { LineText } from "../text/line-text.ts";
import { toSafeLines } from "../text/safe-text.ts";
import { Timeline } from "../view/timeline.ts";

/** How long one question waits for something to be said. */
const followMs = 10_000;

type Flags = CommonFlags & { readonly follow: boolean; readonly step?: number };

export const logs = defineCommand<Flags, [string]>({
  usage: "[-f] [--step N] RUN",
  about: `A line per event, with the time since the run was submitted: what it said and asked, its steps with the end of their
output, its waits and its states. With --json every event as it stands in the log, one per line. With --step it is all
that the command of one step said, as far as that is kept; of one that is under way, what it has said so far. With -f what a
command says is shown as it comes and, on a screen, what an assistant is just saying.`,
  examples: [
    ["logs r_1a", "What it has done so far."],
    ["logs -f r_1a", "The same, and what it does, until it is over."],
    ["logs r_1a --step 3", "All that the command of step 3 said."],
    ["logs -f r_1a --step 3", "The same, and what it says, until it ends."],
  ],
  parameters: {
    flags: {
      follow: flag("Stays until the run is over, or with --step until the command is."),
      step: {
        kind: "parsed",
        parse: parseCount,
        optional: true,
        placeholder: "N",
        brief: "Only the output of the command that this step ran.",
      },
      json: jsonFlag,
    },
    aliases: { f: "follow" },
    positional: oneRun,
  },
  async run(cli, { follow, step, json }, run) {
    if (step !== undefined) return showOutput(cli, { run, step }, { follow, json });
    return showRunLog(cli, run, { follow, json });
  },
});

/** What a run has done, and with `follow` what it does until it is over. */
export async function showRunLog(
  cli: Cli,
  run: string,
  { follow, json }: { readonly follow: boolean; readonly json: boolean },
): Promise<void> {
  const timeline = new Timeline(cli.out.colors);
  const show = (event: LogEvent): void => (json ? cli.out.jsonLine(event) : cli.out.print(...timeline.toLines(event)));
  if (follow) {
    cli.interrupt.sayOnLeaving(`Left. Run ${run} goes on: signalbox logs -f ${run}`);
    if (json) await followRun(cli, run, show, cli.interrupt.signal);
    else await followOnScreen(cli, run, timeline);
  } else await readRunLog(cli, run, show);
  if (!json) await tellUnpublished(cli, (await cli.link.call("run.get", { run })).run, { json });
}

/** With what its assistant is just saying at the end, where somebody looks; a file gets whole lines. */
async function followOnScreen(cli: Cli, run: string, timeline: Timeline): Promise<void> {
  const growing = cli.out.isScreen ? new GrowingLine(cli.out, Timeline.indent) : undefined;
  const tail = new LiveTail(
    cli,
    run,
    timeline,
    growing === undefined ? undefined : (...lines) => growing.print(...lines),
  );
  // Who says something in a sub-run is shown there.
  const onSaying = (saying: Saying): void => (saying.run === run ? growing?.show(saying) : undefined);
  try {
    const { signal } = cli.interrupt;
    await followRun(cli, run, (event) => tail.take(event), signal, growing === undefined ? undefined : onSaying);
    await tail.close();
  } finally {
    growing?.end();
  }
}

/** The output of one command, as it is; on a screen without what a terminal would obey. */
async function showOutput(
  cli: Cli,
  call: { readonly run: string; readonly step: number },
  { follow, json }: { readonly follow: boolean; readonly json: boolean },
): Promise<void> {
  const { signal } = cli.interrupt;
  const parts: Buffer[] = [];
  const waits = follow ? { waitMs: followMs } : {};
  let isLive = false;
  const screen = new LineText((lines) => cli.out.print(...lines.flatMap((line) => toSafeLines(line))));
  for (let offset = 0; ;) {
    const wish = { ...call, offset, limit: limits.outputBytesMax, ...waits };
    const part = await askPatiently(cli, signal, () => cli.link.call("run.output", wish, { signal }));
    const bytes = Buffer.from(part.base64, "base64");
    if (json) parts.push(bytes);
    else if (cli.out.isScreen) screen.take(bytes);
    else cli.out.raw(bytes);
    offset = part.offset + bytes.length;
    isLive = part.live;
    if (!(follow && isLive) && (bytes.length === 0 || offset >= part.size)) break;
  }
  screen.end();
  if (json) cli.out.json({ ...call, base64: Buffer.concat(parts).toString("base64"), live: isLive });
  else if (isLive) cli.out.note(`It is still at work: signalbox logs -f ${call.run} --step ${call.step}`);
}
