import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, runArgument } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { howItStands, tellDone } from "../tell-done.ts";

export const continueRun = defineCommand<CommonFlags, [string, string]>({
  usage: "RUN MESSAGE",
  about: `It goes on in the workspace that it left, with what was built and installed there, and with the project's files as they
are now. Where that is gone it begins in a fresh one, and signalbox logs says so.`,
  examples: [["continue r_1a 'also cover the empty list'", "Say what else is wanted."]],
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: "tuple",
      parameters: [runArgument, { parse: parseNonEmpty, placeholder: "MESSAGE", brief: "What else is wanted." }],
    },
  },
  async run(cli, { json }, run, message) {
    await cli.link.call("run.continue", { run, message });
    if (json) cli.out.json({ run });
    else tellDone(cli, run, `${run} is taken up again with your message.${await howItStands(cli, run)}`);
  },
});
