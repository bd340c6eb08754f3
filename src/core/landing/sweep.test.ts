import { describe, expect, test } from "vitest";
import { exact, file, lines, mergeBlobs } from "../../../test/support/landing-entries.ts";
import type { Entry } from "./entry.ts";
import { planRefresh, settleMerge } from "./refresh.ts";
import { planSetAside } from "./set-aside.ts";
import { claimsMaxUsual, planSweep, type Sweep, type SweepOrder, whyLeftOut } from "./sweep.ts";
import type { WorkspacePath } from "./workspace-path.ts";

const [one, two] = [file("1"), file("2")];

describe("after a command", () => {
  test("[LD15] what is dirty and covered stays, what is dirty and not covered is tried", () => {
    const paths = [path("b", one, two), path("a", one, two), path("clean", one, one), path("c", null, one)];
    expect(sweep(paths, { isCovered: (name) => name === "a" })).toEqual({
      covered: ["a"],
      toTry: ["b", "c"],
      setAside: [],
      whySetAside: undefined,
      derived: [],
      scratch: [],
    });
  });

  test("[LD17] derived paths need no lease, and scratch goes nowhere, covered or not", () => {
    const paths = [
      path("package-lock.json", one, two),
      path("node_modules/x/y.js", null, one),
      path("dist/kept.js", one, two),
      path("gen/api.ts", null, one),
    ];
    const order = {
      derived: ["package-lock.json", "gen/"],
      isIgnored: (name: string): boolean => /^(node_modules|dist)\//.test(name),
    };
    for (const isCovered of [(): boolean => true, (): boolean => false]) {
      const found = sweep(paths, { ...order, isCovered });
      expect(found.derived).toEqual(["gen/api.ts", "package-lock.json"]);
      expect(found.scratch).toEqual(["node_modules/x/y.js"]);
      // What mainline has is tracked, whatever is ignored.
      expect([...found.covered, ...found.toTry]).toEqual(["dist/kept.js"]);
    }
    expect(whyLeftOut(path("src/a.ts", null, one), order)).toBeUndefined();
  });

  test("[LD15] names that no unit can have, and names that nobody may write, are never tried", () => {
    const paths = [
      path("a\nb", null, one),
      path(".git/hooks/pre-commit", null, one),
      path(".signalbox-r_1-0", null, one),
    ];
    expect(sweep(paths, { isCovered: () => true })).toMatchObject({
      covered: [],
      toTry: [],
      scratch: [".git/hooks/pre-commit", ".signalbox-r_1-0", "a\nb"],
    });
  });

  test("[LD15] one command may claim fifty paths; beyond that all are set aside", () => {
    const many = (count: number): WorkspacePath[] =>
      Array.from({ length: count }, (_, at) => path(`f${String(at).padStart(2, "0")}`, one, two));
    expect(claimsMaxUsual).toBe(50);
    expect(sweep(many(50)).toTry).toHaveLength(50);
    expect(sweep(many(51))).toMatchObject({ toTry: [], whySetAside: "too-many", setAside: { length: 51 } });
    expect(sweep(many(51), { isCovered: () => true })).toMatchObject({ covered: { length: 51 }, setAside: [] });
    expect(sweep(many(1), { byProducts: "set-aside" })).toMatchObject({
      toTry: [],
      whySetAside: "policy",
      setAside: ["f00"],
    });
    expect(sweep([], { byProducts: "set-aside" }).whySetAside).toBeUndefined();
  });

  test("[LD15] [LD9] S1 formatter: 40 files, 2 leased, 8 leased by another, 3 landed since; two merge, one conflicts", () => {
    const base = file(lines("abcde"));
    const formatted = file(lines("Abcde"));
    const paths = Array.from({ length: 40 }, (_, at) => path(`f${String(at).padStart(2, "0")}`, base, formatted));
    const found = sweep(paths, { isCovered: (name) => name < "f02" });
    expect([found.covered.length, found.toTry.length]).toEqual([2, 38]);
    const granted = found.toTry.filter((name) => name >= "f10");
    const refused = found.toTry.filter((name) => name < "f10");
    const landed: Readonly<Record<string, Entry>> = {
      f10: file(lines("abcdE")),
      f11: file(lines("abcde!")),
      f12: file(lines("Xbcde")),
    };
    const steps = planRefresh({
      paths: granted.map((name) => ({ ...path(name, base, formatted), mainline: landed[name] ?? base, cover: "new" })),
      rule: exact,
      cleanToo: true,
    }).map((step) => (step.kind === "merge" ? settleMerge(step, mergeBlobs(step.blobs)) : step));
    expect(steps.filter(({ kind }) => kind === "leave")).toHaveLength(27);
    expect(steps.filter(({ kind }) => kind !== "leave")).toMatchObject([
      { kind: "place", path: "f10", work: file(lines("AbcdE")), base: landed["f10"], isMerged: true },
      { kind: "place", path: "f11", work: file(lines("Abcde!")), isMerged: true },
      { kind: "conflict", path: "f12" },
    ]);
    const aside = planSetAside([...refused, "f12"], paths, exact);
    expect(aside.map((each) => each.path)).toEqual([...refused, "f12"]);
    expect(aside.every((each) => each.trash === formatted && each.work === base)).toBe(true);
  });
});

function path(name: string, base: Entry, work: Entry): WorkspacePath {
  return { path: name, base, work };
}

function sweep(paths: readonly WorkspacePath[], order: Partial<SweepOrder> = {}): Sweep {
  return planSweep({
    paths,
    isCovered: () => false,
    isIgnored: () => false,
    derived: [],
    byProducts: "try",
    claimsMax: claimsMaxUsual,
    ...order,
  });
}
