// What nodes and drivers report: a driver is there, says something, asks, finishes; a result was tried, brought home, or
// everything of a run is proven gone. Every report may come twice, late, or from a driver that was overtaken.

import { unreachable } from "../../base/assert.ts";
import { refuse, type Result } from "../../base/result.ts";
import { done, type Later } from "../later.ts";
import type { Input, Refusal } from "../inputs.ts";
import { familyOf } from "../lease/lease-state.ts";
import { runOf } from "../state.ts";
import type { Step } from "../step.ts";
import { kinOf, runForCall } from "./call-decide.ts";
import { afterValidation, goOn, moveFamily, moveRun, openFamily } from "./run-flow.ts";
import { familyName, type Run } from "./run-state.ts";
import { isOver } from "./run-states.ts";

export type DriverInput = Extract<
  Input,
  {
    type: "run.driven" | "run.back" | "run.say" | "run.ask" | "run.finish" | "run.validated" | "run.landed" | "run.stopped";
  }
>;

export function driverInput(step: Step, input: DriverInput): Result<Later, Refusal> {
  const { state } = step;
  if (!state.runs.has(input.run)) return refuse({ code: "not-found", kind: "run", id: input.run });
  const run = runOf(state, input.run);
  switch (input.type) {
    case "run.driven":
      if (run.state === "starting" && run.family === input.family && !run.lost) moveRun(step, run, "running", null);
      return done();
    case "run.back":
      return comeBack(step, run);
    case "run.say":
    case "run.ask":
      return speak(step, input);
    case "run.finish":
      return finish(step, input);
    case "run.validated":
      if (run.state !== "validating") return done();
      if (input.ok) afterValidation(step, run);
      else moveRun(step, run, "running", input.message);
      return done();
    case "run.landed":
      if (run.state !== "landing") return done();
      if (input.ok) moveRun(step, run, "done", null);
      else {
        moveFamily(step, familyOf(state.table, run.family), "live", null);
        goOn(step, run, input.message);
      }
      return done();
    case "run.stopped":
      if (isOver(run.state) && !run.stopped) step.emit({ type: "run.stopped", v: 1, run: run.id });
      return done();
    default:
      return unreachable(input);
  }
}

/** The node of a run that lost its leases answers again: the run goes on as a new family (LS31). */
function comeBack(step: Step, run: Run): Result<Later, Refusal> {
  if (!run.lost || run.sub || isOver(run.state)) return done();
  const incarnation = run.incarnation + 1;
  const family = familyName(run.id, incarnation);
  for (const member of kinOf(step.state, run)) {
    if (!member.lost || isOver(member.state)) continue;
    step.emit({ type: "run.revived", v: 1, run: member.id, family, incarnation });
  }
  openFamily(step, run, incarnation);
  for (const member of kinOf(step.state, run)) {
    if (member.state === "parked") goOn(step, member, "its node is back");
  }
  return done();
}

type Speech = Extract<Input, { type: "run.say" | "run.ask" }>;

function speak(step: Step, input: Speech): Result<Later, Refusal> {
  const found = runForCall(step.state, input);
  if (!found.ok) return found;
  const run = found.value;
  if (input.call < run.callsDone) return done();
  if (input.call > run.callsDone || run.call !== null) {
    return refuse({ code: "out-of-order", run: run.id, call: input.call, next: run.callsDone });
  }
  if (run.state !== "running") return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted: "running" });
  if (input.type === "run.say") {
    step.emit({ type: "run.said", v: 1, run: run.id, text: input.text });
    return done();
  }
  step.emit({ type: "run.asked", v: 1, run: run.id, question: step.nextId("q"), text: input.text });
  moveRun(step, run, "awaiting-input", input.text);
  return done();
}

type Finish = Extract<Input, { type: "run.finish" }>;

function finish(step: Step, input: Finish): Result<Later, Refusal> {
  const found = runForCall(step.state, input);
  if (!found.ok) return found;
  const run = found.value;
  if (!input.ok) {
    moveRun(step, run, "failed", input.message);
    return done();
  }
  if (run.state !== "running") return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted: "running" });
  moveRun(step, run, "validating", input.message === "" ? null : input.message);
  const acceptance = step.state.tasks.get(run.task)?.acceptance ?? null;
  if (acceptance === null || run.sub) afterValidation(step, run);
  return done();
}
