// Planted in workspaces and landings.

import type { Mutant } from "./mutant.ts";

const evolve = "src/core/workspace/workspace-evolve.ts";
const decide = "src/core/workspace/land-decide.ts";
const aside = "src/core/workspace/set-aside.ts";
const driver = "src/core/run/driver-inputs.ts";
const lander = "sim/world/sim-lander.ts";
const refresh = "src/core/landing/refresh.ts";
const merge = "src/core/landing/merge-entries.ts";

export const landingMutants: readonly Mutant[] = [
  {
    name: "who was not shown the other side may resolve a conflict",
    file: "src/core/run/call-decide.ts",
    find: "conflicts.get(each)?.shown === false",
    replace: "conflicts.get(each)?.shown === null",
  },
  {
    name: "a side that was shown once counts for a newer one",
    file: evolve,
    find: "const shown = before?.theirs === theirs && before.shown;",
    replace: "const shown = before?.shown === true;",
  },
  {
    name: "what a run changed goes when it ends",
    file: "src/core/react.ts",
    find: "if (!run.sub) setAside(step, run,",
    replace: "if (run.sub) setAside(step, run,",
  },
  {
    name: "what nobody looked at goes with the run",
    file: driver,
    find: "if (!isOthers) setAside(step, root, works.filter(isDirty),",
    replace: "if (!isOthers) setAside(step, root, works.filter((work) => !isDirty(work)),",
  },
  {
    name: "what a command changed is left where it is",
    file: aside,
    find: "if (why !== undefined) giveUp(step, run, members, why);",
    replace: "",
  },
  {
    name: "what a script changed and another holds is set aside",
    file: aside,
    find: "if (why === heldByOthers && (isLast || isWritten(run))) continue;",
    replace: "",
  },
  {
    name: "what a script changed is carried although nobody has it",
    file: aside,
    find: "const why = tryClaim(step, run, group, policies);",
    replace: "const why = isWritten(run) ? heldByOthers : tryClaim(step, run, group, policies);",
  },
  {
    name: "what a script changed and may not is carried",
    file: aside,
    find: "if (why === heldByOthers && (isLast || isWritten(run))) continue;",
    replace: "if (why !== undefined && (isLast || isWritten(run))) continue;",
  },
  {
    name: "what a command changed is lost to a pause",
    file: aside,
    find: 'if (outside.length === 0 || root.state === "paused" || !mayBeGranted(familyOf(step.state.table, root.family))) return;',
    replace: "if (outside.length === 0) return;",
  },
  {
    name: "a run finishes before its paths are in step",
    file: driver,
    find: "if (unready !== undefined && !run.sub)",
    replace: "if (unready !== undefined && run.sub)",
  },
  {
    name: "giving back a unit gives up what is carried elsewhere",
    file: "src/core/decide-input.ts",
    find: "keys.size > 0 && keys.has(key(`file:${work.path}`))",
    replace: "keys.size > 0",
  },
  {
    name: "what has lost its lease is part of the change set",
    file: decide,
    find: "filter((path) => isHeld(step, run, path))",
    replace: "filter((path) => path !== run.id)",
  },
  {
    name: "an approval of a part forgets its kin",
    file: decide,
    find: "if (missing.length > 0 && missing.length < group.length) return",
    replace: "if (missing.length > 0 && missing.length < 0) return",
  },
  {
    name: "an approval is for any base",
    file: decide,
    find: "if (there.base !== base || there",
    replace: "if (there",
  },
  {
    name: "an approval is for any content",
    file: decide,
    find: "there.work !== work || ",
    replace: "",
  },
  {
    name: "a hold that yielded everything is done when it is approved",
    file: "src/core/run/person-inputs.ts",
    find: "if (approved.value.length > 0 || run.workspace.dirty.size === 0) {",
    replace: "if (approved.value.length >= 0) {",
  },
  {
    name: "somebody is asked about nothing",
    file: decide,
    find: "if (run.workspace.dirty.size === 0) return beginLanding(step, run, [], null);",
    replace: "",
  },
  {
    name: "what was not approved is given up",
    file: decide,
    find: 'if (run.workspace.dirty.size === 0) return moveRun(step, run, "done", null);',
    replace: 'if (run.workspace.dirty.size >= 0) return moveRun(step, run, "done", null);',
  },
  {
    name: "what has landed is still changed",
    file: evolve,
    find: "return { path, base: landed, work: landed };",
    replace: "return { path, base: work?.base ?? null, work: landed };",
  },
  {
    name: "the rest of a file stands on a merge that its writer never saw",
    file: evolve,
    find: "return { path, base: approved.entry, work: work.work };",
    replace: "return { path, base: landed, work: work.work };",
  },
  {
    name: "an intent outlives its approval",
    file: evolve,
    find: "  run.landing = null;\n  run.intended = [];\n",
    replace: "  run.intended = [];\n",
  },
  {
    name: "an intent that was given up comes back",
    file: driver,
    find: "if (run.intended.includes(candidate)) return done();",
    replace: "",
  },
  {
    name: "a landing is stopped when its ref may have moved",
    file: "src/core/run/run-flow.ts",
    find: 'return run.state === "landing" && run.landing !== null;',
    replace: "return false;",
  },
  {
    name: "a lost run forgets what it changed",
    file: "src/core/run/run-evolve.ts",
    find: "      carryWorks(state, run);\n",
    replace: "",
  },
  {
    name: "a landing is recognised only at the head",
    file: lander,
    find: "if (repo.isAncestor(intent.candidate, repo.head)) {",
    replace: "if (intent.candidate === repo.head) {",
  },
  {
    name: "what landed before the crash is proposed again",
    file: lander,
    find: "if (intent === null) return this.#propose(run, repo);",
    replace: "if (intent?.merged.length !== 99) return this.#propose(run, repo);",
  },
  {
    name: "mainline moves wherever it stands",
    file: "sim/world/sim-repo.ts",
    find: "if (this.#head !== from) return false;",
    replace: "if (from === to) return false;",
  },
  {
    name: "the later of two changes wins",
    file: merge,
    find: 'if (theirs === base) return { kind: "ours", entry: ours };',
    replace: 'if (base !== null) return { kind: "ours", entry: ours };',
  },
  {
    name: "a removal wins over a change",
    file: merge,
    find: 'if (ours === null || theirs === null) return { kind: "conflict", why: "removed" };',
    replace: 'if (ours === null || theirs === null) return { kind: "ours", entry: ours };',
  },
  {
    name: "changes that touch are taken for one",
    file: "src/core/landing/text-merge.ts",
    find: 'if (regions.some(({ kind }) => kind === "conflict")) return undefined;',
    replace: "",
  },
  {
    name: "nobody looks whether a tree can be",
    file: "src/core/landing/candidate.ts",
    find: "if (fresh.length === 0) return [];",
    replace: "if (fresh.length >= 0) return [];",
  },
  {
    name: "a change is put on a new base without a merge",
    file: refresh,
    find: 'return { kind: "place", path, work: entryOf(mode, merged.blob), base: entries.theirs, isMerged: true };',
    replace: 'return { kind: "place", path, work: entries.ours, base: entries.theirs, isMerged: true };',
  },
  {
    name: "what is granted stays as it was",
    file: refresh,
    find: 'if (!isDirty({ base, work })) return { kind: "place", path, work: mainline, base: mainline, isMerged: false };',
    replace: "if (!isDirty({ base, work })) return leave;",
  },
  {
    name: "what was changed before it was granted stays on its old base",
    file: refresh,
    find: "if (!isTaken || mainline === base) return leave;",
    replace: "if (!isTaken || mainline === base || isDirty({ base, work })) return leave;",
  },
  {
    name: "a run stands on mainline, whatever it has landed on its branch",
    file: "sim/world/sim-ground.ts",
    find: "return tip ?? repo.head;",
    replace: "return tip === null ? repo.head : repo.head;",
  },
  {
    name: "what is on a branch is taken for mainline",
    file: evolve,
    find: "if (event.branch === undefined) project.mainline = event.commit;",
    replace: "project.mainline = event.commit;",
  },
  {
    name: "an intent forgets the branch that it is for",
    file: driver,
    find: 'step.emit({ type: "landing.intended", v: 1, ...intended, ...(branch === undefined ? {} : { branch }) });',
    replace: 'step.emit({ type: "landing.intended", v: 1, ...intended, ...(branch === "" ? { branch } : {}) });',
  },
  {
    name: "a landing on a branch is recorded for mainline",
    file: decide,
    find: 'step.emit({ type: "run.landed", v: 1, ...landed, ...(branch === undefined ? {} : { branch }) });',
    replace: 'step.emit({ type: "run.landed", v: 1, ...landed, ...(branch === "" ? { branch } : {}) });',
  },
  {
    name: "a rewind gives up what was there",
    file: "src/core/run/rewind-decide.ts",
    find: "before.work !== work ? [before] : []",
    replace: "before.work === work ? [before] : []",
  },
  {
    name: "a rewind puts old bytes on a new base",
    file: "src/core/landing/rewind.ts",
    find: "if (old.base === now.base) return put(old.work);",
    replace: "return put(old.work);",
  },
  {
    name: "calls go on while a workspace goes back",
    file: "src/core/run/call-decide.ts",
    find: "if (rootOf(step.state, run).rewinding !== null) return undefined;",
    replace: "",
  },
  {
    name: "a workspace goes back under the hands of a sub-run",
    file: "src/core/run/rewind-decide.ts",
    find: "const busy = whileRewinding(run) ?? someoneActs(step, run);",
    replace: "const busy = whileRewinding(run);",
  },
  {
    name: "a fork forgets what was changed",
    file: "src/core/run/run-evolve.ts",
    find: "noteWorks(state, run, event.fork?.works ?? []);",
    replace: "",
  },
  {
    name: "a snapshot forgets what was changed",
    file: "src/core/snapshot.ts",
    find: "dirty: new Map(plain.workspace.dirty.map((work) => [work.path, work])),",
    replace: "dirty: new Map(),",
  },
  {
    name: "a snapshot forgets the trash",
    file: "src/core/snapshot.ts",
    find: "  for (const item of plain.trash) state.trash.set(item.id, item);\n",
    replace: "",
  },
];
