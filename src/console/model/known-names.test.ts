import { expect, test } from "vitest";
import { toFields } from "./form-fields.ts";
import { nothingKnown, withKnown } from "./known-names.ts";

const fields = toFields({
  properties: {
    name: { type: "string" },
    scope: { type: "object", properties: { project: { type: "string" }, runner: { type: "string" } } },
    rules: { type: "object", properties: { allowedRunners: { type: "array", items: { type: "string" } } } },
  },
});

test("a field has the names of what it is about to choose from, however deep it stands", () => {
  const known = { ...nothingKnown, projects: ["shop"], runners: ["claude", "script"] };
  const [name, scope, rules] = withKnown(fields, known);
  expect(name?.options).toEqual([]);
  expect(scope?.fields.map(({ kind, options }) => [kind, options])).toEqual([
    ["text", ["shop"]],
    ["text", ["claude", "script"]],
  ]);
  expect(rules?.fields[0]?.help).toBe("There is claude, script.");
});

test("where nothing is known a form is what it was", () => {
  expect(withKnown(fields, nothingKnown)).toEqual(fields);
});
