import { toSafeLine } from "../text/safe-text.ts";

/** What was said with a submission, each once, for people. */
export function warningLines(warnings: readonly { readonly message: string }[]): string[] {
  return [...new Set(warnings.map(({ message }) => `warning: ${toSafeLine(message)}`))];
}
