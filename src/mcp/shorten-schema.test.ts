import { describe, expect, test } from "vitest";
import { inputSchemaOf, outputSchemaOf } from "../protocol/openapi.ts";
import { operations } from "../protocol/operations.ts";
import { shortenInput, shortenOutput } from "./shorten-schema.ts";

describe("a schema in the list of tools", () => {
  test("of a short answer is whole", () => {
    const schema = { type: "object", properties: { run: { type: "string", description: "Its id." } } };
    expect(shortenOutput(schema)).toEqual(schema);
  });

  test("of a long answer has the names and types of its fields, and leaves open what is in them", () => {
    const run = { type: "object", properties: { text: { type: "string", description: "x".repeat(500) } } };
    const count = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
    const gone = { anyOf: [run, { type: "null" }] };
    const schema = { type: "object", properties: { run, count, gone }, required: ["run"], additionalProperties: false };
    expect(shortenOutput(schema)).toEqual({
      type: "object",
      properties: { run: { type: "object" }, count: { type: "integer" }, gone: {} },
      required: ["run"],
    });
  });

  test("of what a caller writes keeps the bounds that somebody has set", () => {
    const number = { type: "integer", minimum: -Number.MAX_SAFE_INTEGER, maximum: 9 };
    expect(shortenInput({ anyOf: [number] })).toEqual({ anyOf: [{ type: "integer", maximum: 9 }] });
  });

  test.each(Object.entries(operations))(
    "of %s is no longer than the whole one, and asks for no more",
    (_, operation) => {
      const whole = outputSchemaOf(operation);
      const short = shortenOutput(whole);
      expect(JSON.stringify(short).length).toBeLessThanOrEqual(JSON.stringify(whole).length);
      expect(short["required"]).toEqual(whole["required"]);
      expect(Object.keys(short["properties"] ?? {})).toEqual(Object.keys(whole["properties"] ?? {}));
      expect(shortenInput(inputSchemaOf(operation))["required"]).toEqual(inputSchemaOf(operation)["required"]);
    },
  );
});
