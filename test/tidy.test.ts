import { describe, expect, test } from "vitest";
import { checkPurity } from "./support/check-purity.ts";
import {
  checkColours,
  checkFileNames,
  checkFileSize,
  checkLeftovers,
  checkMap,
  checkOpeningComments,
  checkTests,
} from "./support/check-tidy.ts";
import { type Finding, readSources, type SourceFile, toReport } from "./support/source-files.ts";

const everything = readSources(["src", "sim", "bench", "test", "scripts"]);
const inFolder = (...folders: string[]): SourceFile[] =>
  everything.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)));

describe("our code", () => {
  test("base, core and ports are pure", () => {
    const files = inFolder("src/base", "src/core", "src/ports");
    expect(files.length, "there is code to look at").toBeGreaterThan(0);
    expect(toReport(checkPurity(files))).toBe("");
  });

  test("a file holds one idea", () => {
    expect(toReport(checkFileSize(everything))).toBe("");
  });

  test("files are kebab-case", () => {
    expect(toReport(checkFileNames(everything))).toBe("");
  });

  test("every folder is on the map in ARCHITECTURE.md", () => {
    const maps = readSources(["ARCHITECTURE.md"], /\.md$/);
    expect(maps, "there is a map to look at").toHaveLength(1);
    expect(toReport(maps.flatMap((map) => checkMap(map, inFolder("src"))))).toBe("");
  });

  test("nothing is left for later without an issue", () => {
    expect(toReport(checkLeftovers(everything))).toBe("");
  });

  test("every colour of the console has a name", () => {
    const sheets = readSources(["src/console"], /\.css$/).filter(({ path }) => !path.endsWith("/style/tokens.css"));
    expect(sheets.length, "there are sheets to look at").toBeGreaterThan(0);
    expect(toReport(checkColours(sheets))).toBe("");
  });

  test("a file in the core opens with a comment", () => {
    const files = inFolder("src/core");
    expect(files.length, "there is code to look at").toBeGreaterThan(0);
    expect(toReport(checkOpeningComments(files))).toBe("");
  });

  test("every test asserts something, and none is switched off", () => {
    expect(toReport(checkTests(everything))).toBe("");
  });
});

describe("the checkers themselves", () => {
  const messages = (findings: readonly Finding[]): string[] =>
    findings.map(({ line, message }) => `${line}: ${message}`);

  test.each([
    ["const now = Date.now();", "Date"],
    ["const now = new Date();", "Date"],
    ["function f(at: Date): void {}", "Date"],
    ["const n = Math.random();", "Math.random"],
    ["const n = Math\n  .random();", "Math"],
    ["export async function f() {}", "async"],
    ["const x = await y;", "await"],
    ["type X = Promise<number>;", "Promise"],
    ["names.sort((a, b) => a.localeCompare(b));", "localeCompare"],
    ["name.toLocaleLowerCase();", "toLocaleLowerCase"],
    ["new Intl.Collator();", "Intl"],
    ["setTimeout(f, 10);", "setTimeout"],
    ["const key = process.env.KEY;", "process"],
    ["console.log(1);", "console"],
    ["performance.now();", "performance"],
    ["crypto.randomUUID();", "crypto"],
    ["globalThis.x = 1;", "globalThis"],
    ['/// <reference types="node" />', "/// <reference>"],
    ["const text = `at ${Date.now()}`;", "Date"],
    ["const ratio = a / b; const now = Date.now() / 2;", "Date"],
  ])("purity finds %j", (text, name) => {
    expect(messages(checkPurity([{ path: "src/core/a.ts", text }]))).toEqual([
      expect.stringContaining(`1: core/ may not use \`${name}`),
    ]);
  });

  test("purity is not misled by words, properties and the other layers", () => {
    const text = [
      "// A Date, a Promise and Math.random() in a comment.",
      'const kind = "process.env Date";',
      "const unit = { process: 1, async: true };",
      "for (const process of processes) close(process.unit, process.fence);",
      "const value = unit.process.length + input.Date;",
      "const pattern = /Date.now()/;",
    ].join("\n");
    expect(checkPurity([{ path: "src/core/a.ts", text }])).toEqual([]);
    expect(checkPurity([{ path: "src/ports/a.ts", text: "export type X = Promise<number>;" }])).toEqual([]);
    expect(checkPurity([{ path: "src/ports/a.ts", text: "Date.now();" }])).toHaveLength(1);
    expect(checkPurity([{ path: "src/daemon/a.ts", text: "await Date.now();" }])).toEqual([]);
    expect(checkPurity([{ path: "src/core/a.test.ts", text: "await Date.now();" }])).toEqual([]);
  });

  test("size counts lines", () => {
    expect(checkFileSize([{ path: "src/a.ts", text: "x\n".repeat(500) }])).toEqual([]);
    expect(checkFileSize([{ path: "src/a.ts", text: "x\n".repeat(501) }])).toHaveLength(1);
  });

  test("a folder that is not on the map is found, once, and not for what lies deeper", () => {
    const map = { path: "ARCHITECTURE.md", text: "| `src/core` | decides |\n| `src/core/lease` | leases |\n" };
    const paths = [
      "src/core/a.ts",
      "src/core/lease/a.ts",
      "src/core/lease/stories/a.ts",
      "src/node/b.ts",
      "src/node/c.ts",
    ];
    const found = checkMap(
      map,
      [...paths, "src/core/run/a.ts"].map((path) => ({ path, text: "" })),
    );
    expect(found.map(({ message }) => message.split(" ")[0])).toEqual(["src/node", "src/core/run"]);
  });

  test.each(["src/core/leaseTable.ts", "src/core/Lease.ts", "src/Core/lease.ts", "src/core/lease_table.ts"])(
    "%s is not kebab-case",
    (path) => {
      expect(checkFileNames([{ path, text: "" }])).toHaveLength(1);
    },
  );

  test("kebab-case has suffixes", () => {
    expect(checkFileNames([{ path: "src/core/lease/claim-queue.prop.test.ts", text: "" }])).toEqual([]);
  });

  test.each([
    ".a { color: #fff; }",
    ".a {\n  background: linear-gradient(#12161a80, var(--panel));\n}",
    ".a { border: 1px solid rgb(0 0 0 / 20%) }",
    ".a { color: light-dark(var(--go), var(--you)); }",
    ".a { box-shadow: 0 0 2px black; }",
  ])("a colour without a name is found: %s", (text) => {
    expect(checkColours([{ path: "src/console/a.css", text }])).toHaveLength(1);
  });

  test.each([
    "/* #fff and red */ .a { white-space: pre; color: var(--ansi-red); }",
    "#add .a:hover { color: currentColor; background: color-mix(in oklab, var(--go) 12%, transparent); }",
    ".red:hover > .white { color: inherit; transition: color 90ms; }",
  ])("what is no colour is left alone: %s", (text) => {
    expect(checkColours([{ path: "src/console/a.css", text }])).toEqual([]);
  });

  test("leftovers are found in comments, and only as whole words", () => {
    const word = ["TO", "DO"].join("");
    expect(checkLeftovers([{ path: "src/a.ts", text: `// ${word}: later` }])).toHaveLength(1);
    expect(checkLeftovers([{ path: "src/a.ts", text: `const ${word}S = 1;` }])).toEqual([]);
  });

  test("the opening comment may have either form", () => {
    expect(checkOpeningComments([{ path: "src/core/a.ts", text: "export const a = 1;\n// late" }])).toHaveLength(1);
    expect(checkOpeningComments([{ path: "src/core/a.ts", text: "// Owns a.\nexport const a = 1;" }])).toEqual([]);
    expect(checkOpeningComments([{ path: "src/core/a.ts", text: "/** Owns a. */\nexport const a = 1;" }])).toEqual([]);
  });

  test.each([
    ['test("a", () => { f(); });', "asserts nothing"],
    ['test("a", () => { f("expect(1)"); }); // expect(1)', "asserts nothing"],
    ['test.each([1])("a %i", (n) => { f(n); });', "asserts nothing"],
    ['test.only("a", () => { expect(1).toBe(1); });', "only"],
    ['describe.skip("a", () => { test("b", () => { expect(1).toBe(1); }); });', "skip"],
    ['it.skip("a", () => { expect(1).toBe(1); });', "skip"],
    ["export const a = 1;", "without a test"],
  ])("a poor test is found: %s", (text, what) => {
    expect(messages(checkTests([{ path: "src/a.test.ts", text }]))).toEqual([expect.stringContaining(what)]);
  });

  test.each([
    'test("a", () => { expect(f()).toBe(1); });',
    'test("a", async () => { await expectGranted(claim); });',
    'test("a", () => { fc.assert(fc.property(fc.nat(), (n) => n >= 0)); });',
    'test.skipIf(!chromium)("a", { timeout: 5 }, () => { expect(1).toBe(1); });',
    'test.for([[1, "("]])("a", ([n]) => { expect(n).toBe(1); });',
    'describe("a", () => { test("b", () => { assert(pattern.test(text), "it matches"); }); });',
    'describeEventStore("memory", () => new MemoryStore());',
  ])("a good test is left alone: %s", (text) => {
    expect(checkTests([{ path: "src/a.test.ts", text }])).toEqual([]);
  });
});
