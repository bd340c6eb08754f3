import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IgnoreRules } from "../../src/base/ignore-rules.ts";
import { search } from "../support/search.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sb-ignore-"));
  execFileSync("git", ["init", "-q", folder]);
  for (const name of ["a", "a/b", "a/b/c", "src", "x y"]) mkdirSync(join(folder, name), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const paths = [
  "a",
  "a/b",
  "a/b/c",
  "a/x.log",
  "a/b/x.log",
  "x.log",
  "src/a",
  "src/x.ts",
  "x y/z ",
  "a/b/c/d",
  "#x",
  "!x",
  "b",
  "-",
  "x-y",
  "a/x-y.log",
];
const folders = new Set(["a", "a/b", "a/b/c", "src", "x y"]);

function ours(root: string, inner: string): string[] {
  const rules = new Map([["", IgnoreRules.forRoot(root)]]);
  const rulesOf = (at: string): IgnoreRules => {
    const known = rules.get(at);
    if (known !== undefined) return known;
    const cut = at.lastIndexOf("/");
    const made = rulesOf(cut < 0 ? "" : at.slice(0, cut)).within(at.slice(cut + 1), at === "a" ? inner : "");
    rules.set(at, made);
    return made;
  };
  return paths.filter((path) => {
    const names = path.split("/");
    return names.some((name, at) => {
      const here = names.slice(0, at + 1).join("/");
      return rulesOf(names.slice(0, at).join("/")).ignores(name, folders.has(here));
    });
  });
}

function gits(root: string, inner: string): string[] {
  writeFileSync(join(folder, ".gitignore"), root);
  writeFileSync(join(folder, "a/.gitignore"), inner);
  const { stdout } = spawnSync("git", ["-C", folder, "check-ignore", "--no-index", "-z", "--stdin"], {
    input: paths.join("\0"),
    encoding: "utf8",
  });
  return stdout.split("\0").filter((path) => path !== "");
}

describe("rules of what is left out are git's", () => {
  test.each([
    ["*.log"],
    ["/*.log"],
    ["a/"],
    ["b/"],
    ["a/b"],
    ["/b"],
    ["**/b"],
    ["a/**"],
    ["a/**/d"],
    ["**/c/d"],
    ["*\n!src"],
    ["*.log\n!x.log"],
    ["a/*\n!a/b"],
    ["[ab]"],
    ["[!ab]"],
    ["[a-c]"],
    ["\\#x\n\\!x"],
    ["#x"],
    ["z\\ "],
    ["z "],
    ["?"],
    ["x.l?g"],
    ["x.[[:alpha:]]og"],
    ["a**"],
    ["**"],
    ["/**"],
    ["src/*.ts\r"],
    ["x-*"],
    ["/x-y"],
    ["*-y.log"],
    ["x\\-y"],
    ["[a\\-c]"],
    ["[-x]"],
    ["x[a-]y"],
    ["[]a]"],
    ["[!]a]"],
    ["[z-a]"],
    ["[z-ab]"],
    ["[a-\\c]"],
    ["[\\a-c]"],
    ["[a-c-x]"],
    ["[[:lower:]]"],
    ["[![:lower:]]"],
    ["[[:lower:]-z]"],
    ["[[:punct:]]x"],
    ["[[:graph:]][[:print:]]*"],
    ["?[[:space:]]y"],
    ["[[:none:]]"],
    ["[[:lower]"],
    ["[[:]"],
    ["[ab"],
    ["[a\\"],
    ["a\\"],
    ["a\\/b"],
    ["a/[b/]"],
    ["\\a/\\b"],
    ["***"],
    ["a/***/d"],
    ["**/**/d"],
    ["a/**\\/d"],
    ["a/**\\/b"],
    ["a//b"],
    ["//a"],
    ["**//"],
    ["z\\  "],
    ["a\\\\ "],
  ])("%j", (text) => {
    expect(ours(text, "")).toEqual(gits(text, ""));
    expect(ours("", text)).toEqual(gits("", text));
  });

  test("whatever the rules", () => {
    const more = ["\\", " ", "[", "]", "[!a]", "[^b-x]", "[[:alpha:]]", "\\b"];
    const piece = fc.constantFrom(
      "a",
      "b",
      "c",
      "*",
      "**",
      "/",
      "?",
      "x",
      ".log",
      "!",
      "[ab]",
      "src",
      "-",
      "[a-]",
      ...more,
    );
    const line = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));
    // Git compares what stands before the first wildcard by itself, and takes what is left for a rule of its own: its `x**/y`
    // matches `xy`. Nobody writes that, and we do not follow it there.
    const isPlain = (rule: string): boolean => !/[^/!]\*\*/.test(rule);
    const text = fc.array(line.filter(isPlain), { maxLength: 3 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (root, inner) => {
        expect(ours(root, inner)).toEqual(gits(root, inner));
      }),
      search(150),
    );
  });
});
