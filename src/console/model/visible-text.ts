// Text of agents as it is, with what would hide or turn it made visible. Whatever the page draws goes through `nameHidden`, see
// jsx-runtime.ts; these are for text that does more than be drawn, and for names, in which a line break would hide as well.

import { nameHidden, toCodePoint } from "../../protocol/visible-text.ts";

export type VisibleText = { readonly text: string; /** Characters that are left off. */ readonly left: number };

/** What is one line, such as a name. */
export function toVisible(text: string): string {
  return nameHidden(text).replaceAll("\n", toCodePoint);
}

/** The same of a text of several lines, which stay lines. */
export function toVisibleLines(text: string): string {
  return nameHidden(text.replaceAll("\r\n", "\n"));
}

/** The beginning of a line that nobody reads to its end, such as a minified file. */
export function cutLine(text: string, charsMax: number): VisibleText {
  if (text.length <= charsMax) return { text, left: 0 };
  // Half a character would be drawn as a broken one.
  const end = /[\ud800-\udbff]/.test(text.charAt(charsMax - 1)) ? charsMax - 1 : charsMax;
  return { text: text.slice(0, end), left: text.length - end };
}
