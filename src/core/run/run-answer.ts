// What somebody answers to a run: anything to a question, yes or no where it asks leave.

import { refuse, type Result } from "../../base/result.ts";
import type { Input, Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import type { Step } from "../step.ts";
import { isModel } from "../task/task-evolve.ts";
import { readVerdict } from "./leave.ts";
import { goOn, moveRun } from "./run-flow.ts";
import type { Run } from "./run-state.ts";

type AnswerRun = Extract<Input, { type: "run.answer" }>;
type Question = NonNullable<Run["question"]>;

export function answerRun(step: Step, run: Run, { text, question: seen }: AnswerRun): Result<Later, Refusal> {
  const { question, id, state } = run;
  if (question === null) return refuse({ code: "wrong-state", run: id, state, wanted: "awaiting-input" });
  if (question.id !== (seen ?? question.id)) return refuse({ code: "asks-another", run: id, question: question.id });
  const refusal = record(step, id, question, { text, seen });
  if (refusal !== undefined) return refuse(refusal);
  if (state !== "awaiting-input") return done();
  if (run.lost) moveRun(step, run, "parked", "its node was silent and its leases expired");
  else goOn(step, run, "answered");
  return done();
}

type Said = { readonly text: string; readonly seen: string | undefined };

function record(step: Step, run: string, question: Question, { text, seen }: Said): Refusal | undefined {
  const answered = { type: "run.answered", v: 1, run, question: question.id } as const;
  if (question.leave === undefined) {
    step.emit({ ...answered, text });
    return undefined;
  }
  if (isModel(step.actor)) return { code: "forbidden", what: "giving or refusing leave" };
  const { what } = question.leave;
  const verdict = readVerdict(text);
  if (verdict === undefined) return { code: "unclear-answer", run, what };
  // Leave is for the act that was shown, and for no other: by now it may ask about another one than whoever says yes has seen.
  if (seen === undefined) return { code: "question-unnamed", run, question: question.id, what };
  const { allows } = verdict;
  step.emit({ ...answered, text: allows ? "allow" : "deny", allows });
  // The program takes nothing but yes or no. Why not, its model is told like everything that people say.
  if (!allows && verdict.why !== null) step.emit({ type: "run.messaged", v: 1, run, text: verdict.why });
  return undefined;
}
