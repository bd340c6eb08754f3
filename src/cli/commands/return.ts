import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, oneRun } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { howItStands, tellDone } from "../tell-done.ts";

export const returnRun = defineCommand<CommonFlags & { readonly message: string }, [string]>({
  usage: "RUN -m TEXT",
  examples: [["return r_1a -m 'the tests do not cover the empty list'", "Say what is missing."]],
  parameters: {
    flags: {
      message: { kind: "parsed", parse: parseNonEmpty, placeholder: "TEXT", brief: "What has to change." },
      json: jsonFlag,
    },
    aliases: { m: "message" },
    positional: oneRun,
  },
  async run(cli, { message, json }, run) {
    await cli.link.call("run.return", { run, message });
    if (json) cli.out.json({ run });
    else tellDone(cli, run, `${run} is sent back with your message.${await howItStands(cli, run)}`);
  },
});
