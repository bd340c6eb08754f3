// What a caller writes, as models get it in the list of tools, which they pay for with every request. Names, types, choices
// and descriptions stay. How long and of which letters a text may be goes: whoever gets that wrong is told in a sentence,
// and the OpenAPI document has all of it.

type Json = Readonly<Record<string, unknown>>;

const finePrint = ["pattern", "minLength", "maxLength", "minItems", "maxItems", "propertyNames"];

/** A schema that takes everything that the given one takes and a model would write, and is short. */
export function shortenInput(schema: Json): Json {
  const { description, anyOf, ...outer } = shorten(schema);
  // What is nothing when it is left out need not be said to be nothing.
  const isOptional = schema["default"] === null;
  const either = ((anyOf ?? []) as Json[]).filter(({ type }) => !isOptional || type !== "null");
  const [only] = either;
  const inner = either.length === 1 ? only : either.length > 1 ? { anyOf: either } : {};
  return { ...inner, ...outer, ...(description === undefined ? {} : { description }) };
}

function shorten(schema: Json): Json {
  const fields = Object.entries(schema).filter(
    ([name, value]) => !finePrint.includes(name) && saysSomething(value, name),
  );
  return Object.fromEntries(fields.map(([name, value]) => [name, within(name, value)]));
}

function within(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => (isJson(each) ? shortenInput(each) : each));
  if (!isJson(value)) return value;
  if (name !== "properties") return shortenInput(value);
  return Object.fromEntries(Object.entries(value).map(([field, of]) => [field, isJson(of) ? shortenInput(of) : of]));
}

/**
 * A bound that every number has says nothing, nor that there are not fewer than none of something, nor does a default of nothing, a
 * list of patterns alone, or the end of a list.
 */
function saysSomething(value: unknown, name: string): boolean {
  if (name === "allOf" && Array.isArray(value))
    return value.some((each) => isJson(each) && Object.keys(each).some((field) => !finePrint.includes(field)));
  if (name === "additionalProperties") return value !== false;
  if (name === "default") return !(value === null || value === "" || (Array.isArray(value) && value.length === 0));
  if (name === "minimum" && value === 0) return false;
  return !(typeof value === "number" && Math.abs(value) === Number.MAX_SAFE_INTEGER);
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
