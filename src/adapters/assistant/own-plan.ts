// The plan that an assistant keeps for itself, in the one form that all share: a line for each step, with a mark for how far it is.

import { beginningOf } from "../../base/cut-text.ts";
import type { Heard } from "../../core/run/heard.ts";
import { type Json, textOf } from "./json-line.ts";

type OwnStep = { readonly text: string; readonly mark: "[ ]" | "[>]" | "[x]" };

const stepsMax = 60;
const stepCharsMax = 200;
/** How often it is written down in one life: some write theirs anew with every word. */
const timesMax = 200;

/** Writes a plan down when it is another than before. */
export class OwnPlan {
  #last = "";
  #times = 0;

  /** `words` and `state` say under which names a program has them; a state that nobody knows is one that is not begun. */
  take(steps: readonly Json[], words: string, state: string): Heard[] {
    const lines = steps.slice(0, stepsMax).map((step) => toLine(toStep(step, words, state)));
    const text =
      steps.length > stepsMax ? [...lines, `and ${steps.length - stepsMax} more`].join("\n") : lines.join("\n");
    if (text === this.#last || this.#times >= timesMax) return [];
    this.#last = text;
    this.#times++;
    return [{ is: "other", kind: "plan", text }];
  }
}

function toStep(step: Json, words: string, state: string): OwnStep {
  const text = beginningOf(textOf(step[words], "").replaceAll(/\s+/g, " ").trim(), stepCharsMax);
  const at = step[state];
  if (at === true || at === "completed") return { text, mark: "[x]" };
  return { text, mark: at === "in_progress" || at === "inProgress" ? "[>]" : "[ ]" };
}

function toLine({ text, mark }: OwnStep): string {
  return `${mark} ${text}`;
}
