import fc from "fast-check";
import { expect, test } from "vitest";
import { answer, exact, file, folding, mergeBlobs } from "../../../test/support/landing-entries.ts";
import { search } from "../../../test/support/search.ts";
import { planCandidate, settleCandidate } from "./candidate.ts";
import { approve, changeSetOf } from "./change-set.ts";
import type { Entry } from "./entry.ts";
import { findClashes, groupPaths, pathKey } from "./kin.ts";
import { planRefresh, type RefreshPath, settleMerge } from "./refresh.ts";

const name = fc
  .array(fc.constantFrom("a", "A", "b", "é", "e\u0301"), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join("/"));
const names = fc.uniqueArray(name, { maxLength: 12 });
const rule = fc.constantFrom(exact, folding);
const content = fc.constantFrom("1\n2\n3\n", "one\n2\n3\n", "1\n2\nthree\n", "1\n2\n3\n4\n", "x\n");
const entry: fc.Arbitrary<Entry> = fc.option(content.map(file), { freq: 3 });

test("[LD5] groups are closed under kinship and hold nothing else", { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(names, rule, (paths, project) => {
      const groups = groupPaths(paths, project);
      expect(groups.flat().toSorted()).toEqual(paths.toSorted());
      const groupOf = new Map(groups.flatMap((group, at) => group.map((path) => [path, at])));
      for (const path of paths) {
        const kin = paths.filter((other) => areKin(path, other, project));
        for (const other of kin) expect(groupOf.get(path)).toBe(groupOf.get(other));
      }
      // Whoever is with others is kin to one of them.
      for (const group of groups.filter(({ length }) => length > 1)) {
        for (const path of group)
          expect(group.some((other) => other !== path && areKin(path, other, project))).toBe(true);
      }
    }),
    search(2_000),
  );
});

test("[LD28] clashes are exactly the pairs that no tree can have", { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(names, names, rule, (fresh, others, project) => {
      const clashes = findClashes(fresh, others, project);
      const found = new Set(clashes.flatMap(({ fresh: one, other }) => [`${one} ${other}`, `${other} ${one}`]));
      for (const one of fresh) {
        const rest = [...fresh, ...others].filter((other) => other !== one);
        for (const other of rest) expect(found.has(`${one} ${other}`)).toBe(areKin(one, other, project));
      }
      for (const clash of clashes) expect(areKin(clash.fresh, clash.other, project)).toBe(true);
    }),
    search(2_000),
  );
});

test(
  "[LD12] a refresh repeated gives the same result, and clean paths get mainline's entry",
  { timeout: 600_000 },
  () => {
    const path = fc.record({
      base: entry,
      work: entry,
      mainline: entry,
      cover: fc.constantFrom("none", "held", "new"),
    });
    const tree = fc.dictionary(fc.constantFrom("a", "a/x", "a/y", "b", "c"), path);
    fc.assert(
      fc.property(tree, fc.boolean(), (given, cleanToo) => {
        const paths = toTrees(Object.entries(given).map(([each, sides]) => ({ path: each, ...sides })));
        const after = refreshed(paths, cleanToo);
        for (const [at, { base, work, mainline, cover }] of paths.entries()) {
          const now = after[at]!;
          const isLeft = now.base === base && now.work === work;
          expect(isLeft || work === base || cover === "new" || work === mainline).toBe(true);
          // Either nothing happened to it, or it stands on mainline's entry.
          expect(isLeft || now.base === mainline).toBe(true);
        }
        expect(refreshed(after, cleanToo)).toEqual(after);
      }),
      search(2_000),
    );
  },
);

test("[LD24] [LD39] whole groups of an untouched change set land exactly, in any order", { timeout: 600_000 }, () => {
  const change = fc.record({ base: entry, work: entry });
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "a/x", "a/y", "b", "c"), change), fc.nat(), (given, order) => {
      const workspace = toTrees(
        Object.entries(given).map(([path, sides]) => ({
          path,
          ...sides,
          mainline: sides.base,
          cover: "held" as const,
        })),
      );
      const mainline = new Map(workspace.flatMap(({ path, base }) => (base === null ? [] : [[path, base]])));
      const set = changeSetOf({
        paths: workspace,
        isCovered: () => true,
        isLeftOut: () => false,
        rule: exact,
        moves: [],
      });
      const groups = set.groups.toSorted((a, b) => ((a.length * order) % 7) - ((b.length * order) % 7));
      for (const group of groups) {
        const chosen = set.changes
          .filter(({ path }) => group.includes(path))
          .map(({ path, base, work }) => ({ path, base, approved: work }));
        const approved = approve(set, chosen);
        if (!approved.ok) throw new Error("a whole group is complete");
        const plan = planCandidate(approved.value, (path) => mainline.get(path) ?? null);
        expect([plan.merges, plan.conflicts, plan.moved]).toEqual([[], [], []]);
        const settled = settleCandidate(plan, answer(plan.merges), { paths: new Set(mainline.keys()), rule: exact });
        if (!settled.ok) throw new Error("a whole group makes a tree");
        for (const [path, put] of settled.value) {
          if (put === null) mainline.delete(path);
          else mainline.set(path, put);
        }
      }
      const works = new Map(workspace.flatMap(({ path, work }) => (work === null ? [] : [[path, work]])));
      expect(mainline).toEqual(works);
    }),
    search(1_000),
  );
});

/** The same by the letter of the rule. */
function areKin(one: string, other: string, project: { foldCase: boolean }): boolean {
  const [a, b] = [pathKey(one, project), pathKey(other, project)];
  if (a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)) return true;
  // A folder that is spelled in two ways is one name twice.
  const [as, bs] = [one.split("/"), other.split("/")];
  return as.some((_, at) => {
    const [left, right] = [as.slice(0, at + 1).join("/"), bs.slice(0, at + 1).join("/")];
    return left !== right && pathKey(left, project) === pathKey(right, project);
  });
}

/** The same paths, without whatever keeps a side from being a tree. */
function toTrees(paths: readonly RefreshPath[]): RefreshPath[] {
  const sides = ["base", "work", "mainline"] as const;
  const kept = { base: [] as string[], work: [] as string[], mainline: [] as string[] };
  return paths.map((each) => {
    const trimmed = { ...each };
    for (const side of sides) {
      if (trimmed[side] === null) continue;
      if (findClashes([each.path], kept[side], exact).length > 0) trimmed[side] = null;
      else kept[side].push(each.path);
    }
    return trimmed;
  });
}

function refreshed(paths: readonly RefreshPath[], cleanToo: boolean): RefreshPath[] {
  const steps = planRefresh({ paths, rule: exact, cleanToo });
  const settled = new Map(
    steps.map((step) => [step.path, step.kind === "merge" ? settleMerge(step, mergeBlobs(step.blobs)) : step]),
  );
  return paths.map((each) => {
    const step = settled.get(each.path);
    return step?.kind === "place" ? { ...each, base: step.base, work: step.work } : each;
  });
}
