import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, manyRuns } from "../flags.ts";
import { forEach } from "../for-each.ts";
import { howItStands } from "../tell-done.ts";

export const resume = defineCommand<CommonFlags, string[]>({
  usage: "RUN…",
  examples: [["resume r_1a", "Let a paused run go on."]],
  parameters: { flags: { json: jsonFlag }, positional: manyRuns },
  run: (cli, { json }, ...runs) =>
    forEach(cli, runs, json, async (run) => {
      await cli.link.call("run.resume", { run });
      return `${run} is resumed.${await howItStands(cli, run)}`;
    }),
});
