// What follows from an event. Every consequence is an event too, with the first one as its cause; a replay finds them in
// the log and never comes here.

import { settleAgent } from "./agent/agent-flow.ts";
import { failHomeless, renewTenantWaits, settleTenant } from "./agent/tenancy.ts";
import type { Logged } from "./events.ts";
import { decideGrant, takeRecheck } from "./lease/grant-scan.ts";
import { byUnit } from "./lease/lease-decide.ts";
import { familyOf } from "./lease/lease-state.ts";
import type { ClaimEnded, FamilyEnded, LeaseGranted } from "./lease/lease-events.ts";
import { pushCall, pushFamily } from "./run/call-decide.ts";
import type { RunMoved } from "./run/run-events.ts";
import { afterEnd, enterQueue, goOn, limitTime, moveRun, takeSlot } from "./run/run-flow.ts";
import { kinOf } from "./run/run-tree.ts";
import { familyName, type Run } from "./run/run-state.ts";
import { isOver } from "./run/run-states.ts";
import { checkOutcomes, checkRepeats, checkTurns } from "./run/stuck.ts";
import { settleAwaits } from "./run/run-wait.ts";
import { hasSlotFor, runOf } from "./state.ts";
import type { Step } from "./step.ts";
import { endWithAgent, openWithAgent } from "./terminal/agent-terminals.ts";
import { endTerminals } from "./terminal/terminal-decide.ts";
import { setAside } from "./workspace/set-aside.ts";

/** Works out all consequences, until no claim that could be granted waits (LS16). */
export function settle(step: Step, from: number): void {
  const { actor } = step;
  let at = from;
  for (;;) {
    for (let event = step.events[at]; event !== undefined; event = step.events[++at]) {
      step.cause = event.seq;
      step.actor = "system";
      react(step, event);
    }
    if (!grantNext(step)) break;
  }
  step.cause = null;
  step.actor = actor;
}

/** Grants what the noted changes allow, foremost first. Says whether anything was granted. */
function grantNext(step: Step): boolean {
  const { table } = step.state;
  const before = step.events.length;
  for (const claim of takeRecheck(table)) {
    if (!claim.family.queued.has(claim)) continue;
    const events = decideGrant(table, claim, (id) => hasSlotFor(step.state, id), step.nowMs);
    if (events === undefined) continue;
    step.actor = "system";
    step.emitAll(events);
    if (claim.slot === null) continue;
    step.cause = step.state.seq;
    takeSlot(step, runOf(step.state, claim.slot));
    step.cause = null;
  }
  return step.events.length > before;
}

function react(step: Step, event: Logged): void {
  const { state } = step;
  switch (event.type) {
    case "run.submitted":
      return enterQueue(step, runOf(state, event.run));
    case "run.moved":
      return afterMove(step, runOf(state, event.run), event);
    case "lease.granted":
      return afterGrant(step, event);
    case "run.rewound":
      return pushFamily(step, runOf(state, event.run).family);
    case "lease.ready":
    case "lease.released":
      return pushFamily(step, event.family);
    case "claim.ended":
      return afterClaimEnd(step, event);
    case "family.ended":
      return afterFamilyEnd(step, event);
    case "call.queued":
      return checkRepeats(step, runOf(state, event.run), event.tool);
    case "run.heard":
      return checkTurns(step, runOf(state, event.run));
    case "call.refused":
      checkRepeats(step, runOf(state, event.run), event.tool);
      checkOutcomes(step, runOf(state, event.run));
      return settleAwaits(step, runOf(state, event.run));
    case "call.started":
      return settleAwaits(step, runOf(state, event.run));
    case "call.finished":
      checkOutcomes(step, runOf(state, event.run));
      if (event.tool === "process") pushFamily(step, runOf(state, event.run).family);
      return;
    case "agent.created":
    case "agent.wished":
    case "agent.moved":
    case "agent.made":
    case "agent.restored":
    case "agent.reloaded":
    case "hook.ended":
    case "service.wished":
    case "service.outdated":
    case "service.judged":
    case "service.moved": {
      const agent = state.agents.get(event.agent);
      if (agent === undefined) return;
      settleAgent(step, agent);
      settleTenant(step, agent);
      if (event.type === "agent.made" && agent.isMade) openWithAgent(step, agent);
      return;
    }
    case "agent.ended": {
      const agent = state.agents.get(event.agent);
      if (agent !== undefined && event.session !== true) endWithAgent(step, agent);
      return;
    }
    case "terminal.ended": {
      // Whoever goes down waits for those who were in it.
      const agent = "agent" in event ? state.agents.get(event.agent) : undefined;
      if (agent?.state === "stopping") settleAgent(step, agent);
      return;
    }
    case "agent.removed":
      return failHomeless(step, event.agent);
    case "landing.overtaken":
      return afterTenant(step, runOf(state, event.run));
    case "run.stopped":
      clearProcesses(step, runOf(state, event.run));
      endTerminals(step, event.run);
      return pushFamily(step, runOf(state, event.run).family);
    default:
      return;
  }
}

function afterMove(step: Step, run: Run, event: RunMoved): void {
  if (event.to === "starting") limitTime(step, run);
  if (event.to === "running") pushCall(step, run);
  if (isOver(event.to)) {
    // Nothing that it wrote is lost with it (LD25, LD38).
    if (!run.sub) setAside(step, run, [...run.workspace.dirty.values()], `its run is ${run.state}`);
    afterEnd(step, run);
  }
  if (isOver(event.to) || event.to === "paused") settleAwaits(step, run);
  if (run.agent !== null && (event.to === "starting" || event.to === "running")) {
    settleAwaits(step, run);
    renewTenantWaits(step, run.agent);
  }
  afterTenant(step, run);
}

/** An agent that was to go down may have waited for what its run did until now. */
function afterTenant(step: Step, run: Run): void {
  const agent = step.state.agents.get(run.agent ?? "");
  if (agent !== undefined && agent.wish !== "run") settleTenant(step, agent);
}

/** The grant that a call waited for lets it go on, as soon as its paths are ready. */
function afterGrant(step: Step, event: LeaseGranted): void {
  const run = step.state.runs.get(step.state.runOfClaim.get(event.claim) ?? event.slot ?? "");
  if (run === undefined) return;
  if (run.state === "blocked" && run.call?.claim === event.claim) moveRun(step, run, "running", null);
  pushCall(step, run);
}

/** A call whose claim ended without a grant waits for its run to go on, or is told. */
function afterClaimEnd(step: Step, event: ClaimEnded): void {
  const run = step.state.runs.get(step.state.runOfClaim.get(event.claim) ?? "");
  if (run?.call?.claim !== event.claim) return;
  const { number, tool, units, bytes, other } = run.call;
  const base = { v: 1, run: run.id, call: number, tool } as const;
  if (event.how === "paused") {
    step.emit({ ...base, type: "call.queued", units, bytes, claim: null, other });
  } else if (event.how === "cancelled" || event.how === "timed-out") {
    step.emit({
      ...base,
      type: "call.refused",
      code: "cancelled",
      what: `the claim on ${units.join(", ")} was ${event.how}`,
      policy: null,
    });
    if (run.state === "blocked") moveRun(step, run, "running", null);
    else if (run.state === "parked") goOn(step, run, "its claim was cancelled");
  }
}

/** Leases that expired leave their run without a family: it waits for its node to come back (LS31). */
function afterFamilyEnd(step: Step, event: FamilyEnded): void {
  if (event.why !== "expired") return;
  const root = step.state.runs.get(step.state.runOfFamily.get(event.family) ?? "");
  if (root === undefined || root.family !== event.family) return;
  for (const run of kinOf(step.state, root)) {
    if (isOver(run.state)) continue;
    step.emit({ type: "run.lost", v: 1, run: run.id });
    const waits = ["queued", "awaiting-input", "paused", "parked"].includes(run.state);
    if (!waits) moveRun(step, run, "parked", "its node was silent and its leases expired");
  }
}

/** Every process of the run is proven dead: its units open again (LS32). */
function clearProcesses(step: Step, run: Run): void {
  for (let incarnation = 1; incarnation <= run.incarnation; incarnation++) {
    const id = familyName(run.id, incarnation);
    if (!step.state.table.families.has(id)) continue;
    const family = familyOf(step.state.table, id);
    for (const lease of [...family.leases.values()].toSorted(byUnit)) {
      if (!lease.quarantined) continue;
      step.emit({
        type: "unit.cleared",
        v: 1,
        project: family.project,
        unit: lease.unit.text,
        family: id,
        by: "proof",
      });
    }
  }
}
