import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, runArgument, textFlag } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { howItStands, tellDone } from "../tell-done.ts";

export const answer = defineCommand<CommonFlags & { readonly question?: string }, [string, string]>({
  usage: "RUN TEXT [--question ID]",
  about: `For runs that are awaiting-input. signalbox inspect RUN shows the question. One that asks leave wants allow (yes, y, ok) or deny
(no, n), alone, and --question; deny: WHY also tells its assistant why. signalbox allow and signalbox deny say the same.`,
  examples: [
    ["answer r_1a 'use the second one'", "Let it go on with an answer."],
    ["answer r_1a allow --question q_2b", "It may do what it asks leave for."],
  ],
  parameters: {
    flags: {
      question: textFlag("ID", "Only if it still asks that: the question that you have read."),
      json: jsonFlag,
    },
    positional: {
      kind: "tuple",
      parameters: [runArgument, { parse: parseNonEmpty, placeholder: "TEXT", brief: "The answer." }],
    },
  },
  async run(cli, { question, json }, run, text) {
    await cli.link.call("run.answer", { run, text, question });
    if (json) cli.out.json({ run });
    else tellDone(cli, run, `${run} has your answer.${await howItStands(cli, run)}`);
  },
});
