import type { LineRange } from "../../ports/runner.ts";

/** Some lines of a text, with which those are; all of it where nobody asks for some. */
export function partOf(
  text: string,
  range: LineRange | undefined,
): { readonly text: string; readonly which: string | null } {
  if (range === undefined) return { text, which: null };
  const lines = text.split(/(?<=\n)/);
  const part = lines.slice(range.from - 1, range.from - 1 + range.count);
  return { text: part.join(""), which: `lines ${range.from} to ${range.from + part.length - 1} of ${lines.length}` };
}
