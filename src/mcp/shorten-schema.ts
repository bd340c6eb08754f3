// Schemas as models get them in the list of tools, which they pay for with every request. What says nothing goes, and of a
// long answer only the outline stays: whoever needs all of it finds it in the OpenAPI document.

type Json = Readonly<Record<string, unknown>>;

/** An answer whose schema is longer is shown in outline. */
const outputCharsMax = 400;

/** The schema of what a caller writes, without bounds that every number has. */
export function shortenInput(schema: Json): Json {
  return withoutBounds(schema) as Json;
}

/** A schema that takes every answer that the given one takes, and is short. */
export function shortenOutput(schema: Json): Json {
  const short = withoutBounds(schema) as Json;
  return JSON.stringify(short).length <= outputCharsMax ? short : outlineOf(short);
}

/** The names and types of an answer's fields. What is inside them is left open. */
function outlineOf({ properties, required }: Json): Json {
  const fields = Object.entries((properties ?? {}) as Readonly<Record<string, Json>>);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, typeOf(field)])),
    ...(required === undefined ? {} : { required }),
  };
}

function typeOf({ type }: Json): Json {
  return typeof type === "string" ? { type } : {};
}

function withoutBounds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBounds);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => !isLimitOfNumbers(field));
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutBounds(field)]));
}

function isLimitOfNumbers(field: unknown): boolean {
  return typeof field === "number" && Math.abs(field) === Number.MAX_SAFE_INTEGER;
}
