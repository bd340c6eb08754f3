import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, oneRun } from "../flags.ts";

export const retry = defineCommand<CommonFlags, [string]>({
  usage: "RUN",
  about: "For runs that failed, were rejected or terminated. Prints the id of the new run.",
  examples: [["retry r_1a", "Try again."]],
  parameters: { flags: { json: jsonFlag }, positional: oneRun },
  async run(cli, { json }, run) {
    const answer = await cli.link.call("run.retry", { run });
    if (json) cli.out.json({ ...answer, retryOf: run });
    else cli.out.print(answer.run);
  },
});
