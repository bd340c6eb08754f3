import { describe, expect, test } from "vitest";
import { exact, file, folding, lines, mergeBlobs } from "../../../test/support/landing-entries.ts";
import { resolveConflict, resolveTypeConflict } from "./conflict.ts";
import type { Entry } from "./entry.ts";
import type { NameRule } from "./kin.ts";
import { type Cover, planRefresh, type RefreshStep, settleMerge } from "./refresh.ts";
import { planSetAside } from "./set-aside.ts";

const [one, two, three] = [file(lines("1")), file(lines("2")), file(lines("3"))];

describe("a clean path", () => {
  test("[LD8] gets mainline's entry as work and base", () => {
    expect(refresh({ a: [one, one, two, "new"] })).toEqual([place("a", two)]);
    expect(refresh({ a: [one, one, null, "new"] })).toEqual([place("a", null)]);
    expect(refresh({ a: [null, null, one, "held"] })).toEqual([place("a", one)]);
    expect(refresh({ a: [one, one, one, "new"] })).toEqual([leave("a")]);
  });

  test("[LD7] moves along although nobody asked for it, unless the policy says otherwise", () => {
    expect(refresh({ a: [one, one, two, "none"], b: [one, one, two, "new"] })).toEqual([
      place("a", two),
      place("b", two),
    ]);
    expect(refresh({ a: [one, one, two, "none"], b: [one, one, two, "new"] }, { cleanToo: false })).toEqual([
      leave("a"),
      place("b", two),
    ]);
  });
});

describe("a dirty path", () => {
  test("[LD7] already held is not touched: src/a was edited, then dir:src is claimed", () => {
    const steps = refresh({ "src/a": [one, two, three, "held"], "src/b": [one, one, two, "new"] });
    expect(steps).toEqual([leave("src/a"), place("src/b", two)]);
  });

  test("[LD7] already held is not touched either when its kin come to be covered", () => {
    // The run made a file of folder a; mainline changed a/x meanwhile; a/y was a by-product and is covered only now.
    const steps = refresh({
      a: [null, two, null, "held"],
      "a/x": [one, null, three, "held"],
      "a/y": [one, null, one, "new"],
    });
    expect(steps).toEqual([leave("a"), leave("a/x"), leave("a/y")]);
  });

  test("[LD9] whose base is still mainline's needs nothing", () => {
    expect(refresh({ a: [one, two, one, "new"] })).toEqual([leave("a")]);
  });

  test("[LD9] is merged when it becomes covered: never overwritten, never re-based in place", () => {
    const [base, work, mainline] = [file(lines("abc")), file(lines("Abc")), file(lines("abC"))];
    const [step] = refresh({ a: [base, work, mainline, "new"] });
    expect(step).toMatchObject({
      kind: "merge",
      blobs: { base: lines("abc"), ours: lines("Abc"), theirs: lines("abC") },
    });
    expect(settle(step)).toEqual({
      kind: "place",
      path: "a",
      work: file(lines("AbC")),
      base: mainline,
      isMerged: true,
    });
  });

  test("[LD9] a formatter that rewrote a stale file does not take back what landed meanwhile", () => {
    const step = settle(refresh({ a: [file("a;b\n"), file("a; b\n"), file("a;b;c\n"), "new"] })[0]);
    expect(step).toMatchObject({ kind: "conflict", conflict: { theirs: file("a;b;c\n"), why: "touching" } });
  });

  test("[LD9] that mainline came to by itself is clean afterwards", () => {
    expect(refresh({ a: [one, two, two, "new"] })).toEqual([place("a", two)]);
    expect(refresh({ a: [one, null, null, "new"] })).toEqual([place("a", null)]);
  });

  test("[LD9] that nobody covers is left alone", () => {
    expect(refresh({ a: [one, two, three, "none"] })).toEqual([leave("a")]);
  });

  test("[LD9] S2 lost lease: A's edit on base 1 meets B's landing 2 and both stay", () => {
    const [base, work, landed] = [file(lines("xyz")), file(lines("xyzA")), file(lines("Bxyz"))];
    expect(settle(refresh({ p: [base, work, landed, "new"] })[0])).toMatchObject({
      work: file(lines("BxyzA")),
      base: landed,
    });
  });

  test("[LD31] a conflict shows base and both sides; its resolution stands on the side shown", () => {
    const [step] = refresh({ a: [one, two, null, "new"] });
    expect(step).toMatchObject({ kind: "conflict", conflict: { base: one, ours: two, theirs: null, why: "removed" } });
    if (step?.kind !== "conflict") return;
    const workspace = [{ path: "a", base: one, work: two }];
    const resolved = { path: "a", base: null, work: three };
    expect(resolveConflict(step.conflict, three, { workspace, rule: exact })).toEqual([resolved]);
    // Mainline moves again before the answer: the second edit is met, not overwritten.
    expect(refresh({ a: [resolved.base, resolved.work, two, "new"] })[0]).toMatchObject({ kind: "conflict" });
    // And if it did not, there is nothing left to conflict.
    expect(refresh({ a: [resolved.base, resolved.work, null, "new"] })).toEqual([leave("a")]);
  });
});

describe("kin", () => {
  test("[LD10] are refreshed along: mainline turned a into a folder", () => {
    expect(refresh({ a: [one, one, null, "none"], "a/x": [null, null, two, "new"] }, { cleanToo: false })).toEqual([
      place("a", null),
      place("a/x", two),
    ]);
  });

  test("[LD10] transitively: taking file a along displaces the stale sibling", () => {
    const steps = refresh(
      { a: [null, null, one, "none"], "a/x": [two, two, null, "new"], "a/y": [three, three, null, "none"] },
      { cleanToo: false },
    );
    expect(steps).toEqual([place("a", one), place("a/x", null), place("a/y", null)]);
  });

  test("[LD11] a dirty path in the way gives every covered path of the group a type conflict, clean ones too", () => {
    const steps = refresh({
      a: [null, null, one, "none"],
      "a/x": [two, two, null, "new"],
      "a/y": [null, three, null, "none"],
      b: [one, one, two, "new"],
    });
    expect(steps).toEqual([
      leave("a"),
      {
        kind: "type-conflict",
        path: "a/x",
        entries: { base: two, ours: two, theirs: null },
        group: ["a", "a/x", "a/y"],
        inTheWay: ["a/y"],
      },
      leave("a/y"),
      place("b", two),
    ]);
  });

  test("[LD11] the same without any clean path moving along", () => {
    const steps = refresh({ a: [one, two, null, "held"], "a/x": [null, null, three, "new"] }, { cleanToo: false });
    expect(steps.map(({ kind }) => kind)).toEqual(["type-conflict", "type-conflict"]);
  });

  test("[LD11] what the run itself turned into a folder is not in its way", () => {
    expect(refresh({ a: [one, null, one, "held"], "a/x": [null, two, null, "new"] })).toEqual([
      leave("a"),
      leave("a/x"),
    ]);
    // Mainline changed the file that the run removed: that is a question about the file, not about names.
    expect(refresh({ a: [one, null, three, "new"], "a/x": [null, two, null, "new"] })).toMatchObject([
      { kind: "conflict", conflict: { why: "removed" } },
      { kind: "leave" },
    ]);
  });

  test("[LD11] another spelling of a name is in the way where case folds", () => {
    const paths = { README: [null, one, null, "held"], Readme: [null, null, two, "new"] } as const;
    expect(refresh(paths, { rule: folding }).map(({ kind }) => kind)).toEqual(["type-conflict", "type-conflict"]);
    expect(refresh(paths)).toEqual([leave("README"), place("Readme", two)]);
  });

  test("[LD31] a type conflict is resolved for the whole group, or by setting its dirty paths aside", () => {
    const group = [
      { path: "a", theirs: one },
      { path: "a/x", theirs: null },
    ];
    const works = (a: Entry, x: Entry): Map<string, Entry> =>
      new Map([
        ["a", a],
        ["a/x", x],
      ]);
    expect(resolveTypeConflict(group, works(null, two), exact)).toEqual({
      ok: true,
      value: [
        { path: "a", base: one, work: null },
        { path: "a/x", base: null, work: two },
      ],
    });
    expect(resolveTypeConflict(group, works(one, two), exact)).toMatchObject({
      ok: false,
      refusal: { code: "type-conflict", clashes: [{ fresh: "a/x", other: "a" }] },
    });
    expect(() => resolveTypeConflict(group, new Map(), exact)).toThrow("whole group");
    const [aside] = planSetAside(["a/x"], [{ path: "a/x", base: null, work: two }], exact);
    expect(aside).toEqual({ path: "a/x", base: null, work: null, trash: two });
    expect(refresh({ a: [null, null, one, "new"], "a/x": [null, null, null, "new"] })).toEqual([place("a", one)]);
  });
});

describe("setting aside", () => {
  test("[LD16] brings the base back, with the displaced kin, and no more than that", () => {
    const workspace = [
      { path: "a", base: one, work: null },
      { path: "a/x", base: null, work: two },
      { path: "a/y", base: null, work: three },
      { path: "b", base: one, work: two },
      { path: "c", base: one, work: one },
    ];
    const names = (...paths: string[]): string[] => planSetAside(paths, workspace, exact).map(({ path }) => path);
    expect(names("a")).toEqual(["a", "a/x", "a/y"]);
    expect(names("a/x")).toEqual(["a/x"]);
    expect(names("b", "c", "nowhere")).toEqual(["b"]);
  });

  test("[LD16] what is removed here and on mainline keeps no old base beside what came in its place", () => {
    // The run removed file a, and mainline made a folder of it. Setting a aside later must not put the file back.
    expect(refresh({ a: [one, null, null, "held"], "a/x": [null, null, two, "none"] })).toEqual([
      place("a", null),
      place("a/x", two),
    ]);
  });

  test("[LD16] a path that is still leased is refreshed before the next write starts from it", () => {
    const aside = { base: one, work: one };
    expect(refresh({ a: [aside.base, aside.work, two, "new"] })).toEqual([place("a", two)]);
  });
});

type Paths = Readonly<Record<string, readonly [base: Entry, work: Entry, mainline: Entry, cover: Cover]>>;

function refresh(
  paths: Paths,
  { cleanToo = true, rule = exact }: { cleanToo?: boolean; rule?: NameRule } = {},
): RefreshStep[] {
  return planRefresh({
    paths: Object.entries(paths).map(([path, [base, work, mainline, cover]]) => ({
      path,
      base,
      work,
      mainline,
      cover,
    })),
    rule,
    cleanToo,
  });
}

function settle(step: RefreshStep | undefined): RefreshStep | undefined {
  return step?.kind === "merge" ? settleMerge(step, mergeBlobs(step.blobs)) : step;
}

function place(path: string, entry: Entry): RefreshStep {
  return { kind: "place", path, work: entry, base: entry, isMerged: false };
}

function leave(path: string): RefreshStep {
  return { kind: "leave", path };
}
