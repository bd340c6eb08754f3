import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, oneRun } from "../flags.ts";
import { doorLines } from "../door-lines.ts";

export const door = defineCommand<CommonFlags, [string]>({
  usage: "RUN",
  about: `For runs of the runner mcp: whoever connects to the address with the token drives the run. The tokens that it had before do
not open it any more. The token is shown once; only its hash is kept.`,
  examples: [["door r_1a", "The address of its door, and a new token."]],
  parameters: { flags: { json: jsonFlag }, positional: oneRun },
  async run(cli, { json }, run) {
    const answer = await cli.link.call("run.door", { run });
    if (json) cli.out.json({ run, ...answer });
    else cli.out.print(...doorLines(answer));
  },
});
