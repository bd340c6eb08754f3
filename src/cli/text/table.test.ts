import { expect, test } from "vitest";
import { type Column, toTable } from "./table.ts";
import { widthOf } from "./text-width.ts";

const columns: readonly Column[] = [
  { title: "RUN" },
  { title: "AGE", align: "right" },
  { title: "TITLE", cut: "end" },
  { title: "UNIT", cut: "middle" },
];

test("columns are aligned and lines have no spaces at the end", () => {
  const rows = [
    ["r_1", "12s", "one", "file:a"],
    ["r_10a", "3m20s", "another", ""],
  ];
  expect(toTable(columns, rows, { width: Infinity })).toEqual([
    "RUN      AGE  TITLE    UNIT",
    "r_1      12s  one      file:a",
    "r_10a  3m20s  another",
  ]);
});

test("where nobody looks at a screen nothing is cut, and one long cell does not move the lines of others", () => {
  const long = "x".repeat(200);
  const rows = [
    ["r_1", "12s", long, "file:a"],
    ["r_2", "3s", "short", "file:b"],
  ];
  const lines = toTable(columns, rows, { width: Infinity });
  expect(lines[1]).toBe(`r_1  12s  ${long}  file:a`);
  expect(lines[2]).toBe(`r_2   3s  ${"short".padEnd(60)}  file:b`);
});

test("a narrow terminal cuts what may be cut, the widest first", () => {
  const rows = [["r_1", "12s", "add rate limiting to the public endpoints", "file:src/server/middleware/limit.ts"]];
  const lines = toTable(columns, rows, { width: 50 });
  expect(lines[1]).toBe("r_1  12s  add rate limiting…   file:src/…/limit.ts");
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(50);
});

test("what may not be cut stays whole even when it does not fit", () => {
  expect(toTable(columns, [["r_1", "12s", "title", "file:a"]], { width: 5 })[1]).toContain("r_1  12s");
});

test("colours do not count as width", () => {
  const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;
  const lines = toTable([{ title: "A" }, { title: "B" }], [[{ text: "x", paint: red }, "y"]], { width: 80 });
  expect(lines[1]).toBe("\u001b[31mx\u001b[39m  y");
});
