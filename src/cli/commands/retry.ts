import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, oneRun } from "../flags.ts";
import { howItStands, tellDone } from "../tell-done.ts";

export const retry = defineCommand<CommonFlags, [string]>({
  usage: "RUN",
  about: "For runs that failed, were rejected or terminated. The id on standard output is that of the new run.",
  examples: [["retry r_1a", "Try again."]],
  parameters: { flags: { json: jsonFlag }, positional: oneRun },
  async run(cli, { json }, run) {
    const answer = await cli.link.call("run.retry", { run });
    if (json) cli.out.json({ ...answer, retryOf: run });
    else {
      const sentence = `${answer.run} is a new run of the same task as ${run}.${await howItStands(cli, answer.run)}`;
      tellDone(cli, answer.run, sentence);
    }
  },
});
