// The beginning of a text, as a text of its own. What the language cuts out of a long text goes on standing on all of it: whoever
// keeps two hundred characters of a line of four million keeps the four million.

export function beginningOf(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : copyOf(text.slice(0, charsMax));
}

/** Its last characters, likewise. */
export function endOf(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : copyOf(text.slice(text.length - charsMax));
}

function copyOf(part: string): string {
  return JSON.parse(JSON.stringify(part)) as string;
}
