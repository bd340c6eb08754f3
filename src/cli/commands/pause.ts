import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, manyRuns } from "../flags.ts";
import { forEach } from "../for-each.ts";

export const pause = defineCommand<CommonFlags, string[]>({
  usage: "RUN…",
  about: "It stops at its next call; its leases become holds. signalbox resume lets it go on.",
  examples: [["pause r_1a", "Hold a run; it survives any restart of the daemon."]],
  parameters: { flags: { json: jsonFlag }, positional: manyRuns },
  run: (cli, { json }, ...runs) =>
    forEach(cli, runs, json, async (run) => {
      await cli.link.call("run.pause", { run });
      return `${run} is paused, and keeps what it holds. Let it go on with: signalbox resume ${run}`;
    }),
});
