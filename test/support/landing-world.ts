// A small world of landings for property tests: families with workspaces and exclusive leases, a mainline, and people
// who commit by hand. It does what the daemon will do, in one thread and without a log, and looks after every step
// whether the theorems hold.

import { assert } from "../../src/base/assert.ts";
import { findTreeClashes, afterLanding, planCandidate, settleCandidate } from "../../src/core/landing/candidate.ts";
import { type Approval, approve, changeSetOf } from "../../src/core/landing/change-set.ts";
import { type Conflict, resolveConflict } from "../../src/core/landing/conflict.ts";
import { type Entry, entryOf, modeOf } from "../../src/core/landing/entry.ts";
import { applyHunks, hunksOf } from "../../src/core/landing/hunks.ts";
import { findClashes, type NameRule } from "../../src/core/landing/kin.ts";
import { planRefresh, settleMerge } from "../../src/core/landing/refresh.ts";
import { planSetAside, type SetAside } from "../../src/core/landing/set-aside.ts";
import { isDirty, type WorkspacePath } from "../../src/core/landing/workspace-path.ts";
import { answer, contentOf, mergeBlobs } from "./landing-entries.ts";

export type Choice = { readonly family: number; readonly path: number; readonly how: number };
export type WorldStep = Choice & {
  readonly act: "claim" | "claim-all" | "edit" | "command" | "lose" | "land" | "person";
};

type Family = {
  readonly paths: Map<string, { base: Entry; work: Entry }>;
  readonly leased: Set<string>;
  /** Leased without a gap since the base was set, and nobody edited it or its kin by hand since: LD39 speaks of these. */
  readonly exact: Set<string>;
  /** Every line that was ever before its eyes, by path: in its workspace, or in a conflict. */
  readonly seen: Map<string, Set<string>>;
};

export class LandingWorld {
  readonly mainline = new Map<string, string>();
  readonly #families: Family[];
  readonly #names: readonly string[];
  readonly #rule: NameRule;
  /** Everything that was ever set aside. */
  readonly trash: SetAside[] = [];
  /** What landed, in order. */
  readonly landed: (readonly Approval[])[] = [];
  #fresh = 0;
  merges = 0;
  conflicts = 0;

  constructor(names: readonly string[], rule: NameRule, families: number) {
    this.#names = names;
    this.#rule = rule;
    // Long enough that two changes need not touch.
    for (const name of names) {
      if (findClashes([name], this.mainline.keys(), rule).length > 0) continue;
      const content = Array.from({ length: 12 }, () => `t${this.#fresh++}\n`).join("");
      this.mainline.set(name, entryOf("100644", content));
    }
    this.#families = Array.from({ length: families }, () => ({
      paths: new Map(
        names.map((name) => {
          const entry = this.mainline.get(name) ?? null;
          return [name, { base: entry, work: entry }];
        }),
      ),
      leased: new Set<string>(),
      exact: new Set<string>(),
      seen: new Map(names.map((name) => [name, new Set(linesOf(this.mainline.get(name) ?? null))])),
    }));
  }

  step({ act, family: at, path: name, how }: WorldStep): void {
    const family = this.#families[at % this.#families.length]!;
    const path = this.#names[name % this.#names.length]!;
    if (act === "claim") this.#claim(family, [path]);
    else if (act === "claim-all") this.#claim(family, this.#kinOf(path));
    else if (act === "edit") {
      const leased = [...family.leased];
      this.#edit(family, leased[name % leased.length] ?? path, how, (each) => family.leased.has(each));
    } else if (act === "command") this.#command(family, path, how);
    else if (act === "lose") this.#lose(family);
    else if (act === "land") this.#land(family, how);
    else this.#person(path, how);
    this.#check();
  }

  #claim(family: Family, wanted: readonly string[]): boolean {
    const others = this.#families.filter((each) => each !== family).flatMap(({ leased }) => [...leased]);
    const isFree = wanted.every(
      (path) => !others.includes(path) && findClashes([path], others, this.#rule).length === 0,
    );
    if (!isFree) return false;
    const fresh = wanted.filter((path) => !family.leased.has(path));
    for (const path of fresh) family.leased.add(path);
    this.#refresh(family, new Set(fresh));
    return true;
  }

  #refresh(family: Family, fresh: ReadonlySet<string>): void {
    const order = {
      paths: [...family.paths].map(([path, each]) => ({
        path,
        ...each,
        mainline: this.mainline.get(path) ?? null,
        cover: fresh.has(path) ? ("new" as const) : family.leased.has(path) ? ("held" as const) : ("none" as const),
      })),
      rule: this.#rule,
      cleanToo: true,
    };
    const steps = planRefresh(order);
    // A dirty path is never simply overwritten (LD9), and one that was held is not touched (LD7).
    for (const step of steps) {
      const { base, work, mainline, cover } = order.paths.find(({ path }) => path === step.path)!;
      if (step.kind !== "place" || !isDirty({ base, work })) continue;
      assert(cover === "new" || (work === null && mainline === null), "what was held or is not covered is not touched");
      assert(step.isMerged || work === mainline, "a dirty path is never simply overwritten");
    }
    const inTheWay = new Set<string>();
    for (const planned of steps) {
      const step = planned.kind === "merge" ? settleMerge(planned, mergeBlobs(planned.blobs)) : planned;
      if (step.kind === "place") put(family, { path: step.path, base: step.base, work: step.work });
      if (step.kind === "place" && step.isMerged) this.merges++;
      if (step.kind === "conflict") this.#resolve(family, step.conflict);
      if (step.kind === "type-conflict") for (const path of step.group) inTheWay.add(path);
    }
    for (const path of fresh) family.exact.add(path);
    if (inTheWay.size > 0) {
      this.conflicts++;
      this.#setAside(family, inTheWay);
      this.#refresh(family, fresh);
    }
  }

  /** The run answers with its own side and what it was shown, so that nothing it saw is lost. */
  #resolve(family: Family, conflict: Conflict): void {
    this.conflicts++;
    const { path, ours, theirs } = conflict;
    for (const line of linesOf(theirs)) family.seen.get(path)?.add(line);
    const seen = contentOf(ours)
      .split("\n")
      .filter((line) => line !== "" && !contentOf(theirs).includes(`${line}\n`));
    const content = contentOf(theirs) + seen.map((line) => `${line}\n`).join("");
    const resolution = ours === null ? theirs : entryOf("100644", content);
    const answered = this.#fits(family, path) ? resolution : (family.paths.get(path)?.work ?? null);
    for (const { path: name, base, work } of resolveConflict(conflict, answered, this.#around(family))) {
      put(family, { path: name, base, work });
    }
  }

  #around(family: Family): { workspace: WorkspacePath[]; rule: NameRule } {
    return { workspace: [...family.paths].map(([path, each]) => ({ path, ...each })), rule: this.#rule };
  }

  #setAside(family: Family, paths: Iterable<string>): void {
    for (const aside of planSetAside(paths, this.#around(family).workspace, this.#rule)) {
      this.trash.push(aside);
      put(family, { path: aside.path, base: aside.base, work: aside.work });
    }
  }

  /** Writes, with all that has to go for it (LD14). */
  #edit(family: Family, path: string, how: number, isAllowed: (path: string) => boolean): boolean {
    const present = [...family.paths].filter(([, { work }]) => work !== null).map(([name]) => name);
    const displaced = findClashes([path], present, this.#rule).map(({ other }) => other);
    if (![path, ...displaced].every(isAllowed)) return false;
    const { base, work } = family.paths.get(path)!;
    const after = this.#rewrite(work, how);
    if (after !== null)
      for (const other of displaced) put(family, { path: other, base: family.paths.get(other)!.base, work: null });
    put(family, { path, base, work: after });
    return true;
  }

  /** A command writes without asking; what it may not keep is set aside (LD15). */
  #command(family: Family, path: string, how: number): void {
    this.#edit(family, path, how, () => true);
    const dirty = [...family.paths].filter(([name, each]) => isDirty(each) && !family.leased.has(name));
    for (const [name] of dirty) if (!this.#claim(family, [name])) this.#setAside(family, [name]);
  }

  #lose(family: Family): void {
    family.leased.clear();
    family.exact.clear();
  }

  #land(family: Family, how: number): void {
    const set = changeSetOf({
      paths: [...family.paths].map(([path, each]) => ({ path, ...each })),
      isCovered: (path) => family.leased.has(path),
      isLeftOut: () => false,
      rule: this.#rule,
      moves: [],
    });
    const groups = set.groups.filter((_, at) => ((how >> at) & 1) === 0);
    const chosen = set.changes
      .filter(({ path }) => groups.some((group) => group.includes(path)))
      .map((change) =>
        toApproval(
          change,
          how,
          groups.some((group) => group.length > 1 && group.includes(change.path)),
        ),
      );
    const approved = approve(set, chosen);
    if (!approved.ok) throw new Error(`approving whole groups is never ${approved.refusal.code}`);
    const plan = planCandidate(approved.value, (path) => this.mainline.get(path) ?? null);
    // The theorem (LD39): no gap and no hand edit, so no merge.
    assert(!plan.moved.some((path) => family.exact.has(path)), "a landing without a gap or a hand edit is exact");
    const names = { paths: new Set(this.mainline.keys()), rule: this.#rule };
    const settled = settleCandidate(plan, answer(plan.merges), names);
    if (!settled.ok) {
      for (const conflict of settled.refusal.conflicts) this.#resolve(family, conflict);
      return;
    }
    assert(findTreeClashes(settled.value, names).length === 0, "a candidate is a tree");
    for (const [path, entry] of settled.value) this.#replace(family, path, entry, approved.value);
    for (const { path, base, work } of afterLanding(approved.value, this.#around(family))) {
      put(family, { path, base, work });
      // Mainline has more than was approved where newer work was merged: the next refresh brings it.
      if (this.mainline.get(path) !== (base ?? undefined)) family.exact.delete(path);
      if (!isDirty({ base, work })) this.#release(family, path);
    }
    if (approved.value.length > 0) this.landed.push(approved.value);
    if (plan.merges.length > 0) this.merges++;
  }

  /** No lost update (LD40): who wrote had before them what goes, and what comes was approved. */
  #replace(family: Family, path: string, entry: Entry, approvals: readonly Approval[]): void {
    const approval = approvals.find((each) => each.path === path);
    assert(approval !== undefined, "what was not approved does not change");
    const before = linesOf(this.mainline.get(path) ?? null);
    const after = new Set(linesOf(entry));
    const seen = family.seen.get(path) ?? new Set();
    const approved = new Set(linesOf(approval.approved));
    assert(!before.some((line) => !after.has(line) && !seen.has(line)), "nothing goes that its writer never saw");
    assert(
      ![...after].some((line) => !before.includes(line) && !approved.has(line)),
      "nothing comes that was not approved",
    );
    if (entry === null) this.mainline.delete(path);
    else this.mainline.set(path, entry);
  }

  #release(family: Family, path: string): void {
    family.leased.delete(path);
    family.exact.delete(path);
  }

  /** A person commits by hand and needs no lease (LD42). */
  #person(path: string, how: number): void {
    const entry = this.#rewrite(this.mainline.get(path) ?? null, how);
    const clashes = findClashes([path], this.mainline.keys(), this.#rule);
    const touched = entry === null ? [path] : [path, ...clashes.map(({ other }) => other)];
    for (const other of touched) this.mainline.delete(other);
    if (entry !== null) this.mainline.set(path, entry);
    for (const { exact } of this.#families) {
      for (const name of touched) for (const kin of this.#kinOf(name)) exact.delete(kin);
    }
  }

  #rewrite(entry: Entry, how: number): Entry {
    const content = contentOf(entry).split("\n").slice(0, -1);
    const at = content.length === 0 ? 0 : (how >> 4) % content.length;
    const kind = how % 16;
    const mode = entry === null ? "100644" : modeOf(entry);
    if (kind === 0) return null;
    if (kind === 1) return entryOf(mode === "100644" ? "100755" : "100644", contentOf(entry));
    if (kind === 2) content.splice(at, 1);
    else if (kind < 10) content.splice(at, 1, `t${this.#fresh++}`);
    else content.splice(at + (kind & 1), 0, `t${this.#fresh++}`, `t${this.#fresh++}`);
    return entryOf(mode, content.map((line) => `${line}\n`).join(""));
  }

  #fits(family: Family, path: string): boolean {
    const present = [...family.paths].filter(([, { work }]) => work !== null).map(([name]) => name);
    return findClashes([path], present, this.#rule).length === 0;
  }

  #kinOf(path: string): string[] {
    return [path, ...findClashes([path], this.#names, this.#rule).map(({ other }) => other)];
  }

  #check(): void {
    assert(findClashes(this.mainline.keys(), [], this.#rule).length === 0, "mainline is a tree");
    for (const family of this.#families) {
      const present = [...family.paths].filter(([, { work }]) => work !== null).map(([path]) => path);
      assert(findClashes(present, [], this.#rule).length === 0, "a workspace is a tree");
      const based = [...family.paths].filter(([, { base }]) => base !== null).map(([path]) => path);
      assert(findClashes(based, [], this.#rule).length === 0, "bases are a tree");
      for (const path of family.exact) {
        const base = family.paths.get(path)?.base;
        assert(base === (this.mainline.get(path) ?? null), () => `the base of ${path} is mainline's`);
      }
    }
  }
}

function put(family: Family, { path, base, work }: WorkspacePath): void {
  family.paths.set(path, { base, work });
  for (const line of linesOf(work)) family.seen.get(path)?.add(line);
}

function toApproval({ path, base, work }: WorkspacePath, how: number, isWhole: boolean): Approval {
  if (isWhole || base === null || work === null || how % 3 > 0) return { path, base, approved: work };
  const hunks = hunksOf({ base: contentOf(base), work: contentOf(work) });
  const chosen = new Set(hunks.filter((_, at) => ((how >> at) & 1) === 0).map(({ id }) => id));
  return { path, base, approved: entryOf(modeOf(base), applyHunks(contentOf(base), hunks, chosen)) };
}

function linesOf(entry: Entry): string[] {
  return contentOf(entry).split("\n").slice(0, -1);
}
