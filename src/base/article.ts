// The article of a word that a sentence is put together with.

/** `an agent`, `a run`. By its first letter, but for words such as `unit`, which begin with another sound. */
export function withArticle(noun: string): string {
  return `${/^(?!uni|use)[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}
