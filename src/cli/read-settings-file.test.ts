import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { tryCli } from "./testing/try-cli.ts";

const folder = mkdtempSync(path.join(tmpdir(), "settings-"));
afterAll(() => rmSync(folder, { recursive: true }));

const levels = [
  "a: &a [x, x, x, x, x, x, x, x, x]",
  ..."bcdefg".split("").map((name, at) => levelOf(name, "abcdef"[at])),
];

function levelOf(name: string, below = ""): string {
  return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${below}`).join(", ")}]`;
}

test.each([
  ["names of names of names", levels.join("\n"), "aliases (*name) stand for more than is taken"],
  ["a field twice", "rules: {}\nrules: {}", 'the field "rules" is there twice'],
  ["no fields", "[1, 2]", "it has to be a mapping of names to values"],
])("a file of settings with %s is refused in a sentence, and nobody is asked", async (_, text, why) => {
  const file = path.join(folder, "policy.yaml");
  writeFileSync(file, text);
  const { exitCode, stderr, calls } = await tryCli(["policy", "set", "x", "--file", file]);
  expect(stderr).toContain(why);
  expect({ exitCode, calls }).toEqual({ exitCode: 2, calls: [] });
});
