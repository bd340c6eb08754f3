// Leave for what an assistant's program would do by itself: given, or refused.

import { protocolError } from "../../protocol/errors.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, oneRun, textFlag } from "../flags.ts";
import { howItStands, tellDone } from "../tell-done.ts";

type Flags = CommonFlags & { readonly question?: string };

const questionFlag = textFlag(
  "ID",
  "The question that you have read, as signalbox inbox and inspect name it. It has to be named.",
);

export const allow = defineCommand<Flags, [string]>({
  usage: "RUN --question ID",
  about: `For the one act that it asks about, which signalbox inspect RUN shows with all that is said of it. The same again is asked
again. By then it may ask about another act than the one that you have read, so the question is named.`,
  examples: [["allow r_1a --question q_2b", "It may do what it asks leave for."]],
  parameters: { flags: { question: questionFlag, json: jsonFlag }, positional: oneRun },
  async run(cli, { question, json }, run) {
    const { what } = await whatItAsks(cli, run, question);
    await cli.link.call("run.answer", { run, text: "allow", question });
    if (json) cli.out.json({ run });
    else tellDone(cli, run, `${run} has leave for that (${what}).${await howItStands(cli, run)}`);
  },
});

export const deny = defineCommand<Flags & { readonly message?: string }, [string]>({
  usage: "RUN --question ID [-m TEXT]",
  about: "Refuses the act that a run's assistant asks leave for. It goes on without; with -m it is told why.",
  examples: [
    ["deny r_1a --question q_2b", "It may not."],
    ["deny r_1a --question q_2b -m 'the folder out/ is for that'", "It may not, and hears why."],
  ],
  parameters: {
    flags: { message: textFlag("TEXT", "Why not: its assistant is told."), question: questionFlag, json: jsonFlag },
    aliases: { m: "message" },
    positional: oneRun,
  },
  async run(cli, { message, question, json }, run) {
    const { what } = await whatItAsks(cli, run, question);
    const text = (message ?? "").trim() === "" ? "deny" : `deny: ${message}`;
    await cli.link.call("run.answer", { run, text, question });
    if (json) cli.out.json({ run });
    else tellDone(cli, run, `${run} may not do that (${what}).${await howItStands(cli, run)}`);
  },
});

/** Whoever has not said what they have read is told what there is to read. A word on another question is for the daemon to refuse. */
async function whatItAsks(cli: Cli, id: string, seen: string | undefined): Promise<{ readonly what: string }> {
  const { run } = await cli.link.call("run.get", { run: id });
  const leave = run.question?.leave ?? null;
  if (run.question === null || leave === null)
    throw protocolError("wrong-state", { run: id, state: run.state, wanted: "asking leave" });
  if (seen === undefined)
    throw protocolError("question-unnamed", { run: id, question: run.question.id, what: leave.what });
  return { what: leave.what };
}
