// What must hold of the core's state after every step, worked out slowly and on purpose in another way than the core
// does: lists instead of an index, all pairs instead of a walk, a recount instead of a counter.

import { canonical } from "../../src/base/canonical.ts";
import { actsPending } from "../../src/core/acts.ts";
import { nextDueMs } from "../../src/core/due.ts";
import { conflicts, type Unit } from "../../src/core/lease/unit.ts";
import type { Family, Lease, QueuedClaim } from "../../src/core/lease/lease-state.ts";
import type { Run } from "../../src/core/run/run-state.ts";
import { isOver } from "../../src/core/run/run-states.ts";
import type { Policy } from "../../src/core/policy/policy.ts";
import type { State } from "../../src/core/state.ts";

/** Every sentence is something that should not be. */
export function findBreaches(state: State, nowMs: number): string[] {
  return [
    ...findConflicts(state),
    ...findFenceBreaches(state),
    ...findCycle(state),
    ...findGrantable(state, nowMs),
    ...findClaimBreaches(state),
    ...findSlotBreaches(state),
    ...findAgentBreaches(state),
    ...findLateDue(state, nowMs),
    ...findIndexBreaches(state),
    ...findSpendBreaches(state),
    ...[...state.runs.values()]
      .flatMap((run) => findRunBreach(state, run, nowMs) ?? [])
      .map((breach) => `RUN ${breach}`),
  ];
}

/** What is under way belongs to somebody, and what runs have spent is in the sum of their tree and of all days. */
function findSpendBreaches({ spending, runs }: State): string[] {
  const orphans = [...spending.requests.values()].filter(({ run }) => !runs.has(run)).map(({ id }) => `BG8 ${id}`);
  const known = [...runs.values()];
  const lost = [...spending.trees].filter(([tree, spend]) => {
    const own = known.filter((run) => run.tree === tree);
    return own.length === 0 || own.reduce((sum, run) => sum + run.spend.costMicros, 0) > spend.costMicros;
  });
  const rows = [...spending.days.values()].flatMap((day) => [...day.values()]);
  const onDays = rows.reduce((sum, row) => sum + row.spend.requests, 0);
  const ofRuns = known.reduce((sum, run) => sum + run.spend.requests, 0);
  const missing = onDays < ofRuns ? [`BG6 ${ofRuns} requests of runs, ${onDays} on days`] : [];
  return [...orphans, ...lost.map(([tree]) => `BG3 tree ${tree}`), ...missing];
}

function allLeases(state: State): Lease[] {
  return [...state.table.families.values()].flatMap((family) => [...family.leases.values()]);
}

function inConflict(a: readonly Unit[], b: readonly Unit[]): boolean {
  return a.some((one) => b.some((other) => conflicts(one, other)));
}

/** I01: no two leases of different families conflict. */
function findConflicts(state: State): string[] {
  const leases = allLeases(state);
  return leases.flatMap((a, at) =>
    leases
      .slice(at + 1)
      .filter((b) => a.family !== b.family && a.family.project === b.family.project && conflicts(a.unit, b.unit))
      .map((b) => `I01 ${a.family.id} holds ${a.unit.text} and ${b.family.id} holds ${b.unit.text}`),
  );
}

/** I02: every fence is below the next one. */
function findFenceBreaches(state: State): string[] {
  const bad = allLeases(state).filter((lease) => lease.fence >= state.table.nextFence || lease.fence < 1);
  return bad.map((lease) => `I02 fence ${lease.fence} of ${lease.unit.text}`);
}

function mayYield(lease: Lease, nowMs: number): boolean {
  const { family, unit } = lease;
  if (unit.kind === "process" || !["hold", "paused"].includes(family.life)) return false;
  if (family.patienceMs === null || family.contestedSinceMs === null) return false;
  return nowMs - family.contestedSinceMs >= family.patienceMs;
}

/** Who keeps a queued claim waiting: leases of others, and others' claims further ahead. */
function inTheWayOf(state: State, claim: QueuedClaim): { leases: Lease[]; claims: QueuedClaim[] } {
  const queue = state.table.projects.get(claim.family.project)?.queue ?? [];
  const leases = allLeases(state).filter(
    (lease) =>
      lease.family.project === claim.family.project &&
      lease.family !== claim.family &&
      inConflict([lease.unit], claim.units),
  );
  const ahead = queue.slice(0, queue.indexOf(claim));
  const claims = ahead.filter((other) => other.family !== claim.family && inConflict(other.units, claim.units));
  return { leases, claims };
}

function allQueued(state: State): QueuedClaim[] {
  return [...state.table.projects.values()].flatMap((project) => project.queue);
}

/** I08, LS24: the waiting graph has no cycle. */
function findCycle(state: State): string[] {
  const edges = new Map<string, Set<string>>();
  const join = (from: string, to: string): void => void edges.set(from, (edges.get(from) ?? new Set()).add(to));
  for (const claim of allQueued(state)) {
    const { leases, claims } = inTheWayOf(state, claim);
    for (const other of [...leases, ...claims]) join(claim.family.id, other.family.id);
  }
  for (const family of state.table.families.values()) for (const other of family.awaits) join(family.id, other);
  // Take away whoever waits for nobody; what is left waits in a circle.
  for (let before = -1; before !== edges.size;) {
    before = edges.size;
    for (const [from, targets] of edges) {
      for (const to of targets) if (!edges.has(to)) targets.delete(to);
      if (targets.size === 0) edges.delete(from);
    }
  }
  return edges.size === 0 ? [] : [`I08 a circle of waiting: ${JSON.stringify([...edges].map(([a, b]) => [a, ...b]))}`];
}

/** I09, LS16: at the end of a step no grantable claim waits. */
function findGrantable(state: State, nowMs: number): string[] {
  return allQueued(state).flatMap((claim) => {
    const { leases, claims } = inTheWayOf(state, claim);
    if (claims.length > 0 || leases.some((lease) => !mayYield(lease, nowMs))) return [];
    if (!["live", "new"].includes(claim.family.life)) return [];
    if (claim.slot !== null && !hasRoom(state, claim.slot)) return [];
    return [`I09 claim ${claim.id} of ${claim.family.id} waits for nothing`];
  });
}

const atWork = ["starting", "running", "blocked", "validating"];

function rootOf(state: State, run: Run): Run {
  let root = run;
  while (root.sub) {
    const above = state.runs.get(root.parent ?? "");
    if (above === undefined) break;
    root = above;
  }
  return root;
}

function rootsAtWork(state: State): Set<Run> {
  const working = [...state.runs.values()].filter((run) => atWork.includes(run.state));
  return new Set(working.map((run) => rootOf(state, run)));
}

function speaksOf(policy: Policy, run: Run): boolean {
  const { project, profile, runner, node } = policy.scope;
  return (
    (project ?? run.project) === run.project &&
    (profile ?? run.profile) === run.profile &&
    (runner ?? run.runner) === run.runner &&
    (node ?? run.node) === run.node
  );
}

function hasRoom(state: State, id: string): boolean {
  const run = state.runs.get(id);
  if (run === undefined) return false;
  const root = rootOf(state, run);
  if (!hasAgent(state, root)) return false;
  const roots = rootsAtWork(state);
  if (roots.has(root)) return true;
  return [...state.policies.values()].every((policy) => {
    const max = policy.rules.maxConcurrent;
    if (max === undefined || !policy.enabled || !speaksOf(policy, root)) return true;
    return [...roots].filter((other) => speaksOf(policy, other)).length < max;
  });
}

/** AG41, AG42: whether a run could be in its living agent now. */
function hasAgent(state: State, root: Run): boolean {
  const agent = state.agents.get(root.agent ?? "");
  if (agent === undefined) return true;
  const [inside] = insideOf(state, agent.id);
  if (inside === root) return agent.isMade && agent.state !== "stopping";
  return inside === undefined && agent.state === "running";
}

/** Runs that have begun in an agent, and of which something may still run there. */
function insideOf(state: State, agent: string): Run[] {
  // One that was continued is not in it again yet.
  const isBack = (run: Run): boolean => run.state !== "parked" || state.agents.get(agent)?.run === run.id;
  return [...state.runs.values()].filter(
    (run) => run.agent === agent && run.startedAtMs !== null && !run.stopped && isBack(run),
  );
}

/** AG41: one top-level run at a time in an agent, and the agent knows which. */
function findAgentBreaches(state: State): string[] {
  return [...state.agents.values()].flatMap(({ id, run }) => {
    const inside = insideOf(state, id).map((each) => each.id);
    return inside.join(" ") === (run ?? "") ? [] : [`AG41 ${id} has ${run}, and in it are ${inside.join(" ")}`];
  });
}

function findSlotBreaches(state: State): string[] {
  const roots = rootsAtWork(state);
  const counted = state.slots.get(JSON.stringify([null, null, null, null])) ?? 0;
  const found = counted === roots.size ? [] : [`SLOTS ${counted} counted, ${roots.size} families at work`];
  for (const root of roots) {
    const members = [...state.runs.values()].filter((run) => atWork.includes(run.state) && rootOf(state, run) === root);
    if (state.working.get(root.id) !== members.length) found.push(`SLOTS work of ${root.id} is miscounted`);
  }
  if (state.working.size !== roots.size) found.push("SLOTS somebody is counted who does not work");
  return found;
}

/** I10: a claim is queued or ended, and the table agrees with the queue. */
function findClaimBreaches(state: State): string[] {
  const queued = allQueued(state);
  const records = [...state.table.claims.values()].filter((record) => record.state === "queued");
  const found = records
    .filter((record) => !queued.some((claim) => claim.id === record.id))
    .map((record) => `I10 claim ${record.id} is queued nowhere`);
  for (const claim of queued) {
    if (state.table.claims.get(claim.id)?.state !== "queued") found.push(`I10 claim ${claim.id} has ended and queues`);
    if (claim.family.life === "over") found.push(`I10 claim ${claim.id} outlived its family`);
    if (!claim.family.queued.has(claim)) found.push(`I10 claim ${claim.id} is unknown to its family`);
    if (claim.passes > 8) found.push(`I07 claim ${claim.id} was passed ${claim.passes} times`);
  }
  for (const project of state.table.projects.values()) {
    const ranks = project.queue.map((claim) => claim.rank);
    if (ranks.some((rank, at) => at > 0 && rank <= (ranks[at - 1] ?? 0))) found.push(`QUEUE ranks of ${project.id}`);
  }
  return found;
}

/** The engine is never told to look too late. */
function findLateDue(state: State, nowMs: number): string[] {
  const dues: number[] = [];
  for (const family of state.table.families.values()) {
    if (family.life === "live") dues.push(family.expiresAtMs);
    const over = (family.contestedSinceMs ?? 0) + (family.patienceMs ?? 0);
    if (family.contestedSinceMs !== null && family.patienceMs !== null && over > nowMs) dues.push(over);
  }
  for (const claim of allQueued(state)) if (claim.deadlineAtMs !== null) dues.push(claim.deadlineAtMs);
  for (const run of state.runs.values()) {
    if (run.limitAtMs !== null) dues.push(run.limitAtMs);
    if (run.state === "blocked") dues.push(run.sinceMs + 20_000);
  }
  const first = Math.min(...dues);
  const next = nextDueMs(state) ?? Number.POSITIVE_INFINITY;
  return next <= first ? [] : [`DUE something is due at ${first}, the queue says ${next}`];
}

function findIndexBreaches(state: State): string[] {
  const { table } = state;
  const found: string[] = [];
  for (const project of table.projects.values()) {
    const leases = allLeases(state).filter((lease) => lease.family.project === project.id);
    if (project.leases.size !== leases.length) found.push(`INDEX of leases of ${project.id}`);
    if (project.waiting.size !== project.queue.flatMap((claim) => claim.units).length) found.push("INDEX of claims");
    const slots = project.queue.filter((claim) => claim.slot !== null).length;
    if (project.slotClaims.size !== slots || project.byId.size !== project.queue.length)
      found.push("INDEX of the queue");
  }
  if (table.recheck.freed.length > 0 || table.recheck.claims.size > 0 || table.recheck.slots)
    found.push("RECHECK is full");
  const waits = new Map<string, string>();
  for (const run of state.runs.values()) {
    for (const claim of [run.claim, run.call?.claim]) if (typeof claim === "string") waits.set(claim, run.id);
  }
  if (canonical(state.runOfClaim) !== canonical(waits))
    found.push(`INDEX of waiting runs: ${canonical(state.runOfClaim)}`);
  const names = actsPending(state).map((act) => act.id);
  if (new Set(names).size !== names.length) found.push(`ACTS share a name: ${names.join(" ")}`);
  return found;
}

/** A run stands where its state says, and whatever waits is waited for by somebody who will wake it. */
function findRunBreach(state: State, run: Run, nowMs: number): string | undefined {
  const { table } = state;
  const family = table.families.get(run.family);
  const isQueued = (claim: string | null | undefined): boolean => table.claims.get(claim ?? "")?.state === "queued";
  const other = state.runs.get(run.call?.other ?? "");
  const waitsForRun = run.call?.started === false && other !== undefined && !isOver(other.state);
  const name = `${run.id} is ${run.state}`;
  if (isOver(run.state)) {
    if (run.claim !== null || run.question !== null) return `${name} and still wants something`;
    return run.sub || (family?.life ?? "over") === "over" ? undefined : `${name} and its family is ${family?.life}`;
  }
  if (family === undefined) return `${name} without a family`;
  if (run.claim !== null && !isQueued(run.claim)) return `${name} and waits for a claim that has ended`;
  if (run.lost !== (family.life === "over")) return `${name} and its family is over`;
  if (run.lost && !["queued", "parked", "paused", "awaiting-input"].includes(run.state)) return `${name} and lost`;
  const open = run.dependsOn.some((id) => state.runs.get(id)?.state !== "done");
  switch (run.state) {
    case "queued":
      return isQueued(run.claim) || open || run.lost ? undefined : `${name} and waits for nothing`;
    case "blocked":
      return isQueued(run.call?.claim) || waitsForRun ? undefined : `${name} and waits for nothing`;
    case "parked":
      if (run.lost || isQueued(run.claim) || isQueued(run.call?.claim) || waitsForRun) return undefined;
      if (run.delay !== null && run.delay.untilMs > nowMs) return undefined;
      return `${name} and waits for nothing`;
    case "paused":
      if (isQueued(run.claim) || isQueued(run.call?.claim)) return `${name} and still queues`;
      return run.sub || ["paused", "new", "over"].includes(family.life)
        ? undefined
        : `${name}, its family ${family.life}`;
    case "awaiting-input":
      return run.question === null ? `${name} and asked nothing` : undefined;
    case "running":
      return run.call?.started === false && !isHeldUp(state, run, family)
        ? `${name} and its call is forgotten`
        : undefined;
    case "validating":
      return state.tasks.get(run.task)?.acceptance === null ? `${name} and there is nothing to try` : undefined;
    case "review":
      return family.life === "hold" ? undefined : `${name} and its family is ${family.life}`;
    case "landing":
      return family.life === "landing" ? undefined : `${name} and its family is ${family.life}`;
    default:
      return undefined;
  }
}

/** A call of a running run waits only for its paths to be brought in step, or for a process of its own family. */
function isHeldUp(state: State, run: Run, family: Family): boolean {
  const unready = [...family.leases.values()].some((lease) => !lease.ready);
  const busy = [...state.runs.values()].some(
    (each) => each !== run && each.family === run.family && each.call?.started === true && each.call.tool === "process",
  );
  return unready || busy || rootOf(state, run).rewinding !== null;
}
