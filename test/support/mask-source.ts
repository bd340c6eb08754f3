// Blanks out everything in a source text that is not code: comments, the inside of strings, templates and regular
// expressions. Length and line breaks stay, so that a place in the masked text is the same place in the original. The
// checkers search the masked text and are not misled by words. It is a scanner and not a parser, because TypeScript 7
// has no stable compiler API; where a slash begins a regular expression is told from what stands before it.

const expressionMayFollow =
  /(^|[-+*%=<>!&|^~?:;,.({[]|\b(return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield))$/;

export function maskSource(text: string): string {
  const out = text.split("");
  // One entry for each template that we are inside of: how many braces are open in its current `${…}`.
  const templates: number[] = [];
  let at = 0;

  const blank = (from: number, to: number): void => {
    for (let i = from; i < Math.min(to, out.length); i += 1) if (out[i] !== "\n") out[i] = " ";
  };

  /** Blanks the inside of what starts at `at` and ends at the delimiter; stops at a line end when it must. */
  const skipQuoted = (delimiter: string): void => {
    let end = at + 1;
    let inClass = false;
    for (; end < text.length && text[end] !== "\n"; end += 1) {
      const char = text[end];
      if (char === "\\") end += 1;
      else if (delimiter === "/" && char === "[") inClass = true;
      else if (delimiter === "/" && char === "]") inClass = false;
      else if (char === delimiter && !inClass) break;
    }
    blank(at + 1, end);
    at = end + 1;
  };

  /** Blanks template text from `at` on, up to the closing backtick or the next `${`. */
  const skipTemplateText = (): void => {
    let end = at;
    while (end < text.length && text[end] !== "`" && !text.startsWith("${", end)) end += text[end] === "\\" ? 2 : 1;
    blank(at, end);
    if (text.startsWith("${", end)) {
      templates.push(0);
      at = end + 2;
    } else {
      at = end + 1;
    }
  };

  const skipTo = (end: number): void => {
    blank(at, end);
    at = end;
  };

  while (at < text.length) {
    const char = text[at];
    const depth = templates.at(-1);
    if (text.startsWith("//", at)) {
      skipTo(endOf(text, "\n", at));
    } else if (text.startsWith("/*", at)) {
      skipTo(endOf(text, "*/", at + 2) + 2);
    } else if (char === '"' || char === "'") {
      skipQuoted(char);
    } else if (char === "`") {
      at += 1;
      skipTemplateText();
    } else if (char === "/" && startsRegExp(out, at)) {
      skipQuoted("/");
    } else if (char === "}" && depth === 0) {
      templates.pop();
      at += 1;
      skipTemplateText();
    } else {
      if (depth !== undefined && char === "{") templates[templates.length - 1] = depth + 1;
      if (depth !== undefined && char === "}") templates[templates.length - 1] = depth - 1;
      at += 1;
    }
  }
  return out.join("");
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end === -1 ? text.length : end;
}

function startsRegExp(out: readonly string[], at: number): boolean {
  // The closing tag of an element looks like a regular expression after a smaller-than sign.
  if (out[at - 1] === "<") return false;
  const before = out
    .slice(Math.max(0, at - 200), at)
    .join("")
    .trimEnd();
  return expressionMayFollow.test(before);
}
