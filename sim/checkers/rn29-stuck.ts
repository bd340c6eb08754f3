// RN29, RN34, RN35: whoever gets nowhere is said to be stuck: not before the policies' limit, not later, and once, unless another reason
// wants more done; what policies want done about it is done with it; and an assistant that owes a turn and waits for nothing is taken up again.

import type { Logged } from "../../src/core/events.ts";
import type { StuckAct } from "../../src/core/policy/policy.ts";
import { hasEnded, type ModelRun } from "../world/run-model.ts";
import type { Checker, Watch } from "../world/watch.ts";
import { ruleOf } from "./reference.ts";

type Why = "silent" | "loop" | "tools";

type Look = {
  activeMs: number;
  /** What is said of the run now. */
  said: Why | null;
  act: StuckAct;
  print: string | undefined;
  same: number;
  errors: number;
  owes: number;
  life: number;
  /** The life of its assistant that is known to have failed. */
  failedLife: number;
};

/** Not signs of work: what is said of a run, what becomes of its result, and what people do in its workspace. */
const still = [
  "run.seen",
  "run.escalated",
  "run.approved",
  "run.landed",
  "run.conflicted",
  "run.rewound",
  "run.removed",
  "outputs.forgotten",
];
const limits = { silent: "stuckAfterMs", loop: "stuckAfterRepeats", tools: "stuckAfterToolErrors" } as const;
const usual = { silent: 900_000, loop: 8, tools: 20 } as const;
const acts = { silent: "onSilent", loop: "onLoop", tools: "onToolErrors" } as const;
const usualActs = { silent: "tell", loop: "nudge", tools: "nudge" } as const;
const strength: readonly StuckAct[] = ["tell", "nudge", "pause", "stop"];
const canBePaused = ["queued", "starting", "running", "blocked", "parked", "awaiting-input"];
/** What has to follow in the same batch. */
const followsFrom = { tell: undefined, nudge: "told", pause: "paused", stop: "ended" } as const;
type Owed = Why | "taken up" | "told" | "paused" | "ended";

/** Who should have been told of, seen at which moment first. */
type Late = { readonly activeMs: number; readonly sinceMs: number };

export function stuckIsSaid(): Checker {
  const looks = new Map<string, Look>();
  /** What has to be in the log before this batch ends, by run. */
  const owed = new Map<string, Set<Owed>>();
  const owe = (run: string, what: Owed): void => void owed.set(run, (owed.get(run) ?? new Set()).add(what));
  const hasPaid = (run: string, what: Owed): boolean => owed.get(run)?.delete(what) === true;
  /** Runs that should have been said to be silent, and since when, as the batch before left them. */
  let late = new Map<string, Late>();
  const limitOf = (run: ModelRun, why: Why, { model }: Watch): number =>
    (ruleOf(model, run, limits[why]) as number | undefined) ?? usual[why];

  const judge = (event: Logged & { type: "run.stuck" }, run: ModelRun, look: Look, watch: Watch): void => {
    const { report, sometimes } = watch;
    const { why } = event;
    if (why === "errors") return;
    sometimes(`stuck: ${why}`);
    const got = { silent: event.atMs - look.activeMs, loop: look.same, tools: look.errors }[why];
    const limit = limitOf(run, why, watch);
    if (got < limit) report("RN29", `run ${run.id} is said to be stuck (${why}) at ${got} of ${limit}`);
    const isHung = why === "silent" && run.call === null && look.owes > 0;
    const wanted = actFor(run, why, look, isHung, watch);
    if (look.said === why || (why !== "silent" && look.said !== null && !isStronger(wanted, look.act)))
      report("RN29", `run ${run.id} is said to be stuck (${why}), and was already (${look.said}, ${look.act})`);
    if (look.said !== null && why !== "silent") sometimes("stuck: stronger");
    if (why === "silent" && run.state !== "running") report("RN29", `run ${run.id} is ${run.state}, and called silent`);
    look.said = why;
    look.act = event.act ?? "tell";
    hasPaid(run.id, why);
    if (look.act !== wanted) report("RN35", `run ${run.id} is stuck (${why}): ${look.act} instead of ${wanted}`);
    sometimes(`stuck: ${wanted}`);
    const isTakenUp = isHung && wanted === "tell" && look.life > look.failedLife;
    const next = isTakenUp ? "taken up" : followsFrom[wanted];
    if (next !== undefined) owe(run.id, next);
  };

  const expect = (run: ModelRun, look: Look, watch: Watch, ...causes: readonly ("loop" | "tools")[]): void => {
    let { said, act } = look;
    for (const each of causes) {
      const count = each === "loop" ? look.same : look.errors;
      const wanted = actFor(run, each, look, false, watch);
      if (count < Math.max(2, limitOf(run, each, watch)) || said === each) continue;
      if (said !== null && !isStronger(wanted, act)) continue;
      owe(run.id, each);
      [said, act] = [each, wanted];
    }
  };

  return {
    name: "RN29 stuck is said",
    before: (event, watch) => {
      if (event.type === "run.submitted") {
        const nothing = {
          said: null,
          act: "tell" as const,
          print: undefined,
          same: 0,
          errors: 0,
          owes: 0,
          life: -1,
          failedLife: -1,
        };
        looks.set(event.run, { activeMs: event.atMs, ...nothing });
        return;
      }
      if (!/^(run|call)\./.test(event.type) || still.includes(event.type) || !("run" in event)) return;
      const run = watch.model.runs.get(event.run ?? "");
      const look = looks.get(event.run ?? "");
      if (run === undefined || look === undefined) return;
      if (event.type === "run.stuck") return judge(event, run, look, watch);
      if (event.type === "run.messaged" && event.nudge === true) {
        if (!hasPaid(run.id, "told")) watch.report("RN35", `run ${run.id} is told something that nobody wanted`);
        return;
      }
      look.activeMs = event.atMs;
      if (look.said === "silent" && !isKeptInSight(look, run, event)) look.said = null;
      switch (event.type) {
        case "call.queued":
          note(look, run, event);
          return expect(run, look, watch, "loop");
        case "call.refused":
          note(look, run, event);
          look.errors++;
          return expect(run, look, watch, "loop", "tools");
        case "call.finished":
          look.errors = event.ok ? 0 : look.errors + 1;
          if (event.ok && look.said === "tools") look.said = null;
          return expect(run, look, watch, "tools");
        case "run.heard":
          look.owes = event.owes;
          look.life = event.life;
          return;
        case "run.delayed":
          look.failedLife = event.life;
          owed.delete(run.id);
          return watch.sometimes(event.failure === "hung" ? "hung and taken up again" : "taken up again");
        case "run.handed":
          owed.delete(run.id);
          Object.assign(look, { owes: 0, failedLife: -1, errors: 0 });
          if (look.said === "tools") look.said = null;
          return;
        case "run.moved":
          if (event.to === "paused") hasPaid(run.id, "paused");
          if (!["done", "failed", "rejected", "terminated"].includes(event.to)) return;
          owed.delete(run.id);
          Object.assign(look, { said: null, print: undefined, same: 0, errors: 0 });
          return;
        default:
          return;
      }
    },
    batch: (_, watch) => {
      const { model, report } = watch;
      for (const [id, all] of owed)
        for (const what of all)
          report("RN29", `run ${id} should be ${what in usual ? `said to be stuck (${what})` : what}`);
      owed.clear();
      const now = new Map<string, Late>();
      for (const run of model.runs.values()) {
        const look = looks.get(run.id);
        if (look === undefined || hasEnded(run) || run.state !== "running" || look.said === "silent") continue;
        if (model.atMs - look.activeMs < limitOf(run, "silent", watch)) continue;
        // A policy that has just changed counts from the next moment on; an engine that opens right then is no moment of its own.
        const before = late.get(run.id);
        const sinceMs = before?.activeMs === look.activeMs ? before.sinceMs : model.atMs;
        if (sinceMs < model.atMs) report("RN29", `run ${run.id} is silent since ${look.activeMs}, and nobody is told`);
        now.set(run.id, { activeMs: look.activeMs, sinceMs });
      }
      late = now;
    },
  };
}

/** What policies want done about it, where that can be done. */
function actFor(run: ModelRun, why: Why, look: Look, isHung: boolean, { model }: Watch): StuckAct {
  const wanted = ruleOf(model, run, acts[why]) ?? usualActs[why];
  if (wanted === "stop") return wanted;
  const cannot = wanted === "nudge" ? look.life < 0 : !canBePaused.includes(run.state);
  return isHung || cannot ? "tell" : wanted;
}

function isStronger(act: StuckAct, than: StuckAct): boolean {
  return strength.indexOf(act) > strength.indexOf(than);
}

/** One that a policy has paused for it does not work by that. */
function isKeptInSight({ act }: Look, run: ModelRun, event: Logged): boolean {
  return act === "pause" && (run.state === "paused" ? event.type !== "run.moved" : isPausing(event));
}

function isPausing(event: Logged): boolean {
  return event.type === "run.moved" && event.to === "paused";
}

/** A call that is queued again is not another one. */
function note(look: Look, { call }: ModelRun, event: Logged & { type: "call.queued" | "call.refused" }): void {
  if (call?.number === event.call) return;
  const isSame = event.print !== undefined && event.print === look.print;
  look.same = event.print === undefined ? 0 : isSame ? look.same + 1 : 1;
  look.print = event.print;
  if (!isSame && look.said === "loop") look.said = null;
}
