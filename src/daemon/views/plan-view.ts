// What a run planned, and what became of it. A script is read again, and its steps are told apart by their calls: each has one,
// in order, except for giving back and for failing.

import { listObstacles } from "../../core/lease/obstacles.ts";
import { projectOf } from "../../core/lease/lease-state.ts";
import { parseUnit } from "../../core/lease/unit.ts";
import type { Run as CoreRun } from "../../core/run/run-state.ts";
import type { State } from "../../core/state.ts";
import { makesCall, type PlainStep } from "../../protocol/script.ts";
import type { Plan, PlannedStep, StepState } from "../../protocol/wire/plan.ts";
import { overStates, type Run } from "../../protocol/wire/run.ts";

const aboutCharsMax = 200;

export function toPlannedUnits(state: State, run: CoreRun, shown: Run): Plan["units"] {
  const held = new Set(shown.holds);
  const hasBegun = run.startedAtMs !== null || overStates.includes(shown.state);
  const { rule } = projectOf(state.table, run.project);
  return shown.plan.map((text) => {
    if (held.has(text)) return { unit: text, state: "held", behind: [] };
    if (hasBegun) return { unit: text, state: "given-back", behind: [] };
    const parsed = parseUnit(text, rule, run.family);
    const family = { id: run.family, project: run.project };
    const inTheWay = parsed.ok ? listObstacles(state.table, family, [parsed.value], { rankMax: -1 }) : [];
    const behind = [...new Set(inTheWay.map(({ holder }) => holder))];
    return { unit: text, state: behind.length > 0 ? "waiting" : "free", behind };
  });
}

/** The steps of a script as they stand with a run; `failedCall` is the call that ended it, null where none did. */
export function toPlannedSteps(steps: readonly PlainStep[], run: Run, failedCall: number | null = null): PlannedStep[] {
  const isOver = overStates.includes(run.state);
  const failedAt = failedStep(steps, run, failedCall);
  const calls = steps.filter(makesCall).length;
  let next = 0;
  return steps.map((step, at) => {
    const call = makesCall(step) ? next++ : null;
    const state = at === failedAt ? "failed" : stateOf(step, call);
    return { number: at + 1, do: step.do, about: aboutOf(step), call, state, behind: behindAt(state) };
  });

  function stateOf(step: PlainStep, call: number | null): StepState {
    const isPast = step.do !== "fail" && (call === null ? isPassed(next) : call < run.callsDone);
    // A question counts as made when it is asked, and stands until it is answered.
    if (isPast) return run.question !== null && call === run.callsDone - 1 ? "waiting" : "done";
    if (isOver) return "skipped";
    if (call === null || call !== run.call?.number) return "pending";
    return run.call.started ? "running" : "waiting";
  }

  /** Whether a step that is no call lies behind: one after it has begun, or the run has come to its end. */
  function isPassed(following: number): boolean {
    return run.callsDone > following || run.call?.number === following || run.callsDone > calls;
  }

  function behindAt(state: StepState): string[] {
    if (state !== "waiting") return [];
    return run.question === null ? [...run.behind] : ["a person"];
  }
}

/**
 * Which step the run failed at: a script ends with the first call that fails, or with a step that says so. A run fails for other
 * reasons, too.
 */
function failedStep(steps: readonly PlainStep[], run: Run, failedCall: number | null): number | undefined {
  if (run.state !== "failed") return undefined;
  const calls = steps.flatMap((step, at) => (makesCall(step) ? [at] : []));
  if (failedCall !== null) return calls[failedCall];
  const [from, to] = [calls[run.callsDone - 1] ?? -1, calls[run.callsDone] ?? steps.length];
  const at = steps.findIndex((step, index) => index > from && index < to && step.do === "fail");
  const step = steps[at];
  return step?.do === "fail" && step.text === run.because ? at : undefined;
}

function aboutOf(step: PlainStep): string {
  const line = wordsOf(step).replaceAll(/\s+/g, " ").trim();
  return line.length > aboutCharsMax ? `${line.slice(0, aboutCharsMax)}…` : line;
}

function wordsOf(step: PlainStep): string {
  switch (step.do) {
    case "claim":
      return step.units.join(", ");
    case "release":
      return step.units === null ? "all" : step.units.join(", ");
    case "move":
      return `${step.path} → ${step.to}`;
    case "patch":
      return step.changes.map(({ path }) => path).join(", ");
    case "run":
      return commandOf(step.command.argv);
    case "start":
      return `${step.name}: ${commandOf(step.command.argv)}`;
    case "input":
    case "output":
    case "stop":
    case "process":
      return step.name;
    case "sleep":
      return step.ms < 1000 ? `${step.ms} ms` : `${step.ms / 1000} s`;
    case "search":
    case "say":
    case "ask":
    case "fail":
      return step.text;
    default:
      return step.path;
  }
}

/** What somebody wrote as one line of a shell is shown as that. */
function commandOf(argv: readonly string[]): string {
  const [shell, flag, line] = argv;
  return shell === "/bin/sh" && flag === "-c" && line !== undefined ? line : argv.join(" ");
}
