/** Text as one word of a shell. */
export function toShell(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

export function joinShell(words: readonly string[]): string {
  return words.map(toShell).join(" ");
}
