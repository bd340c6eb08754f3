// Text that others wrote, made fit for a terminal. A title or a command's output may hold escape sequences that move the
// cursor or retitle the window, turn the reading direction round, or hide; here they become visible signs and do nothing.

import { nameHidden, toCodePoint } from "../../protocol/visible-text.ts";

// oxlint-disable-next-line no-control-regex -- the colours of our own output, in the form that programs write them
const ansi = /\u001b\[[0-9;:]*[A-Za-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
// oxlint-disable-next-line no-control-regex -- what our own lines have in them; of what others write even that would go, see above
const ours = /(\u001b\[(?:[0-79]|2[1-79]|[349][0-79])m)/;

/** One line, whatever it was: controls become signs. */
export function toSafeLine(text: string): string {
  return nameHidden(text, toSign).replaceAll(/[\t\n]/g, toSign);
}

/** Several lines: colours of programs are dropped, line breaks stay, tabs become spaces, other controls become signs. */
export function toSafeLines(text: string): string[] {
  return text
    .replace(ansi, "")
    .replaceAll("\t", "    ")
    .split(/\r?\n/)
    .map((line) => toSafeLine(line.slice(line.lastIndexOf("\r") + 1)));
}

/**
 * The last look at what we write for people: our own colours and line breaks stay, and what came there without a look of its own
 * cannot do anything either.
 */
export function toSafeOutput(text: string): string {
  return text
    .split(ours)
    .map((part, at) => (at % 2 === 1 ? part : nameHidden(part, toSign)))
    .join("");
}

/** A document says the same with such characters escaped, and nobody who looks at it is fooled. */
export function toSafeJson(json: string): string {
  return nameHidden(json, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
}

function toSign(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : toCodePoint(char);
}
