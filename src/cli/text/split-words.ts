// Splits a command as it is typed into its arguments. No shell will read it, so what only a shell understands is refused
// instead of being handed to the program as a strange word.

const shellSigns = /^(?:&&?|\|\|?|;|<{1,2}|>{1,2}|2>(?:&1)?|[0-9]*>.*)$/;

export function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quoted = false;
  const end = (): void => {
    if (word === undefined) return;
    if (!quoted && shellSigns.test(word)) {
      throw new Error(`no shell reads this, so "${word}" would be an argument; write sh -c '…' for a shell.`);
    }
    words.push(word);
    word = undefined;
    quoted = false;
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === "'" || char === '"') {
      const close = findClose(text, at);
      word = (word ?? "") + unquote(text.slice(at + 1, close), char);
      quoted = true;
      at = close;
    } else if (char === "\\" && at + 1 < text.length) {
      word = (word ?? "") + (text[++at] ?? "");
      quoted = true;
    } else if (/\s/.test(char)) {
      end();
    } else {
      word = (word ?? "") + char;
    }
  }
  end();
  if (words.length === 0) throw new Error("there is no command in it.");
  return words;
}

/** The inverse, for showing: words that need quotes get them. */
export function joinWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(" ");
}

function findClose(text: string, open: number): number {
  const quote = text[open];
  for (let at = open + 1; at < text.length; at++) {
    if (quote === '"' && text[at] === "\\") at++;
    else if (text[at] === quote) return at;
  }
  throw new Error(`the quote at character ${open + 1} has no end.`);
}

function unquote(text: string, quote: string): string {
  return quote === "'" ? text : text.replace(/\\(["\\$`])/g, "$1");
}
