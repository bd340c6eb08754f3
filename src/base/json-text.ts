// JSON as text, before anything is built of it.

const quote = 34;
const comma = 44;
const colon = 58;
const bracket = 91;
const backslash = 92;
const bracketEnd = 93;
const brace = 123;
const braceEnd = 125;

export type JsonBounds = {
  /** Whoever walks through what stands deeper, or writes it again, runs out of stack. */
  readonly depthMax: number;
  /** Whoever builds more takes a hundred times the room of the text, and seconds. */
  readonly valuesMax: number;
};

/** What there is too much of in a text, as one would say it of it; undefined where it can be read. */
export function tooMuchIn(text: string, { depthMax, valuesMax }: JsonBounds): string | undefined {
  let depth = 0;
  // Beside the text itself: each value has a comma before it, or is the first in what it is in.
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) {
      at = endOfString(text, at);
      if (at < 0) return undefined;
    } else if (char === brace || char === bracket) {
      if (++depth > depthMax) return `is nested deeper than ${depthMax}`;
      if (!isEmptyAt(text, at)) values++;
    } else if (char === braceEnd || char === bracketEnd) {
      depth--;
    } else if (char === comma) {
      values++;
    }
    if (values > valuesMax) return `has more than ${valuesMax} values`;
  }
  return undefined;
}

/** Whether nothing is in the list or object that begins here. */
function isEmptyAt(text: string, start: number): boolean {
  const next = text.charCodeAt(afterSpace(text, start + 1));
  return next === braceEnd || next === bracketEnd;
}

export type FieldText = { readonly name: string; readonly text: string };

/** Of the object that a text is, what stands under each name as it is written there. A name that is there twice is told twice. Undefined where there are more. */
export function fieldTexts(text: string, countMax: number): readonly FieldText[] | undefined {
  const fields: FieldText[] = [];
  let depth = 0;
  let name = "";
  let from = -1;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) {
      const end = endOfString(text, at);
      if (end < 0) return fields;
      const colonAt = depth === 1 && from < 0 ? colonAfter(text, end) : -1;
      // One name has many spellings, and whoever reads it knows all of them.
      if (colonAt >= 0) [name, from] = [JSON.parse(text.slice(at, end + 1)) as string, colonAt + 1];
      at = end;
    } else if (char === brace || char === bracket) {
      depth++;
    } else if (char === comma || char === braceEnd || char === bracketEnd) {
      if (depth === 1 && from >= 0) {
        if (fields.length === countMax) return undefined;
        fields.push({ name, text: text.slice(from, at).trim() });
        from = -1;
      }
      if (char !== comma) depth--;
    }
  }
  return fields;
}

/** Where the colon stands that makes the string which ends here the name of a field; -1 where it is none. */
export function colonAfter(text: string, end: number): number {
  const at = afterSpace(text, end + 1);
  return text.charCodeAt(at) === colon ? at : -1;
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= 32) at++;
  return at;
}

/** Where the string that begins here ends; -1 where it does not. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++;
  return backslashes % 2 === 1;
}
