import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, oneRun, textFlag } from "../flags.ts";
import { tellDone } from "../tell-done.ts";

export const reject = defineCommand<CommonFlags & { readonly message?: string }, [string]>({
  usage: "RUN [-m TEXT]",
  about: "The run ends as rejected, and its leases are free. signalbox return sends it back to work instead.",
  examples: [["reject r_1a -m 'we do it another way'", "Say no, and why."]],
  parameters: {
    flags: { message: textFlag("TEXT", "Why, for the record."), json: jsonFlag },
    aliases: { m: "message" },
    positional: oneRun,
  },
  async run(cli, { message = "rejected by a person", json }, run) {
    await cli.link.call("run.reject", { run, message });
    if (json) return cli.out.json({ run });
    // It is done already: without an answer it is told without.
    const landed = await cli.link.call("run.get", { run }).then(
      (answer) => answer.run.landed,
      () => null,
    );
    const result =
      landed === null ? "its result does not count" : "what of it had landed stays, the rest does not count";
    tellDone(cli, run, `${run} is rejected: ${result}, and its leases are free.`);
  },
});
