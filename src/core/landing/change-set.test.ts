import { describe, expect, test } from "vitest";
import { exact, file, lines } from "../../../test/support/landing-entries.ts";
import { type Approval, approve, type ChangeSet, changeSetOf, standingApprovals } from "./change-set.ts";
import type { Entry } from "./entry.ts";
import { applyHunks, hunksOf } from "./hunks.ts";
import type { Move } from "./kin.ts";
import { isDirty, type WorkspacePath } from "./workspace-path.ts";

const [one, two, three] = [file(lines("1")), file(lines("2")), file(lines("3"))];

describe("the change set", () => {
  test("[LD4] a path is dirty by content: what was deleted and made again with the same bytes did not change", () => {
    expect(isDirty({ base: one, work: file(lines("1")) })).toBe(false);
    expect(isDirty({ base: null, work: null })).toBe(false);
    expect(isDirty({ base: one, work: null })).toBe(true);
  });

  test("[LD19] is what is dirty and covered, against its own base; others' newer work is no deletion", () => {
    const changes = changeSetOf({
      paths: [change("b", one, two), change("a", null, one), change("clean", one, one), change("carried", one, two)],
      isCovered: (path) => path !== "carried",
      isLeftOut: () => false,
      rule: exact,
      moves: [],
    });
    expect(changes).toEqual({ changes: [change("a", null, one), change("b", one, two)], groups: [["a"], ["b"]] });
  });

  test("[LD17] leaves out what is derived or scratch", () => {
    const paths = [change("package-lock.json", one, two), change("a", one, two)];
    const isLeftOut = ({ path }: WorkspacePath): boolean => path.endsWith("lock.json");
    const { changes } = changeSetOf({ paths, isCovered: () => true, isLeftOut, rule: exact, moves: [] });
    expect(changes.map(({ path }) => path)).toEqual(["a"]);
  });
});

describe("approving", () => {
  test("[LD23] by file takes the work, by hunk the base with some hunks", () => {
    const [base, work] = [lines("abc"), lines("AbC")];
    const set = setOf([change("a", file(base), file(work)), change("b", one, two)]);
    const some = file(applyHunks(base, hunksOf({ base, work }), new Set(["1"])));
    expect(approve(set, [yes("b", one, two), yes("a", file(base), some)])).toEqual({
      ok: true,
      value: [yes("a", file(base), file(lines("Abc"))), yes("b", one, two)],
    });
    // No hunk at all is no approval.
    expect(approve(set, [yes("a", file(base), file(base))])).toEqual({ ok: true, value: [] });
  });

  test("[LD24] a group is approved whole or not at all: a/x without the removal of file a has no tree", () => {
    const set = setOf([change("a", one, null), change("a/x", null, two), change("b", one, two)]);
    expect(set.groups).toEqual([["a", "a/x"], ["b"]]);
    expect(approve(set, [yes("a/x", null, two), yes("b", one, two)])).toEqual({
      ok: false,
      refusal: { code: "incomplete", missing: ["a"] },
    });
    expect(approve(set, [yes("b", one, two)])).toMatchObject({ ok: true });
    expect(approve(set, [yes("a", one, null), yes("a/x", null, two)])).toMatchObject({ ok: true });
  });

  test("[LD24] a move is approved with both ends, unless somebody splits it in words", () => {
    const moved = [change("from", file(lines("ab")), null), change("to", file(lines("x")), file(lines("abc")))];
    const set = setOf(moved, [{ from: "from", to: "to" }]);
    const to = yes("to", file(lines("x")), file(lines("abc")));
    expect(approve(set, [to])).toEqual({ ok: false, refusal: { code: "incomplete", missing: ["from"] } });
    expect(approve(set, [yes("from", file(lines("ab")), null), { ...to, approved: file(lines("a")) }])).toEqual({
      ok: false,
      refusal: { code: "incomplete", missing: ["to"] },
    });
    expect(approve(setOf(moved), [to])).toMatchObject({ ok: true });
  });

  test("[LD22] binds the base that was shown", () => {
    const set = setOf([change("a", one, two)]);
    expect(approve(set, [yes("a", three, two), yes("gone", one, two)])).toEqual({
      ok: false,
      refusal: { code: "changed", paths: ["a", "gone"] },
    });
  });
});

describe("an approval", () => {
  const approvals = [yes("a", one, two), yes("b", one, two)];
  const fine = { isReturned: false, isCovered: true, base: one };

  test("[LD22] stands while nothing happened to its path", () => {
    expect(standingApprovals(approvals, [["a"], ["b"]], () => fine)).toEqual({
      standing: approvals,
      voided: new Map(),
    });
  });

  test.each([
    ["returned", { ...fine, isReturned: true }],
    ["yielded", { ...fine, isCovered: false }],
    ["base-moved", { ...fine, base: three }],
  ] as const)("[LD22] is void when its path was %s, and only there", (why, standing) => {
    const { standing: left, voided } = standingApprovals(approvals, [["a"], ["b"]], (path) =>
      path === "a" ? standing : fine,
    );
    expect(left).toEqual([approvals[1]]);
    expect(voided).toEqual(new Map([["a", why]]));
  });

  test("[LD24] takes its group with it", () => {
    const { standing, voided } = standingApprovals(approvals, [["a", "b"]], (path) =>
      path === "a" ? { ...fine, base: null } : fine,
    );
    expect(standing).toEqual([]);
    expect(voided).toEqual(
      new Map([
        ["a", "base-moved"],
        ["b", "group"],
      ]),
    );
  });

  test("[LD22] S3 yielded hold: p yields, q lands", () => {
    const held = [yes("p", one, two), yes("q", one, two)];
    const { standing } = standingApprovals(held, [["p"], ["q"]], (path) => ({ ...fine, isCovered: path === "q" }));
    expect(standing).toEqual([yes("q", one, two)]);
  });
});

function change(path: string, base: Entry, work: Entry): WorkspacePath {
  return { path, base, work };
}

function yes(path: string, base: Entry, approved: Entry): Approval {
  return { path, base, approved };
}

function setOf(paths: readonly WorkspacePath[], moves: readonly Move[] = []): ChangeSet {
  return changeSetOf({ paths, isCovered: () => true, isLeftOut: () => false, rule: exact, moves });
}
