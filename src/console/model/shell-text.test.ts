import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { toShell } from "./shell-text.ts";

test.each([
  ["r_1a", "r_1a"],
  ["it's two", String.raw`'it'\''s two'`],
  ["👩\u200d💻", "'👩\u200d💻'"],
  ["it's \u202efr\\mr\u001b\u{e0041}", String.raw`$'it\'s \u202efr\\mr\u001b\U000e0041'`],
])("%j is one word, and all of it can be read", (text, word) => {
  expect(toShell(text)).toBe(word);
  expect(
    execFileSync("bash", ["--norc", "-c", `printf %s ${word}`], { encoding: "utf8", env: { LC_ALL: "C.UTF-8" } }),
  ).toBe(text);
});
