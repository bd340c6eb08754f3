// Answers are worked out once all consequences of an input are there.

import { ok, type Result } from "../base/result.ts";
import type { Answer } from "./inputs.ts";

export type Later = () => Answer;

export function done(): Result<Later, never> {
  return ok(() => ({ of: "done" }));
}
