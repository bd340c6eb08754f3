// Finds secrets where they must not be: in plain, and in the forms that they take on the way: in JSON, in a URL, as hex,
// and as base64 at any place of a longer text.

/** What a secret is replaced by in what is kept. */
export const redacted = "[redacted]";

/** Shorter ones would be found where they do not stand. */
const valueCharsMin = 8;

/** Replaces the values in a text, in every form. */
export function redact(text: string, values: readonly string[]): string {
  let clean = text;
  for (const form of formsOf(values)) clean = clean.replaceAll(form, redacted);
  return clean;
}

/** Every form of every value, the longest first, so that no part of one is left. */
export function formsOf(values: readonly string[]): string[] {
  const forms = new Set(values.filter((value) => value.length >= valueCharsMin).flatMap(formsOfOne));
  return [...forms].toSorted((a, b) => b.length - a.length);
}

function formsOfOne(value: string): string[] {
  const hex = Buffer.from(value).toString("hex");
  const plain = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), hex, hex.toUpperCase()];
  const inBase64 = [0, 1, 2].flatMap((before) => base64Within(value, before));
  return [...plain, ...inBase64].filter((form) => form.length >= valueCharsMin);
}

/** How it looks in base64 after so many other bytes: without the characters at the ends that those have a part in. */
function base64Within(value: string, before: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
  const whole = bytes.toString("base64").replace(/=+$/, "");
  const from = Math.ceil((before * 8) / 6);
  const to = Math.floor((bytes.length * 8) / 6);
  const inner = whole.slice(from, to);
  return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
}
