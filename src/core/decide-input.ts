// Sends each input to the part that answers it. The answer is a function: it is asked once all consequences are there.

import { decideAgent, type AgentInput } from "./agent/agent-decide.ts";
import { unreachable } from "../base/assert.ts";
import { ok, refuse, type Result } from "../base/result.ts";
import { answerModel, loseRequests, removePrice, requestModel, setPrice } from "./budget/budget-decide.ts";
import type { Input, Refusal } from "./inputs.ts";
import { done, type Later } from "./later.ts";
import { noteEgress } from "./egress/egress-step.ts";
import { clearUnit, cancelClaim, makeClaim, releaseClaim, renewClaim, answerClaim } from "./lease/claim-inputs.ts";
import { decideRelease, decideRenew } from "./lease/lease-decide.ts";
import { unitOf } from "./lease/lease-evolve.ts";
import { familyOf } from "./lease/lease-state.ts";
import { removePolicy, removeProfile, setProfile } from "./profile/profile-decide.ts";
import { addProject, changeProject, removeProject } from "./project/project-decide.ts";
import { answerCall, beginCall, finishCall, passCall, runForCall, runsProcess } from "./run/call-decide.ts";
import { driverInput, type DriverInput } from "./run/driver-inputs.ts";
import { personInput, type PersonInput } from "./run/person-inputs.ts";
import { submitRun } from "./run/run-submit.ts";
import { removeRunner, setRunner } from "./runner/own-runner.ts";
import { setPreset } from "./runner/presets.ts";
import { rootOf } from "./state.ts";
import type { Step } from "./step.ts";
import { taskInput, type TaskInput } from "./task/task-decide.ts";
import { terminalInput } from "./terminal/terminal-decide.ts";
import { forgetOutputs } from "./run/kept-outputs.ts";
import { noteRoom } from "./disk/room-made.ts";
import { seeWarning } from "./warning/seen-warnings.ts";
import { nameable, setAside } from "./workspace/set-aside.ts";

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
      return removePolicy(step, input.name);
    case "profile.set":
      return setProfile(step, input);
    case "profile.remove":
      return removeProfile(step, input.name);
    case "runner.set":
      return setRunner(step, input);
    case "runner.remove":
      return removeRunner(step, input.name);
    case "preset.set":
      return setPreset(step, input);
    case "price.set":
      return setPrice(step, input);
    case "price.remove":
      return removePrice(step, input.model);
    case "model.request":
      return requestModel(step, input);
    case "model.answer":
      return answerModel(step, input);
    case "model.forget":
      loseRequests(step, (request) => request.node === input.node);
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
      return refreshed(step, input);
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
      // What it carries elsewhere, without a lease, is not part of this (LD18, LD33).
      const given = new Set(released.value.flatMap((event) => (event.type === "lease.released" ? event.setAside : [])));
      const { workspace } = rootOf(step.state, run.value);
      const key = (text: string): string => unitOf(step.state.table, family, text).key;
      const keys = new Set([...given].map(key));
      const works = [...workspace.dirty.values()].filter((work) => keys.size > 0 && keys.has(key(`file:${work.path}`)));
      setAside(step, run.value, works, "its unit was given back");
      return done();
    }
    case "mainline.move": {
      const project = step.state.projects.get(input.project);
      if (project === undefined) return refuse({ code: "not-found", kind: "project", id: input.project });
      const { from, to } = input;
      // A report that comes late, after a landing, says nothing any more; the next look tells of both.
      if (project.mainline === from && from !== to)
        step.emit({ type: "mainline.moved", v: 1, project: project.id, from, to });
      return done();
    }
    case "mainline.publish": {
      const project = step.state.projects.get(input.project);
      if (project === undefined) return refuse({ code: "not-found", kind: "project", id: input.project });
      const { commit, not } = input;
      const isNews =
        not === null
          ? project.published !== commit || project.notPublished !== null
          : project.notPublished?.commit !== commit || project.notPublished.why !== not.why;
      if (isNews) step.emit({ type: "mainline.published", v: 1, project: project.id, commit, not });
      return done();
    }
    case "warning.see":
      seeWarning(step, input);
      return done();
    case "outputs.forget":
      return forgetOutputs(step, input);
    case "room.note":
      noteRoom(step, input);
      return done();
    case "trash.purge": {
      const missing = input.ids.find((id) => !step.state.trash.has(id));
      if (missing !== undefined) return refuse({ code: "not-found", kind: "trash", id: missing });
      if (input.ids.length > 0) step.emit({ type: "trash.purged", v: 1, ids: input.ids });
      return done();
    }
    case "agent.create":
    case "agent.start":
    case "agent.stop":
    case "agent.restart":
    case "agent.remove":
    case "agent.aside":
    case "agent.archive":
    case "agent.restore":
    case "agent.reload":
    case "agent.join":
    case "agent.part":
    case "agent.refresh":
    case "agent.assist":
    case "assistant.choose":
    case "hook.end":
    case "service.start":
    case "service.stop":
    case "service.restart":
    case "agent.made":
    case "agent.unmade":
    case "agent.ended":
    case "service.began":
    case "service.ended":
    case "service.judge":
    case "service.change":
      return decideAgent(step, input satisfies AgentInput);
    case "terminal.open":
    case "terminal.end":
    case "terminal.keyboard":
    case "terminal.rename":
    case "terminal.forget":
      return terminalInput(step, input);
    case "egress.try":
    case "egress.sum":
      return noteEgress(step, input);
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
    case "call.pass": {
      const passed = passCall(step, input);
      return passed.ok ? ok(() => ({ of: "call", call: passed.value })) : passed;
    }
    case "run.driven":
    case "run.back":
    case "run.say":
    case "run.ask":
    case "run.hear":
    case "run.finish":
    case "run.validated":
    case "landing.intend":
    case "landing.overtaken":
    case "run.landed":
    case "run.enter":
    case "run.place":
    case "run.stopped":
    case "works.find":
    case "run.rewound":
      return driverInput(step, input satisfies DriverInput);
    case "task.add":
    case "task.change":
    case "task.attach":
    case "task.detach":
    case "task.cancel":
    case "task.remove":
      return taskInput(step, input satisfies TaskInput);
    case "run.pause":
    case "run.resume":
    case "run.terminate":
    case "run.continue":
    case "run.retry":
    case "run.answer":
    case "run.steer":
    case "run.approve":
    case "run.reject":
    case "run.return":
    case "run.see":
    case "run.raise":
    case "run.remove":
    case "run.rewind":
    case "run.fork":
      return personInput(step, input satisfies PersonInput);
    default:
      return unreachable(input);
  }
}

/** The node brought the paths of a grant in step: its holder may act on them (LD6). */
function refreshed(step: Step, input: Extract<Input, { type: "lease.refreshed" }>): Result<Later, Refusal> {
  const { table } = step.state;
  const { claim, bases, commit, works, moved, conflicts } = input;
  const record = table.claims.get(claim);
  const family = record === undefined ? undefined : table.families.get(record.family);
  if (record === undefined || family === undefined) return refuse({ code: "not-found", kind: "claim", id: claim });
  const waits = [...family.leases.values()].some((lease) => lease.claim === claim && !lease.ready);
  if (waits) {
    const run = step.state.runs.get(step.state.runOfFamily.get(family.id) ?? "");
    const met = run === undefined ? [] : nameable(step, run, conflicts);
    const gone = run === undefined ? new Set() : setAside(step, run, met, "somebody else has changed the same place");
    const own = run === undefined ? [] : nameable(step, run, works).filter((work) => !gone.has(work.path));
    step.emit({ type: "lease.ready", v: 1, claim, family: family.id, bases, commit, works: own, moved });
  }
  return ok(() => ({ of: "claim", claim: answerClaim(step.state.table, claim) }));
}
