import { z } from "zod";

export type PlainSchema = Readonly<Record<string, unknown>>;

const keptWords: ReadonlySet<string> = new Set([
  ...["type", "properties", "required", "items", "anyOf", "enum", "default", "description"],
]);

/** What a model needs of a schema. Lengths and patterns are judged all the same, and then said in words. */
export function toPlainSchema(input: z.ZodObject): PlainSchema {
  return slim(z.toJSONSchema(input, { io: "input" }));
}

function slim(schema: PlainSchema): PlainSchema {
  const kept = Object.entries(schema).filter(([word]) => keptWords.has(word));
  return Object.fromEntries(kept.map(([word, value]) => [word, slimOf(word, value)]));
}

function slimOf(word: string, value: unknown): unknown {
  if (word === "items") return slim(value as PlainSchema);
  if (word === "anyOf") return (value as readonly PlainSchema[]).map(slim);
  if (word !== "properties") return value;
  return Object.fromEntries(
    Object.entries(value as PlainSchema).map(([name, each]) => [name, slim(each as PlainSchema)]),
  );
}
