// How many cells a text takes in a terminal, and how to make it take fewer.

// Marks that have a place of their own are no part of what they follow.
const zeroWidth = /^[\p{Mn}\p{Me}\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]$/u;
const twoCells =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;
// oxlint-disable-next-line no-control-regex -- what most text is made of
const plain = /^[\u0020-\u007e]*$/;

export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const char of text) width += widthOfChar(char);
  return width;
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - widthOf(text))) + text;
}

/** Cuts the end off. */
export function cutEnd(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return width <= 0 ? "" : `${takeStart(text, width - 1).trimEnd()}…`;
}

/** Cuts the middle out. Of a path, the last name is what tells it from others, so that stays whole if it can. */
export function cutMiddle(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width <= 1) return width === 1 ? "…" : "";
  const name = text.slice(text.lastIndexOf("/"));
  const nameWidth = widthOf(name);
  const tailWidth =
    text.includes("/") && nameWidth <= width - 2 ? nameWidth : Math.min(width - 2, Math.ceil((width - 1) * 0.6));
  const tail = takeEnd(text, Math.max(1, tailWidth));
  return `${takeStart(text, width - 1 - widthOf(tail))}…${tail}`;
}

function takeStart(text: string, width: number): string {
  let taken = "";
  let left = width;
  for (const char of text) {
    left -= widthOfChar(char);
    if (left < 0) break;
    taken += char;
  }
  return taken;
}

function takeEnd(text: string, width: number): string {
  let taken = "";
  let left = width;
  for (const char of Array.from(text).toReversed()) {
    left -= widthOfChar(char);
    if (left < 0) break;
    taken = char + taken;
  }
  return taken;
}

function widthOfChar(char: string): number {
  if (zeroWidth.test(char)) return 0;
  return twoCells.test(char) ? 2 : 1;
}
