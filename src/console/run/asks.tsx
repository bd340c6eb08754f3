import type { ReactNode } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import { asksLeave } from "../model/run-acts.ts";
import { ActButtons } from "./act-buttons.tsx";
import { AnswerBox } from "./answer-box.tsx";
import { LeaveWords } from "./leave-words.tsx";

/** What a run asks, and a place for the answer: words to a question, yes or no where it asks leave. */
export function Asks({ run }: { readonly run: Run }): ReactNode {
  const text = run.question?.text ?? "";
  if (asksLeave(run)) {
    return (
      <>
        <LeaveWords text={text} />
        <ActButtons run={run} only={["allow", "deny"]} />
      </>
    );
  }
  return (
    <>
      <p className="asked" tabIndex={0}>
        {text}
      </p>
      <AnswerBox run={run} primary />
    </>
  );
}
