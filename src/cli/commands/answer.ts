import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, runArgument } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { howItStands, tellDone } from "../tell-done.ts";

export const answer = defineCommand<CommonFlags, [string, string]>({
  usage: "RUN TEXT",
  about: `For runs that are awaiting-input. signalbox inspect RUN shows the question. One that asks leave wants allow (yes, y, ok) or deny
(no, n), alone; deny: WHY also tells its assistant why. signalbox allow and signalbox deny say the same.`,
  examples: [
    ["answer r_1a 'use the second one'", "Let it go on with an answer."],
    ["answer r_1a allow", "It may do what it asks leave for."],
  ],
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: "tuple",
      parameters: [runArgument, { parse: parseNonEmpty, placeholder: "TEXT", brief: "The answer." }],
    },
  },
  async run(cli, { json }, run, text) {
    await cli.link.call("run.answer", { run, text });
    if (json) cli.out.json({ run });
    else tellDone(cli, run, `${run} has your answer.${await howItStands(cli, run)}`);
  },
});
