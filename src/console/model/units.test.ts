import { expect, test } from "vitest";
import { doUnitsTouch, splitUnit, toShortUnit } from "./units.ts";

test("a unit is a kind, a folder and a name", () => {
  expect(splitUnit("file:src/a/app.ts")).toEqual({ kind: "file", folder: "src/a/", name: "app.ts" });
  expect(splitUnit("dir:src/auth")).toEqual({ kind: "dir", folder: "src/", name: "auth/" });
  expect(splitUnit("process:test")).toEqual({ kind: "process", folder: "", name: "test" });
  expect(splitUnit("file:a:b.ts")).toEqual({ kind: "file", folder: "", name: "a:b.ts" });
  expect(toShortUnit("file:src/app.ts")).toBe("app.ts");
});

test.each([
  ["file:a.ts", "file:a.ts", true],
  ["file:src/a.ts", "dir:src", true],
  ["dir:src", "file:src/a.ts", true],
  ["dir:src", "dir:src/a", true],
  ["dir:src", "file:srcs.ts", false],
  ["dir:.", "file:a.ts", true],
  ["file:src/a.ts", "dir:", true],
  ["process:test", "process:test", true],
  ["process:test", "process:build", false],
  ["process:src", "dir:src", false],
])("%s and %s touch: %s", (a, b, touch) => {
  expect(doUnitsTouch(a, b)).toBe(touch);
});
