import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag, oneRun } from "../flags.ts";
import { followRun, readRunLog } from "../follow-run.ts";
import { Timeline } from "../view/timeline.ts";

export const logs = defineCommand<CommonFlags & { readonly follow: boolean }, [string]>({
  usage: "[-f] RUN",
  about: `A line per event, with the time since the run was submitted: what it said and asked, its calls with the end of their
output, its waits and its states. With --json every event as it stands in the log, one per line.`,
  examples: [
    ["logs r_1a", "What it has done so far."],
    ["logs -f r_1a", "The same, and what it does, until it is over."],
  ],
  parameters: {
    flags: { follow: flag("Stays until the run is over."), json: jsonFlag },
    aliases: { f: "follow" },
    positional: oneRun,
  },
  async run(cli, { follow, json }, run) {
    const timeline = new Timeline(cli.out.colors);
    const show = (event: LogEvent): void =>
      json ? cli.out.jsonLine(event) : cli.out.print(...timeline.toLines(event));
    if (follow) {
      cli.interrupt.sayOnLeaving(`Left. Run ${run} goes on: signalbox logs -f ${run}`);
      await followRun(cli, run, show, cli.interrupt.signal);
    } else await readRunLog(cli, run, show);
  },
});
