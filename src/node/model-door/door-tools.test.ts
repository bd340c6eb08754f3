import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { doorToolNames } from "../../protocol/door-tool-names.ts";
import { doorTools } from "./door-tools.ts";
import { toPlainSchema } from "./plain-schema.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/reference/door.md"), "utf8");

test("[EN37] the list of tools is small enough to be in front of a model all the time", () => {
  const list = doorTools.map(({ name, description, input }) => ({
    name,
    description,
    inputSchema: toPlainSchema(input),
  }));
  expect(JSON.stringify({ tools: list }).length / 3.5).toBeLessThan(3000);
});

test("the reference says of every tool what the model reads", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  const wanted = doorTools.map(({ name, description, input }) => {
    const { properties, required = [] } = toPlainSchema(input) as { properties: object; required?: readonly string[] };
    const names = Object.keys(properties).map((field) => `\`${field}\`${required.includes(field) ? "" : "?"}`);
    return `| \`${name}\` | ${names.join(", ")} | ${description} |`;
  });
  expect(rows).toEqual(wanted);
});

test("[AW20] templates know the tools by the same names", () => {
  expect(doorTools.map(({ name }) => name).toSorted()).toEqual([...doorToolNames].toSorted());
});
