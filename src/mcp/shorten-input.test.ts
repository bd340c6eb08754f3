import { expect, test } from "vitest";
import { inputSchemaOf } from "../protocol/openapi.ts";
import { operations } from "../protocol/operations.ts";
import { shortenInput } from "./shorten-input.ts";

test("the list of tools keeps the bounds of numbers that somebody has set, and no others", () => {
  const number = { type: "integer", minimum: -Number.MAX_SAFE_INTEGER, maximum: 9 };
  const count = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
  expect(shortenInput({ properties: { n: number, count } })).toEqual({
    properties: { n: { type: "integer", maximum: 9 }, count: { type: "integer" } },
  });
});

test("it does not say how long a text may be, nor that a field may be nothing which may be left out", () => {
  const name = { type: "string", minLength: 1, maxLength: 64, pattern: "^[a-z]*$", description: "A name." };
  const schema = {
    type: "object",
    properties: {
      pattern: name,
      maybe: { default: null, description: "Whose.", anyOf: [name, { type: "null" }] },
      cleared: { anyOf: [name, { type: "null" }] },
      named: { type: "object", propertyNames: name, additionalProperties: { type: "array", items: name, maxItems: 3 } },
    },
    additionalProperties: false,
  };
  const short = { type: "string", description: "A name." };
  expect(shortenInput(schema)).toEqual({
    type: "object",
    properties: {
      pattern: short,
      maybe: { type: "string", description: "Whose." },
      cleared: { anyOf: [short, { type: "null" }] },
      named: { type: "object", additionalProperties: { type: "array", items: short } },
    },
  });
});

test.each(Object.entries(operations))("of %s it has every field, and those that have to be there", (_, operation) => {
  const whole = inputSchemaOf(operation);
  const short = shortenInput(whole);
  expect(short["required"]).toEqual(whole["required"]);
  expect(Object.keys(short["properties"] ?? {})).toEqual(Object.keys(whole["properties"] ?? {}));
});
