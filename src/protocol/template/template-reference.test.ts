import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTemplateSchema } from "./published-schema.ts";
import { readTemplate } from "./read-template.ts";

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "docs/reference/templates.md"), "utf8");

type Schema = {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | false;
  readonly anyOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly default?: string | number;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly definitions?: Readonly<Record<string, Schema>>;
};
type Key = { readonly path: string; readonly schema: Schema; readonly isRequired: boolean };

const published = makeTemplateSchema() as Schema;

/** Every key, with what stands for any name as a star. Services have their own list. */
function keysIn(schema: Schema, prefix: string): Key[] {
  const named = Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const path = `${prefix}${key}`;
    const isRequired = schema.required?.includes(key) === true;
    return [{ path, schema: inner, isRequired }, ...keysIn(inner, `${path}.`)];
  });
  const any = schema.additionalProperties;
  const unnamed = typeof any === "object" && any.$ref === undefined ? keysIn(any, `${prefix}*.`) : [];
  return [...named, ...unnamed, ...(schema.anyOf ?? []).flatMap((form) => keysIn(form, prefix))];
}

const sections = [
  { title: "## At the top", keys: keysIn(published, "") },
  { title: "## A service", keys: keysIn(published.definitions?.["templateService"] ?? {}, "") },
];

/** The rows of the table below a title: key, what it says, default, limits. */
function rowsBelow(title: string): Map<string, readonly string[]> {
  const section = page.split(`${title}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = [...section.matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)];
  return new Map(rows.map(([, key = "", rest = ""]) => [key, rest.split("|").map((cell) => cell.trim())]));
}

describe.each(sections)("the reference, $title", ({ title, keys }) => {
  const rows = rowsBelow(title);

  test("has every key, and no other", () => {
    expect(keys.length).toBeGreaterThan(5);
    expect([...rows.keys()]).toEqual(keys.map(({ path }) => path));
  });

  test.each(keys)("$path has its default and its limits", ({ path, schema, isRequired }) => {
    const [, fallback = "", bounds = ""] = rows.get(path) ?? [];
    const byDefault = schema.default === undefined ? /^[^`]*$/ : new RegExp(`^\`${schema.default}\`$`);
    expect(fallback).toMatch(isRequired ? /^must be there$/ : byDefault);
    expect(bounds).toContain(boundsOf(schema));
  });
});

function boundsOf({ description = "", minimum, maximum, maxItems, maxLength }: Schema): string {
  const [, range] = /\. From (.*)\.$/.exec(description) ?? [];
  if (range !== undefined) return `from ${range}`;
  if (minimum !== undefined) return `${minimum} to ${maximum}`;
  if (maxItems !== undefined) return `at most ${maxItems}`;
  // Paths have a bound that nobody meets.
  return maxLength === undefined || maxLength >= 4096 ? "" : `at most ${maxLength} characters`;
}

test("[AG3] the example of the reference is a template, without a warning", () => {
  const example = /```yaml\n(template:[^]*?)```/.exec(page)?.[1] ?? "";
  const read = readTemplate(example, { file: "templates.md" });
  expect(read).toMatchObject({ ok: true, warnings: [] });
});

describe("the published schema", () => {
  test("[AG9] is the one in the repository", async () => {
    const text = `${JSON.stringify(makeTemplateSchema(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(join(root, "schemas/template.schema.json"));
  });

  test("[AG9] says what each key is for", () => {
    const all = sections.flatMap(({ keys }) => keys);
    const silent = all.filter(({ schema }) => schema.description === undefined).map(({ path }) => path);
    expect(silent).toEqual([]);
  });
});
