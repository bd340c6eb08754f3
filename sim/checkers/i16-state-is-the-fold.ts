// I16, I21, I23: the engine's state is the fold of the log, whole or from a snapshot on; and from the same log the same
// input gives the same decision, byte for byte.

import { canonical } from "../../src/base/canonical.ts";
import { decide } from "../../src/core/decide.ts";
import { evolve } from "../../src/core/evolve.ts";
import type { Logged } from "../../src/core/events.ts";
import type { Given } from "../../src/core/inputs.ts";
import { fromPlain, toPlain, type PlainState } from "../../src/core/snapshot.ts";
import { makeState, type State } from "../../src/core/state.ts";
import type { Checker, Standing, Watch } from "../world/watch.ts";

export function stateIsTheFold(): Checker {
  return {
    name: "I16 state is the fold",
    opened: compare,
    sample: compare,
    phase: (standing, watch) => {
      compare(standing, watch);
      compareDecisions(standing, watch);
    },
  };
}

function compare({ state, shadow }: Standing, { report }: Watch): void {
  const [is, should] = differ(toPlain(state), toPlain(shadow)) ?? ["", ""];
  if (is !== should) report("I16", `the state differs from the fold of the log: ${firstDifference(is, should)}`);
  for (const [name, of] of [
    ["slots", (each: State) => each.slots],
    ["keys", (each: State) => each.table.keys],
  ] as const) {
    if (canonical(of(state)) !== canonical(of(shadow))) report("I16", `the ${name} differ from the fold of the log`);
  }
}

/** Folds the log from the start, and from a snapshot taken now, and asks both the same questions. */
function compareDecisions({ texts, shadow }: Standing, { report }: Watch): void {
  const whole = makeState();
  for (const text of texts()) evolve(whole, JSON.parse(text) as Logged);
  settle(whole);
  const restored = fromPlain(JSON.parse(JSON.stringify(toPlain(shadow))) as PlainState);
  const lost = differ(toPlain(restored), toPlain(whole));
  if (lost !== undefined) report("I16", `a snapshot does not give the state back: ${firstDifference(...lost)}`);
  for (const { given, laterMs } of probes(whole)) {
    const nowMs = whole.atMs + laterMs;
    const different = differ(decide(restored, given, nowMs), decide(whole, given, nowMs));
    if (different === undefined) continue;
    return report(
      "I23",
      `${given.input.type} is decided differently after a snapshot: ${firstDifference(...different)}`,
    );
  }
}

/** Two values as text where they differ. Sorting keys is slow, and seldom needed. */
function differ(is: unknown, should: unknown): [string, string] | undefined {
  if (JSON.stringify(is) === JSON.stringify(should)) return undefined;
  const texts: [string, string] = [canonical(is), canonical(should)];
  return texts[0] === texts[1] ? undefined : texts;
}

function settle(state: State): void {
  state.table.recheck.freed.length = 0;
  state.table.recheck.claims.clear();
  state.table.recheck.slots = false;
}

function probes(state: State): { given: Given; laterMs: number }[] {
  const found: { given: Given; laterMs: number }[] = [];
  const ask = (input: Given["input"], laterMs = 1): void =>
    void found.push({ given: { actor: "person:probe", input }, laterMs });
  const project = [...state.projects.values()].find((each) => !each.removed)?.id ?? "";
  const claim = {
    type: "claim.make",
    project,
    as: "probe",
    priority: 2,
    key: "k",
    mode: "wait",
    ttlMs: 60_000,
    waitMs: null,
  } as const;
  ask({ ...claim, units: ["dir:src", "process:test"] });
  ask({ ...claim, key: null, as: "c1", units: ["file:doc"] });
  for (const run of [...state.runs.values()].slice(-6)) {
    ask({ type: "run.resume", run: run.id });
    ask({ type: "run.answer", run: run.id, text: "yes" });
    ask({ type: "run.back", run: run.id });
    ask({ type: "run.continue", run: run.id, message: "on" });
    ask({ type: "run.stopped", run: run.id, works: [] });
  }
  for (const laterMs of [5000, 21_000, 40_000, 700_000, 3_000_000]) ask({ type: "tick" }, laterMs);
  for (const run of [...state.runs.values()].slice(-6))
    ask({ type: "run.terminate", select: { by: "run", run: run.id }, because: "end" });
  return found;
}

function firstDifference(is: string, should: string): string {
  let at = 0;
  while (at < is.length && is[at] === should[at]) at++;
  return `…${is.slice(Math.max(0, at - 60), at + 60)}… instead of …${should.slice(Math.max(0, at - 60), at + 60)}…`;
}
