import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, manyRuns } from "../flags.ts";
import { forEach } from "../for-each.ts";

export const rm = defineCommand<CommonFlags, string[]>({
  usage: "RUN…",
  examples: [["rm r_1a r_2b", "Take runs off the lists."]],
  parameters: { flags: { json: jsonFlag }, positional: manyRuns },
  run: (cli, { json }, ...runs) =>
    forEach(cli, runs, json, async (run) => {
      await cli.link.call("run.remove", { run });
      return `${run} is off the lists. The log keeps what happened.`;
    }),
});
