// Planted in runs, slots, calls and the snapshot.

import type { Mutant } from "./mutant.ts";

const evolve = "src/core/run/run-evolve.ts";
const calls = "src/core/run/call-decide.ts";
const driver = "src/core/run/driver-inputs.ts";
const flow = "src/core/run/run-flow.ts";
const snapshot = "src/core/snapshot.ts";
const due = "src/core/due.ts";

export const runMutants: readonly Mutant[] = [
  {
    name: "a run's key is good for anything",
    file: "src/core/run/run-submit.ts",
    find: "if (differs.length === 0) return ok",
    replace: "if (differs.length >= 0) return ok",
  },
  {
    name: "a run's key is forgotten when another assistant takes over",
    file: "src/core/run/run-repeat.ts",
    find: "isOfTeam(run, input.runner) ? input.runner : run.runner",
    replace: "run.runner",
  },
  {
    name: "a slot that is given back wakes nobody",
    file: evolve,
    find: "  returnSlot(state.slots, subjectOf(root));\n  state.table.recheck.slots = true;",
    replace: "  returnSlot(state.slots, subjectOf(root));",
  },
  {
    name: "a grant from the queue needs no slot",
    file: "src/core/lease/grant-scan.ts",
    find: "(claim.slot !== null && !hasSlot(claim.slot))",
    replace: "(claim.slot !== null && claim.units.length === 0 && !hasSlot(claim.slot))",
  },
  {
    name: "a limit allows one too many",
    file: "src/core/schedule/slots.ts",
    find: "?? 0) >= max) return policy;",
    replace: "?? 0) > max) return policy;",
  },
  {
    name: "a parked run keeps its slot",
    file: "src/core/run/run-states.ts",
    find: 'state === "blocked" || state === "validating";',
    replace: 'state === "blocked" || state === "validating" || state === "parked";',
  },
  {
    name: "the claim of a parked run does not ask for a slot",
    file: evolve,
    find: "claim.slot = run.id;",
    replace: "",
  },
  {
    name: "a blocked run never parks",
    file: due,
    find: 'for (const id of idsOf(names, "park")) parkRun(step, id);',
    replace: "",
  },
  {
    name: "a run's time is never up",
    file: due,
    find: 'for (const id of idsOf(names, "run")) limitRun(step, id);',
    replace: "",
  },
  {
    name: "a look is recorded whatever its run does",
    file: "src/core/run/call-decide.ts",
    find: 'if (run.state !== "running" || rootOf(step.state, run).rewinding !== null)',
    replace: 'if (run.state === "queued" || rootOf(step.state, run).rewinding !== null)',
  },
  {
    name: "a paused run keeps waiting",
    file: "src/core/run/run-pause.ts",
    find: '    step.emitAll(endClaims(family, "paused"));\n',
    replace: "",
  },
  {
    name: "the leases of a paused run do not become a hold",
    file: "src/core/run/run-pause.ts",
    find: '    moveFamily(step, family, "paused", pausedPatienceMs);\n',
    replace: "",
  },
  {
    name: "a result in review can expire",
    file: "src/core/workspace/land-decide.ts",
    find: 'moveFamily(step, family, "hold", patienceMs);',
    replace: 'moveFamily(step, family, "live", patienceMs);',
  },
  {
    name: "an approved result may still yield",
    file: "src/core/workspace/land-decide.ts",
    find: 'moveFamily(step, familyOf(step.state.table, run.family), "landing", null);',
    replace: "",
  },
  {
    name: "a dependency need not be done",
    file: flow,
    find: 'if (others.every((other) => other.state === "done")) askToGoOn',
    replace: 'if (others.every((other) => other.state !== "queued")) askToGoOn',
  },
  {
    name: "a report of an earlier act is believed",
    file: driver,
    find: "return act !== undefined && act !== actName(run);",
    replace: "return act === '';",
  },
  {
    name: "the same call is another one",
    file: calls,
    find: "if (run.call?.number === input.call) return ok(answerOf(state, run));",
    replace: "",
  },
  {
    name: "a call that is finished again is out of order",
    file: calls,
    find: 'if (input.call < run.callsDone) return ok({ state: "done" });\n  const { call } = run;',
    replace: "const { call } = run;",
  },
  {
    name: "what a run says twice is out of order",
    file: driver,
    find: "if (input.call < run.callsDone) return done();",
    replace: "",
  },
  {
    name: "a driver that was overtaken may go on",
    file: calls,
    find: "if (run.family !== input.family || run.lost || ",
    replace: "if (run.lost || ",
  },
  {
    name: "two processes of a family run under one unit",
    file: calls,
    find: 'if (call.tool === "process" && runsProcess(step.state, run, call.units) !== undefined) return undefined;',
    replace: "",
  },
  {
    name: "a call acts under the oldest of its fences",
    file: "src/core/lease/grant-scan.ts",
    find: "fence = Math.max(fence ?? 0, lease.fence);",
    replace: "fence = Math.min(fence ?? lease.fence, lease.fence);",
  },
  {
    name: "a call starts before its paths are ready",
    file: calls,
    find: 'if (cover.includes("not-ready")) return undefined;',
    replace: "",
  },
  {
    name: "the process unit of a call is kept",
    file: calls,
    find: "  if (input.unended !== true) releaseTaken(step, run);\n  const before",
    replace: "  const before",
  },
  {
    name: "an unknown exit is a good one",
    file: calls,
    find: "step.emit({ ...body, works,",
    replace: 'step.emit({ ...body, exit: input.exit === "unknown" ? 0 : input.exit, works,',
  },
  {
    name: "a lost run is not lost",
    file: "src/core/react.ts",
    find: 'step.emit({ type: "run.lost", v: 1, run: run.id });',
    replace: "",
  },
  {
    name: "what proof was given for stays closed",
    file: "src/core/react.ts",
    find: "      clearProcesses(step, runOf(state, event.run));\n",
    replace: "",
  },
  {
    name: "a run that is over is not stopped",
    file: "src/core/acts.ts",
    find: "if (isOver(run.state) && run.startedAtMs !== null && !run.stopped) {",
    replace: 'if (run.state === "done" && run.startedAtMs !== null && !run.stopped) {',
  },
  {
    name: "a snapshot forgets passes",
    file: snapshot,
    find: "return { ...rest, family: family.id, units: units.map((unit) => unit.text) };",
    replace: "return { ...rest, passes: 0, family: family.id, units: units.map((unit) => unit.text) };",
  },
  {
    name: "a snapshot forgets since when a hold is contested",
    file: snapshot,
    find: "    ...plain,\n    leases: new Map(),",
    replace: "    ...plain,\n    contestedSinceMs: null,\n    leases: new Map(),",
  },
  {
    name: "a snapshot forgets keys",
    file: snapshot,
    find: "if (record.key !== null) table.keys.set(",
    replace: 'if (record.key !== null && record.state === "queued") table.keys.set(',
  },
  {
    name: "a snapshot forgets which claims need a slot",
    file: snapshot,
    find: "if (claim.slot !== null) project.slotClaims.set(claim.id, claim);",
    replace: "",
  },
  {
    name: "a snapshot forgets who waits for a run",
    file: snapshot,
    find: "familyOf(table, family.id).awaits.add(other);",
    replace: "",
  },
  {
    name: "a snapshot forgets the slots that are taken",
    file: snapshot,
    find: "  restoreSlots(state);\n",
    replace: "",
  },
  {
    name: "a snapshot forgets the patience of holds",
    file: due,
    find: "if (family.contestedSinceMs !== null && family.patienceMs !== null) {",
    replace: "if (family.contestedSinceMs !== null && family.patienceMs === 1) {",
  },
  {
    name: "a snapshot forgets deadlines",
    file: due,
    find: "if (claim.deadlineAtMs !== null) table.due.add(`claim:${claim.id}`, claim.deadlineAtMs);",
    replace:
      "if (claim.deadlineAtMs !== null && claim.slot !== null) table.due.add(`claim:${claim.id}`, claim.deadlineAtMs);",
  },
];
