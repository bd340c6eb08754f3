import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseScript } from "./script.ts";
import { stepSchemas } from "./script/step-schemas.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/reference/scripts.md"), "utf8");

test("the reference lists every step, and no other", () => {
  const listed = [...page.matchAll(/^\| `(\w+):/gm)].map((match) => match[1] ?? "");
  expect(listed.toSorted()).toEqual([...Object.keys(stepSchemas), "repeat"].toSorted());
});

test("the example of the reference is a script", () => {
  const example = /```yaml\n([^]*?)```/.exec(page)?.[1] ?? "";
  const parsed = parseScript(example);
  expect(parsed.ok ? parsed.value.steps.map((step) => step.do) : parsed.refusal).toEqual(["edit", "process", "say"]);
});
