import type { OutputOf } from "../../protocol/operations.ts";
import { toSafeLine } from "../text/safe-text.ts";

/** What was said with a submission, each once, for people. */
export function warningLines(warnings: OutputOf<"run.submit">["warnings"]): string[] {
  return [...new Set(warnings.map(({ message }) => `warning: ${toSafeLine(message)}`))];
}
