import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, manyRuns } from "../flags.ts";
import { forEach } from "../for-each.ts";
import { howItStands } from "../tell-done.ts";

export const approve = defineCommand<CommonFlags, string[]>({
  usage: "RUN…",
  examples: [["approve r_1a", "Let the result land."]],
  parameters: { flags: { json: jsonFlag }, positional: manyRuns },
  run: (cli, { json }, ...runs) =>
    forEach(cli, runs, json, async (run) => {
      await cli.link.call("run.approve", { run });
      return `${run} is approved.${await howItStands(cli, run)}`;
    }),
});
