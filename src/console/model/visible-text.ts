// Text of agents as it is, with what would hide or turn it made visible: a reviewer approves what is there, not what a
// trick of the script makes of it.

/** Controls, marks that turn the direction of writing, and characters without width; tabs are drawn as they are. */
// oxlint-disable-next-line no-control-regex -- control characters are what this finds
const unseen = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export type VisibleText = { readonly text: string; /** Characters that are left off. */ readonly left: number };

export function toVisible(text: string): string {
  return text.replaceAll(unseen, (char) => `⟨${nameOf(char)}⟩`);
}

/** The same of a text of several lines, which stay lines. */
export function toVisibleLines(text: string): string {
  return text.split(/\r?\n/).map(toVisible).join("\n");
}

/** The beginning of a line that nobody reads to its end, such as a minified file. */
export function cutLine(text: string, charsMax: number): VisibleText {
  if (text.length <= charsMax) return { text, left: 0 };
  // Half a character would be drawn as a broken one.
  const end = /[\ud800-\udbff]/.test(text.charAt(charsMax - 1)) ? charsMax - 1 : charsMax;
  return { text: text.slice(0, end), left: text.length - end };
}

function nameOf(char: string): string {
  if (char === "\r") return "CR";
  if (char === "\u001b") return "ESC";
  return `U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}
