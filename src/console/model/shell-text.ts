import { nameHidden } from "../../protocol/visible-text.ts";

/** Text as one word of a shell. What cannot be seen is written out: whoever copies the word has read all of it. */
export function toShell(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text;
  if (nameHidden(text) === text) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `$'${nameHidden(
    text.replaceAll(/[\\']/g, (char) => `\\${char}`),
    toEscape,
  )}'`;
}

export function joinShell(words: readonly string[]): string {
  return words.map(toShell).join(" ");
}

function toEscape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
}
