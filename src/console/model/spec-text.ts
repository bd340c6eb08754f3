// A recipe as text: the way people write it, with what is plain left unquoted.

type Plain = string | number | boolean | null | undefined | readonly Plain[] | { readonly [name: string]: Plain };

const plainText = /^(?:[\w./+]|-[\w-])[\w ./@%+:=()-]*$/;
/** Texts that would be read as something else. */
const otherMeaning = /^(?:true|false|null|yes|no|on|off|~|[\d.+-]+)$|: |:$| #|\s$/i;

export function toSpecText(spec: unknown): string {
  return linesOf(spec as Plain, "").join("\n");
}

function linesOf(value: Plain, indent: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each: Plain) => under(`${indent}-`, each, `${indent}  `));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, each]) => under(`${indent}${toScalar(name)}:`, each, `${indent}  `));
  return [`${indent}${toScalar(value)}`];
}

function under(head: string, value: Plain, indent: string): string[] {
  if (typeof value !== "object" || value === null) return [`${head} ${toScalar(value)}`];
  const isList = Array.isArray(value);
  if (Object.keys(value).length === 0) return [`${head} ${isList ? "[]" : "{}"}`];
  // A list of a few plain words stands on one line, as a command does.
  if (isList && value.every((each: Plain) => typeof each !== "object" || each === null))
    return [`${head} [${value.map((each: Plain) => toScalar(each)).join(", ")}]`];
  const lines = linesOf(value as Plain, indent);
  return head.endsWith("-") ? [`${head} ${lines[0]?.trimStart() ?? ""}`, ...lines.slice(1)] : [head, ...lines];
}

function toScalar(value: Plain): string {
  if (typeof value !== "string") return JSON.stringify(value ?? null);
  return plainText.test(value) && !otherMeaning.test(value) ? value : JSON.stringify(value);
}
