// Sends each input to the part that answers it. The answer is a function: it is asked once all consequences are there.

import { unreachable } from "../base/assert.ts";
import { ok, refuse, type Result } from "../base/result.ts";
import type { Input, Refusal } from "./inputs.ts";
import { done, type Later } from "./later.ts";
import { clearUnit, cancelClaim, makeClaim, releaseClaim, renewClaim, answerClaim } from "./lease/claim-inputs.ts";
import { decideRelease, decideRenew } from "./lease/lease-decide.ts";
import { familyOf } from "./lease/lease-state.ts";
import { addProject, changeProject, removeProject } from "./project/project-decide.ts";
import { answerCall, beginCall, finishCall, runForCall, runsProcess } from "./run/call-decide.ts";
import { driverInput, type DriverInput } from "./run/driver-inputs.ts";
import { personInput, type PersonInput } from "./run/person-inputs.ts";
import { submitRun } from "./run/run-submit.ts";
import type { Step } from "./step.ts";

export function decideInput(step: Step, input: Input): Result<Later, Refusal> {
  switch (input.type) {
    case "engine.open":
      step.emit({ type: "engine.opened", v: 1, version: input.version, wallMs: input.wallMs });
      return done();
    case "tick":
      return done();
    case "project.add":
      return addProject(step, input);
    case "project.change":
      return changeProject(step, input);
    case "project.remove":
      return removeProject(step, input.project);
    case "policy.set":
      step.emit({ type: "policy.set", v: 1, policy: input.policy });
      return done();
    case "policy.remove":
      if (!step.state.policies.has(input.name)) return refuse({ code: "not-found", kind: "policy", id: input.name });
      step.emit({ type: "policy.removed", v: 1, name: input.name });
      return done();
    case "run.submit":
      return submitRun(step, input);
    case "claim.make":
      return makeClaim(step, input);
    case "claim.cancel":
      return cancelClaim(step, input.claim);
    case "lease.renew":
      return renewClaim(step, input.claim, input.ttlMs);
    case "lease.release":
      return releaseClaim(step, input.claim, input.units);
    case "unit.clear":
      return clearUnit(step, input.project, input.unit);
    case "node.beat": {
      const renewed = decideRenew(step.state.table, input.families, null, step.nowMs);
      step.emitAll(renewed.events);
      return ok(() => ({ of: "beat", expired: renewed.expired }));
    }
    case "lease.refreshed":
      return refreshed(step, input.claim, input.bases);
    case "run.release": {
      const run = runForCall(step.state, input);
      if (!run.ok) return run;
      const busy = runsProcess(step.state, run.value, input.units);
      if (busy !== undefined)
        return refuse({ code: "in-use", kind: "process", id: busy.call?.units.join(", ") ?? "", by: busy.id });
      const family = familyOf(step.state.table, run.value.family);
      const released = decideRelease(step.state.table, family, input.units ?? "all", input.setAside);
      if (!released.ok) return released;
      step.emitAll(released.value);
      return done();
    }
    case "call.begin": {
      const begun = beginCall(step, input);
      if (!begun.ok) return begun;
      const first = begun.value;
      return ok(() => ({
        of: "call",
        call: first.state === "done" ? first : answerCall(step.state, input.run, input.call),
      }));
    }
    case "call.finish": {
      const finished = finishCall(step, input);
      return finished.ok ? ok(() => ({ of: "call", call: finished.value })) : finished;
    }
    case "run.driven":
    case "run.back":
    case "run.say":
    case "run.ask":
    case "run.finish":
    case "run.validated":
    case "run.landed":
    case "run.stopped":
      return driverInput(step, input satisfies DriverInput);
    case "task.cancel":
    case "run.pause":
    case "run.resume":
    case "run.terminate":
    case "run.continue":
    case "run.retry":
    case "run.answer":
    case "run.approve":
    case "run.reject":
    case "run.return":
    case "run.remove":
      return personInput(step, input satisfies PersonInput);
    default:
      return unreachable(input);
  }
}

/** The node brought the paths of a grant in step: its holder may act on them (LD6). */
function refreshed(step: Step, claim: string, bases: Readonly<Record<string, string | null>>): Result<Later, Refusal> {
  const { table } = step.state;
  const record = table.claims.get(claim);
  const family = record === undefined ? undefined : table.families.get(record.family);
  if (record === undefined || family === undefined) return refuse({ code: "not-found", kind: "claim", id: claim });
  const waits = [...family.leases.values()].some((lease) => lease.claim === claim && !lease.ready);
  if (waits) step.emit({ type: "lease.ready", v: 1, claim, family: family.id, bases });
  return ok(() => ({ of: "claim", claim: answerClaim(step.state.table, claim) }));
}
