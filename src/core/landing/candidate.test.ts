import { describe, expect, test } from "vitest";
import { answer, exact, file, folding, lines } from "../../../test/support/landing-entries.ts";
import { afterLanding, type CandidateRefused, findTreeClashes, planCandidate, settleCandidate } from "./candidate.ts";
import type { Approval } from "./change-set.ts";
import type { Entry } from "./entry.ts";
import type { NameRule } from "./kin.ts";
import type { WorkspacePath } from "./workspace-path.ts";
import type { Result } from "../../base/result.ts";

const [one, two, three] = [file(lines("1")), file(lines("2")), file(lines("3"))];

describe("the candidate", () => {
  test("[LD27] takes what was approved where mainline is at the base", () => {
    const approvals = [yes("a", one, two), yes("b", one, null), yes("c", null, one)];
    const plan = planCandidate(approvals, at({ a: one, b: one }));
    expect(plan).toEqual({
      replace: new Map<string, Entry>([
        ["a", two],
        ["b", null],
        ["c", one],
      ]),
      already: [],
      merges: [],
      conflicts: [],
      moved: [],
    });
  });

  test("[LD27] knows what is there already", () => {
    expect(planCandidate([yes("a", one, two), yes("b", one, null)], at({ a: two }))).toMatchObject({
      replace: new Map(),
      already: ["a", "b"],
    });
  });

  test("[LD27] merges with newer work where that can be had", () => {
    const mainline = { a: file(lines("abC")) };
    expect(land([yes("a", file(lines("abc")), file(lines("Abc")))], mainline)).toEqual({
      ok: true,
      value: new Map([["a", file(lines("AbC"))]]),
    });
  });

  test("[LD29] any conflict returns the whole landing, and all of them are named", () => {
    const approvals = [yes("fine", null, one), yes("a", one, two), yes("gone", one, two)];
    expect(land(approvals, { a: three })).toEqual({
      ok: false,
      refusal: {
        code: "conflict",
        conflicts: [
          { path: "gone", base: one, ours: two, theirs: null, why: "removed" },
          { path: "a", base: one, ours: two, theirs: three, why: "touching" },
        ],
        clashes: [],
      },
    });
  });

  test("[LD28] is a tree: a person made file a while a run made a/x, and every blob matched its base", () => {
    expect(land([yes("a/x", null, one)], { a: two })).toMatchObject({
      ok: false,
      refusal: { conflicts: [], clashes: [{ kind: "file-and-folder", fresh: "a/x", other: "a" }] },
    });
    expect(land([yes("a", null, one)], { "a/x": two })).toMatchObject({ ok: false });
    expect(land([yes("a", null, one), yes("a/x", two, null)], { "a/x": two })).toMatchObject({ ok: true });
  });

  test("[LD28] has no two names with one key", () => {
    expect(land([yes("Readme", null, one)], { README: two }, folding)).toMatchObject({
      ok: false,
      refusal: { clashes: [{ kind: "same-key", fresh: "Readme", other: "README" }] },
    });
    expect(land([yes("Readme", null, one)], { README: two })).toMatchObject({ ok: true });
    // A rename to another spelling is both ends at once.
    expect(land([yes("Readme", null, one), yes("README", one, null)], { README: one }, folding)).toMatchObject({
      ok: true,
    });
    // A pair that mainline has already is not made by this landing.
    expect(land([yes("a", one, two)], { a: one, A: three }, folding)).toMatchObject({ ok: true });
    expect(findTreeClashes(new Map([["a", null]]), { paths: new Set(["a", "A"]), rule: folding })).toEqual([]);
  });

  test("every merge has to be answered", () => {
    const plan = planCandidate([yes("a", one, two)], at({ a: three }));
    expect(() => settleCandidate(plan, new Map(), { paths: new Set(), rule: exact })).toThrow("is answered");
  });
});

describe("stories", () => {
  test("[LD32] S4 by hunk: mainline Abc, base Abc, work AbC; then C lands exactly", () => {
    const first = yes("p", file(lines("abc")), file(lines("Abc")));
    const tree = applied({ p: first.base }, land([first], { p: first.base }));
    expect(tree).toEqual({ p: file(lines("Abc")) });
    const rest = own(first, file(lines("AbC")));
    expect(rest).toEqual({ path: "p", base: file(lines("Abc")), work: file(lines("AbC")) });
    const plan = planCandidate([yes("p", rest.base, rest.work)], at(tree));
    expect(plan).toMatchObject({ moved: [], replace: new Map([["p", rest.work]]) });
  });

  test("[LD32] a landed change does not land again: its path is clean", () => {
    const approval = yes("p", one, two);
    expect(own(approval, two)).toEqual({ path: "p", base: two, work: two });
  });

  test("[LD32] after a merged landing the rest is still what the run did, not a removal of newer work", () => {
    const first = yes("p", file(lines("abcdefg")), file(lines("Abcdefg")));
    const newer = { p: file(lines("abcDefg")) };
    const tree = applied(newer, land([first], newer));
    expect(tree).toEqual({ p: file(lines("AbcDefg")) });
    const rest = own(first, file(lines("AbcdefG")));
    expect(applied(tree, land([yes("p", rest.base, rest.work)], tree))).toEqual({ p: file(lines("AbcDefG")) });
    // Had the base become what landed, D would be gone without anyone having seen it.
    expect(applied(tree, land([yes("p", tree["p"] ?? null, rest.work)], tree))).toEqual({ p: file(lines("AbcdefG")) });
  });

  test("[LD16] a base that cannot stand beside what landed falls: it could never come back", () => {
    // The run removed file a, lost that lease, and a person removed a too; a/x lands alone.
    const workspace = [
      { path: "a", base: one, work: null },
      { path: "a/x", base: null, work: two },
      { path: "b", base: one, work: three },
    ];
    expect(land([yes("a/x", null, two)], { b: one })).toMatchObject({ ok: true });
    expect(afterLanding([yes("a/x", null, two)], { workspace, rule: exact })).toEqual([
      { path: "a/x", base: two, work: two },
      { path: "a", base: null, work: null },
    ]);
    const impossible = [{ path: "a", base: one, work: one }];
    expect(() => afterLanding([yes("a/x", null, two)], { workspace: impossible, rule: exact })).toThrow("still there");
  });

  test("[LD24] [LD28] S5 file becomes folder: {a, a/x} lands as one", () => {
    const result = land([yes("a", one, null), yes("a/x", null, two)], { a: one });
    expect(applied({ a: one }, result)).toEqual({ "a/x": two });
    expect(land([yes("a/x", null, two)], { a: one })).toMatchObject({ ok: false });
  });

  test("[LD32] [LD42] S6 hand edit in the gap: the same approvals are computed again on the new head", () => {
    const approvals = [yes("p", file(lines("abc")), file(lines("Abc")))];
    const before = land(approvals, { p: file(lines("abc")) });
    expect(before).toEqual({ ok: true, value: new Map([["p", file(lines("Abc"))]]) });
    const pushed = { p: file(lines("abcd")), q: one };
    expect(applied(pushed, land(approvals, pushed))).toEqual({ p: file(lines("Abcd")), q: one });
  });
});

/** The landed path itself, afterwards. */
function own(approval: Approval, work: Entry): WorkspacePath {
  const { path, base } = approval;
  const [landed, ...others] = afterLanding([approval], { workspace: [{ path, base, work }], rule: exact });
  if (landed === undefined || others.length > 0) throw new Error("only this path changes");
  return landed;
}

type Tree = Readonly<Record<string, Entry>>;

function yes(path: string, base: Entry, approved: Entry): Approval {
  return { path, base, approved };
}

function at(tree: Tree): (path: string) => Entry {
  return (path) => tree[path] ?? null;
}

function land(
  approvals: readonly Approval[],
  tree: Tree,
  rule: NameRule = exact,
): Result<ReadonlyMap<string, Entry>, CandidateRefused> {
  const plan = planCandidate(approvals, at(tree));
  return settleCandidate(plan, answer(plan.merges), { paths: new Set(Object.keys(tree)), rule });
}

function applied(tree: Tree, result: ReturnType<typeof land>): Tree {
  if (!result.ok) return tree;
  return Object.fromEntries(
    Object.entries({ ...tree, ...Object.fromEntries(result.value) }).filter(([, entry]) => entry !== null),
  );
}
