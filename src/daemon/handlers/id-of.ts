import { assert } from "../../base/assert.ts";
import type { Answer } from "../../core/inputs.ts";

export function idOf(answer: Answer): string {
  assert(answer.of === "id", "making something is answered by its id");
  return answer.id;
}
