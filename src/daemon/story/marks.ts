// Marks of a timeline, and how neighbours become one.

import type { Mark } from "../../protocol/wire/story.ts";
import { Slices } from "./slices.ts";

/** More than this nobody can tell apart on a screen; each kind of thing has so many for itself. */
export const marksMax = 360;
const textCharsMax = 120;

export type Marks = Slices<Mark>;

export function makeMarks(): Marks {
  return new Slices(marksMax, joinMarks);
}

export function toMark(given: Pick<Mark, "fromMs" | "kind" | "text"> & Partial<Mark>): Mark {
  const { fromMs, text } = given;
  return { toMs: fromMs, count: 1, bad: 0, step: null, micros: 0, ...given, text: text.slice(0, textCharsMax) };
}

export function joinMarks(before: Mark, after: Mark): Mark {
  return {
    fromMs: Math.min(before.fromMs, after.fromMs),
    toMs: Math.max(before.toMs ?? before.fromMs, after.toMs ?? after.fromMs),
    count: before.count + after.count,
    bad: before.bad + after.bad,
    step: before.step ?? after.step,
    kind: before.kind,
    // Whether a price is known is of all of them.
    text: before.text === "" ? "" : after.text === "" ? "" : before.text,
    micros: before.micros + after.micros,
  };
}
