// The state as plain data, and back. A snapshot with the rest of the log gives exactly what the whole log gives; what can
// be worked out from other fields is left out. Ranks are not kept: only their order means anything.

import { assert } from "../base/assert.ts";
import type { Agent, Service } from "./agent/agent-state.ts";
import type { OpenRequest, Price, Spend, SpendRow } from "./budget/budget-state.ts";
import { keyOfRow } from "./budget/budget-state.ts";
import type { LastRoom } from "./disk/room-made.ts";
import { restoreDue } from "./due.ts";
import { unitOf } from "./lease/lease-evolve.ts";
import type { Reached } from "./egress/egress-events.ts";
import { reachedKey } from "./egress/egress-step.ts";
import type { ClaimRecord, Family, Lease, QueuedClaim } from "./lease/lease-state.ts";
import { familyOf, makeProjectLeases, projectOf } from "./lease/lease-state.ts";
import { joinLine } from "./lease/queue-line.ts";
import type { Restart } from "./agent/restart-budget.ts";
import type { Policy } from "./policy/policy.ts";
import type { Profile } from "./profile/profile.ts";
import { ruleOf, type Project } from "./project/project.ts";
import type { OwnRunner } from "./runner/own-runner.ts";
import type { PresetModels } from "./runner/presets.ts";
import { setCall } from "./run/call-evolve.ts";
import type { Run } from "./run/run-state.ts";
import { takesSlot } from "./run/run-states.ts";
import { takeSlot } from "./schedule/slots.ts";
import type { Entry } from "./landing/entry.ts";
import type { Task } from "./task/task-state.ts";
import type { Terminal } from "./terminal/terminal-events.ts";
import type { Conflict, Oversized, Sides, TrashItem, Work } from "./workspace/workspace-state.ts";
import { makeState, rootOf, subjectOf, type State } from "./state.ts";

/** Raised when the shape changes; an older snapshot is then left aside and the log folded from the start. */
export const snapshotVersion = 32;

type PlainLease = Omit<Lease, "unit" | "family"> & { readonly unit: string };
type PlainFamily = Omit<Family, "leases" | "queued" | "dirty" | "awaits" | "awaitedBy" | "keyed"> & {
  readonly leases: readonly PlainLease[];
  readonly dirty: readonly string[];
  readonly awaits: readonly string[];
};
type PlainClaim = Omit<QueuedClaim, "family" | "units" | "waiting" | "rank"> & {
  readonly family: string;
  readonly units: readonly string[];
};
type PlainRun = Omit<Run, "changed" | "workspace" | "reached"> & {
  readonly reached: readonly Reached[];
  readonly changed: readonly (readonly [string, number])[];
  readonly workspace: {
    readonly commit: string | null;
    readonly dirty: readonly Work[];
    readonly conflicts: readonly (readonly [string, Conflict])[];
    readonly resolved: readonly (readonly [string, Sides])[];
    readonly reads: readonly (readonly [string, Entry])[];
    readonly moves: readonly (readonly [string, string])[];
    readonly oversized: readonly Oversized[];
  };
};

type PlainAgent = Omit<Agent, "ports" | "services" | "reached" | "joins"> & {
  readonly reached: readonly Reached[];
  readonly ports: readonly (readonly [string, number])[];
  readonly joins: readonly (readonly [string, boolean])[];
  readonly services: readonly Service[];
};

export type PlainState = {
  readonly version: number;
  readonly seq: number;
  readonly atMs: number;
  readonly wallOffsetMs: number;
  readonly openings: State["openings"];
  readonly nextFence: number;
  readonly projects: readonly Project[];
  readonly policies: readonly Policy[];
  readonly profiles: readonly Profile[];
  readonly runners: readonly OwnRunner[];
  readonly presets: readonly (readonly [string, PresetModels])[];
  readonly families: readonly PlainFamily[];
  readonly outside: readonly (readonly [string, string])[];
  readonly queues: readonly (readonly [string, readonly PlainClaim[]])[];
  readonly claims: readonly ClaimRecord[];
  readonly ended: { readonly keyed: readonly string[]; readonly keyless: readonly string[] };
  readonly tasks: readonly Task[];
  readonly runs: readonly PlainRun[];
  readonly agents: readonly PlainAgent[];
  readonly restarts: readonly Restart[];
  readonly held: State["held"];
  readonly seenWarnings: readonly (readonly [string, number])[];
  readonly lastRoom: LastRoom | null;
  readonly trash: readonly TrashItem[];
  readonly terminals: readonly Terminal[];
  readonly spending: {
    readonly prices: readonly Price[];
    readonly requests: readonly OpenRequest[];
    readonly trees: readonly (readonly [string, Spend])[];
    readonly rows: readonly SpendRow[];
    readonly credentials: readonly (readonly [string, number])[];
  };
};

export function toPlain(state: State): PlainState {
  const { table } = state;
  return {
    version: snapshotVersion,
    seq: state.seq,
    atMs: state.atMs,
    wallOffsetMs: state.wallOffsetMs,
    openings: [...state.openings],
    nextFence: table.nextFence,
    projects: [...state.projects.values()].map((project) => ({ ...project })),
    policies: [...state.policies.values()],
    profiles: [...state.profiles.values()],
    runners: [...state.runners.values()],
    presets: [...state.presets],
    families: [...table.families.values()].map(plainFamily),
    outside: [...table.outside],
    queues: [...table.projects.values()].map((project) => [project.id, project.queue.map(plainClaim)] as const),
    claims: [...table.claims.values()].map((record) => ({ ...record })),
    ended: { keyed: table.ended.keyed.toArray(), keyless: table.ended.keyless.toArray() },
    tasks: [...state.tasks.values()].map((task) => ({ ...task, runs: [...task.runs] })),
    runs: [...state.runs.values()].map((run) => ({
      ...run,
      call: run.call === null ? null : { ...run.call },
      changed: [...run.changed],
      workspace: {
        commit: run.workspace.commit,
        dirty: [...run.workspace.dirty.values()],
        conflicts: [...run.workspace.conflicts],
        resolved: [...run.workspace.resolved],
        reads: [...run.workspace.reads],
        moves: [...run.workspace.moves],
        oversized: run.workspace.oversized,
      },
      answers: [...run.answers],
      messages: [...run.messages],
      reached: [...run.reached.values()].map((reached) => ({ ...reached })),
    })),
    agents: [...state.agents.values()].map((agent) => ({
      ...agent,
      joins: [...agent.joins],
      ports: [...agent.ports],
      reached: [...agent.reached.values()].map((reached) => ({ ...reached })),
      services: [...agent.services.values()].map((service) => ({ ...service })),
    })),
    restarts: [...state.restarts],
    held: state.held,
    seenWarnings: [...state.seenWarnings],
    lastRoom: state.lastRoom,
    trash: [...state.trash.values()],
    terminals: [...state.terminals.values()].map((terminal) => ({ ...terminal, asks: [...terminal.asks] })),
    spending: plainSpending(state),
  };
}

export function fromPlain(plain: PlainState): State {
  assert(plain.version === snapshotVersion, `a snapshot of version ${plain.version} cannot be read`);
  const state = makeState();
  const { table } = state;
  state.seq = plain.seq;
  state.atMs = plain.atMs;
  state.wallOffsetMs = plain.wallOffsetMs;
  state.openings.push(...plain.openings);
  table.nextFence = plain.nextFence;
  for (const project of plain.projects) {
    state.projects.set(project.id, { ...project });
    table.projects.set(project.id, makeProjectLeases(project.id, ruleOf(project)));
  }
  for (const policy of plain.policies) state.policies.set(policy.name, policy);
  for (const profile of plain.profiles) state.profiles.set(profile.name, profile);
  for (const runner of plain.runners) state.runners.set(runner.name, runner);
  for (const [runner, models] of plain.presets) state.presets.set(runner, models);
  for (const family of plain.families) restoreFamily(state, family);
  for (const family of plain.families) {
    for (const other of family.awaits) {
      familyOf(table, family.id).awaits.add(other);
      familyOf(table, other).awaitedBy.add(family.id);
    }
  }
  for (const [name, family] of plain.outside) table.outside.set(name, family);
  for (const [project, queue] of plain.queues) for (const claim of queue) restoreClaim(state, project, claim);
  for (const record of plain.claims) {
    table.claims.set(record.id, { ...record });
    if (record.key !== null) table.keys.set(`${record.family} ${record.key}`, record.id);
  }
  restoreNames(state);
  for (const id of plain.ended.keyed) table.ended.keyed.push(id);
  for (const id of plain.ended.keyless) table.ended.keyless.push(id);
  for (const task of plain.tasks) state.tasks.set(task.id, { ...task, runs: [...task.runs] });
  for (const run of plain.runs) restoreRun(state, run);
  for (const agent of plain.agents) {
    const services = agent.services.map((service) => [service.spec.name, { ...service }] as const);
    const reached = new Map(agent.reached.map((each) => [reachedKey(each), { ...each }]));
    state.agents.set(agent.id, {
      ...agent,
      ports: new Map(agent.ports),
      services: new Map(services),
      reached,
      joins: new Map(agent.joins),
    });
  }
  state.restarts.push(...plain.restarts);
  state.held = plain.held;
  for (const [warning, atMs] of plain.seenWarnings) state.seenWarnings.set(warning, atMs);
  state.lastRoom = plain.lastRoom;
  for (const item of plain.trash) state.trash.set(item.id, item);
  for (const terminal of plain.terminals) state.terminals.set(terminal.id, { ...terminal, asks: [...terminal.asks] });
  restoreSpending(state, plain.spending);
  restoreSlots(state);
  restoreDue(state);
  return state;
}

function plainSpending({ spending }: State): PlainState["spending"] {
  return {
    prices: [...spending.prices.values()],
    requests: [...spending.requests.values()],
    trees: [...spending.trees],
    rows: [...spending.days.values()].flatMap((rows) => [...rows.values()]),
    credentials: [...spending.credentials],
  };
}

function restoreSpending({ spending }: State, plain: PlainState["spending"]): void {
  for (const price of plain.prices) spending.prices.set(price.model, price);
  for (const request of plain.requests) spending.requests.set(request.id, request);
  for (const [tree, spend] of plain.trees) spending.trees.set(tree, spend);
  for (const row of plain.rows) {
    const rows = spending.days.get(row.day) ?? new Map<string, SpendRow>();
    spending.days.set(row.day, rows.set(keyOfRow(row), row));
  }
  for (const [credential, atMs] of plain.credentials) spending.credentials.set(credential, atMs);
}

function plainFamily(family: Family): PlainFamily {
  const { leases, queued: _queued, dirty, awaits, awaitedBy: _awaitedBy, keyed: _keyed, ...rest } = family;
  return {
    ...rest,
    leases: [...leases.values()].map(({ unit, family: _family, ...lease }) => ({ ...lease, unit: unit.text })),
    dirty: [...dirty.values()].map((unit) => unit.text),
    awaits: [...awaits],
  };
}

function plainClaim(claim: QueuedClaim): PlainClaim {
  const { family, units, waiting: _waiting, rank: _rank, ...rest } = claim;
  return { ...rest, family: family.id, units: units.map((unit) => unit.text) };
}

function restoreFamily(state: State, plain: PlainFamily): void {
  const family: Family = {
    ...plain,
    leases: new Map(),
    queued: new Set(),
    dirty: new Map(),
    awaits: new Set(),
    awaitedBy: new Set(),
    keyed: 0,
  };
  state.table.families.set(family.id, family);
  const project = projectOf(state.table, family.project);
  for (const { unit: text, ...rest } of plain.leases) {
    const lease: Lease = { ...rest, unit: unitOf(state.table, family, text), family };
    family.leases.set(lease.unit.id, lease);
    project.leases.add(lease);
  }
  for (const text of plain.dirty) {
    const unit = unitOf(state.table, family, text);
    family.dirty.set(unit.key, unit);
  }
}

/** Counts the claims that can be asked for by their key, and finds the names that are kept for them alone. */
function restoreNames({ table }: State): void {
  for (const [name, id] of table.outside) if (!table.families.has(id)) table.gone.set(id, { name, keyed: 0 });
  for (const record of table.claims.values()) {
    const counted =
      record.key === null ? undefined : (table.families.get(record.family) ?? table.gone.get(record.family));
    if (counted !== undefined) counted.keyed++;
  }
}

function restoreClaim(state: State, projectId: string, plain: PlainClaim): void {
  const project = projectOf(state.table, projectId);
  const family = familyOf(state.table, plain.family);
  const units = plain.units.map((text) => unitOf(state.table, family, text));
  const waiting: { unit: (typeof units)[number]; claim: QueuedClaim }[] = [];
  const claim: QueuedClaim = { ...plain, family, units, waiting, rank: 0 };
  for (const unit of units) waiting.push({ unit, claim });
  joinLine(project, claim);
  project.byId.set(claim.id, claim);
  family.queued.add(claim);
  if (claim.slot !== null) project.slotClaims.set(claim.id, claim);
}

function restoreRun(state: State, plain: PlainRun): void {
  const run: Run = {
    ...plain,
    call: plain.call === null ? null : { ...plain.call },
    changed: new Map(plain.changed),
    workspace: {
      commit: plain.workspace.commit,
      dirty: new Map(plain.workspace.dirty.map((work) => [work.path, work])),
      conflicts: new Map(plain.workspace.conflicts),
      resolved: new Map(plain.workspace.resolved),
      reads: new Map(plain.workspace.reads),
      moves: new Map(plain.workspace.moves),
      oversized: plain.workspace.oversized,
    },
    answers: [...plain.answers],
    messages: [...plain.messages],
    reached: new Map(plain.reached.map((reached) => [reachedKey(reached), { ...reached }])),
  };
  state.runs.set(run.id, run);
  if (!run.sub) state.runOfFamily.set(run.family, run.id);
  if (run.sub && run.parent !== null) {
    state.subRuns.set(run.parent, (state.subRuns.get(run.parent) ?? new Set()).add(run.id));
  }
  for (let incarnation = 1; !run.sub && incarnation < run.incarnation; incarnation++) {
    state.runOfFamily.set(`${run.id}.${incarnation}`, run.id);
  }
  if (run.key !== null) state.runKeys.set(`${run.project} ${run.key}`, run.id);
  for (const other of run.dependsOn)
    state.dependants.set(other, (state.dependants.get(other) ?? new Set()).add(run.id));
  if (run.claim !== null) state.runOfClaim.set(run.claim, run.id);
  if (run.call !== null) setCall(state, run, run.call);
}

/** Counts the runs at work, once all runs are there: a sub-run counts for its root. */
function restoreSlots(state: State): void {
  for (const run of state.runs.values()) {
    if (!takesSlot(run.state)) continue;
    const root = rootOf(state, run);
    const count = state.working.get(root.id) ?? 0;
    if (count === 0) takeSlot(state.slots, subjectOf(root));
    state.working.set(root.id, count + 1);
  }
}
