// Leave for what an assistant's program would do by itself: given, or refused.

import { protocolError } from "../../protocol/errors.ts";
import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, oneRun, textFlag } from "../flags.ts";
import { howItStands, tellDone } from "../tell-done.ts";

type Flags = CommonFlags & { readonly question?: string };

const questionFlag = textFlag("ID", "Only if it still asks that: signalbox inspect RUN --json has its id.");

export const allow = defineCommand<Flags, [string]>({
  usage: "RUN [--question ID]",
  about: `For the one act that it asks about, which signalbox inspect RUN shows with all that is said of it. The same again is asked
again.`,
  examples: [["allow r_1a", "It may do what it asks leave for."]],
  parameters: { flags: { question: questionFlag, json: jsonFlag }, positional: oneRun },
  async run(cli, { question, json }, run) {
    const asked = await whatItAsks(cli, run);
    await cli.link.call("run.answer", { run, text: "allow", question: question ?? asked.id });
    if (json) cli.out.json({ run });
    else tellDone(cli, run, `${run} has leave for that (${asked.what}).${await howItStands(cli, run)}`);
  },
});

export const deny = defineCommand<Flags & { readonly message?: string }, [string]>({
  usage: "RUN [-m TEXT] [--question ID]",
  about: "Refuses the act that a run's assistant asks leave for. It goes on without; with -m it is told why.",
  examples: [
    ["deny r_1a", "It may not."],
    ["deny r_1a -m 'the folder out/ is for that'", "It may not, and hears why."],
  ],
  parameters: {
    flags: { message: textFlag("TEXT", "Why not: its assistant is told."), question: questionFlag, json: jsonFlag },
    aliases: { m: "message" },
    positional: oneRun,
  },
  async run(cli, { message, question, json }, run) {
    const asked = await whatItAsks(cli, run);
    const text = (message ?? "").trim() === "" ? "deny" : `deny: ${message}`;
    await cli.link.call("run.answer", { run, text, question: question ?? asked.id });
    if (json) cli.out.json({ run });
    else tellDone(cli, run, `${run} may not do that (${asked.what}).${await howItStands(cli, run)}`);
  },
});

/** The word is for what is asked now, and for nothing that comes meanwhile. */
async function whatItAsks(cli: Cli, id: string): Promise<{ readonly id: string; readonly what: string }> {
  const { run } = await cli.link.call("run.get", { run: id });
  const leave = run.question?.leave ?? null;
  if (run.question === null || leave === null)
    throw protocolError("wrong-state", { run: id, state: run.state, wanted: "asking leave" });
  return { id: run.question.id, what: leave.what };
}
