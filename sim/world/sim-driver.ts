// Drives one run through its script. It knows nothing that could not be lost: a new driver starts at the first step, hears
// that the early calls are done, and goes on from there.

import type { BeginCall, FinishCall, Input } from "../../src/core/inputs.ts";
import { type Failure, failureClasses } from "../../src/core/run/failure.ts";
import type { Outcome } from "../../src/engine/engine.ts";
import { type CallStep, DriverCall, toolOf, unitsOf } from "./driver-call.ts";
import { DriverTurns } from "./driver-turns.ts";
import { allows } from "./model-unit.ts";
import { hasEnded, type ModelCall, type ModelRun } from "./run-model.ts";
import { pickAgent } from "./people.ts";
import { callNumber, type Step } from "./script.ts";
import type { SimNode } from "./sim-node.ts";
import { worksOf } from "./sim-refresh.ts";

/** After how long a model that is away is asked again. */
const outageMs = 2500;
/** Longer than anybody waits whose work another could take over. */
const longOutageMs = 4_000_000;

export class SimDriver {
  readonly run: string;
  readonly family: string;
  readonly #node: SimNode;
  readonly #project: string;
  readonly #steps: readonly Step[];
  readonly #turns: DriverTurns;
  readonly #started = new Map<number, string>();
  #index = 0;
  /** The call that was last let through the door. */
  #open: DriverCall | undefined;
  /** What comes after a call beyond the script. */
  #then: (() => void) | undefined;
  /** Conflicts that it has looked at, those that it took for resolved before, and whether it has asked for what it lost. */
  readonly #looked = new Set<string>();
  readonly #blind = new Set<string>();
  #claimed = false;

  constructor(node: SimNode, run: ModelRun) {
    this.run = run.id;
    this.family = run.family;
    this.#node = node;
    this.#project = run.project;
    this.#steps = JSON.parse(run.script) as Step[];
    this.#turns = new DriverTurns(node, run);
  }

  get isAboutToAct(): boolean {
    return this.#open?.thinks === true && !this.isOver;
  }

  get isOver(): boolean {
    return this.#turns.isOver;
  }

  start(): void {
    this.#turns.ask({ type: "run.driven", run: this.run, family: this.family }, () => this.#next());
  }

  kill(): void {
    this.#turns.end();
  }

  /** Something about the run has changed: a call that waits looks again. */
  nudge(): void {
    this.#turns.nudge();
  }

  #goOn(): void {
    const then = this.#then;
    this.#then = undefined;
    if (then !== undefined) return then();
    this.#index++;
    this.#next();
  }

  #next(): void {
    const step = this.#steps[this.#index];
    if (step === undefined) return this.#wrapUp();
    const number = callNumber(this.#steps, this.#index);
    switch (step.do) {
      case "fail":
        return this.#fail();
      case "say":
      case "ask": {
        const type = step.do === "say" ? "run.say" : "run.ask";
        const input = { type, run: this.run, family: this.family, call: number, text: "hm" } as const;
        return this.#beHeard(() =>
          this.#turns.ask(input, (outcome) => (outcome.ok ? this.#goOn() : this.#turns.waitThen(() => this.#next()))),
        );
      }
      case "release": {
        const { units, setAside } = step;
        return this.#turns.ask({ type: "run.release", run: this.run, family: this.family, units, setAside }, () =>
          this.#goOn(),
        );
      }
      case "start":
        return this.#startRun(step);
      case "look":
        return this.#look(step, number);
      default:
        return this.#call(step, number);
    }
  }

  /** What a driver does at the end: heeds messages, resolves conflicts, looks around, claims again what was lost (LD20). */
  #wrapUp(): void {
    const { world } = this.#node;
    const run = world.model.runs.get(this.run);
    if (run === undefined) return;
    if (run.call !== null) return this.#takeUp(run.call, () => this.#wrapUp());
    const heeded = this.#node.heeded.get(this.run) ?? 0;
    if (heeded < run.messages) {
      return this.#extra({ do: "write", unit: "file:doc", bytes: 5 }, () => {
        this.#node.heeded.set(this.run, heeded + 1);
        this.#wrapUp();
      });
    }
    const [open] = [...run.conflicts].filter(([path]) => !this.#looked.has(path));
    if (open !== undefined) {
      const [path, theirs] = open;
      const resolve = { do: "resolve", unit: `file:${path}`, theirs } as const;
      // Some say that it is resolved before they have looked, and are told to look first.
      if (!this.#blind.has(path) && world.prng.chance(0.2)) {
        this.#blind.add(path);
        return this.#extra(resolve, () => this.#wrapUp());
      }
      this.#looked.add(path);
      // Some do not understand what they are asked to do.
      if (world.prng.chance(0.15)) return this.#wrapUp();
      return this.#extra({ do: "side", path, theirs }, () => this.#extra(resolve, () => this.#wrapUp()));
    }
    this.#extra({ do: "sweep" }, () => this.#claimCarried());
  }

  #claimCarried(): void {
    const { world } = this.#node;
    const run = world.model.runs.get(this.run);
    const carried = run === undefined || run.sub ? [] : [...run.dirty.keys()].filter((path) => !this.#holds(path));
    if (carried.length === 0 || this.#claimed) return this.#finish(true);
    world.sometimes("carried paths claimed again");
    // What cannot be had without a circle lands later, or is set aside at the end.
    this.#claimed = true;
    this.#extra({ do: "claim", units: carried.map((path) => `file:${path}`) }, () => this.#wrapUp());
  }

  #holds(path: string): boolean {
    const { model } = this.#node.world;
    const unit = model.unit(this.family, `file:${path}`);
    return model.leasesOf(this.family).some((lease) => !lease.quarantined && allows(lease.unit, unit));
  }

  /** A call beyond the script. Its number is whatever comes next; a call that an earlier driver left is taken up first. */
  #extra(step: CallStep, then: () => void): void {
    const run = this.#node.world.model.runs.get(this.run);
    if (run === undefined) return;
    if (run.call !== null) return this.#takeUp(run.call, () => this.#wrapUp());
    this.#then = then;
    this.#call(step, run.callsDone);
  }

  /** Ends a call that an earlier driver began: nobody knows how far it came, and what it changed is found by looking. */
  #takeUp(call: ModelCall, then: () => void): void {
    const begun = { ...call, tool: call.tool as BeginCall["tool"] };
    const end = (): FinishCall => ({
      ...this.#ended(call.number, { ok: false, summary: "taken up" }),
      works: worksOf(this.#node.world, this.run),
    });
    this.#whenOpen(begun, then, () => this.#turns.report(end, 0, then));
  }

  /** As an assistant does that cannot go on: it is tried again, or another one takes over, until nobody is left. */
  #fail(): void {
    const { model, sometimes, prng } = this.#node.world;
    const { runner, delays, handed } = model.runs.get(this.run) ?? { runner: "", delays: 0, handed: 0 };
    if (delays > 0) sometimes("tried again");
    // Some get further than the one before them.
    if (handed > 0 && prng.chance(0.4)) return this.#goOn();
    if (runner !== "script" && prng.chance(0.3)) return this.#hang(delays + handed);
    const kind = prng.chance(0.5) ? "outage" : prng.pick(failureClasses);
    const retryAfterMs = prng.pick([null, outageMs, delays > 0 ? outageMs : longOutageMs]);
    this.#finish(false, { class: kind, runner, life: delays + handed + 1, retryAfterMs, said: "" });
  }

  /** Whoever is no script is heard of before it says something: it is an assistant, which can be told something too. */
  #beHeard(then: () => void): void {
    const run = this.#node.world.model.runs.get(this.run);
    if (run === undefined || run.runner === "script") return then();
    this.#turns.ask(hearing(this.run, run.delays + run.handed + 1, 0, 0), then);
  }

  /** As an assistant does that owes a turn and says nothing any more: somebody has to notice, and take it up again. */
  #hang(failures: number): void {
    const { call = null } = this.#node.world.model.runs.get(this.run) ?? {};
    // What an earlier driver left open is answered first: whoever waits for that is not hung.
    if (call !== null) return this.#takeUp(call, () => this.#hang(failures));
    const life = failures + 1;
    const hear = (owes: number, then: () => void): void =>
      this.#turns.ask(hearing(this.run, life, 2 - owes, owes), then);
    const look = (): void => {
      const run = this.#node.world.model.runs.get(this.run);
      if (run === undefined) return;
      if (run.state !== "running" || run.delays + run.handed === failures) return this.#turns.waitThen(look);
      hear(0, () => this.#goOn());
    };
    hear(1, look);
  }

  #finish(ok: boolean, failure?: Failure): void {
    const input = { type: "run.finish", run: this.run, family: this.family, ok, message: "", failure } as const;
    this.#turns.ask(input, (outcome) => {
      // The driver before this one may have begun to wait already.
      const begun = this.#node.world.model.runs.get(this.run)?.call?.other ?? null;
      if (outcome.ok) {
        this.#turns.end();
        this.#node.driveAgain(this.run, this.family);
      } else if (outcome.refusal.code === "in-use" && outcome.refusal.kind === "run")
        this.#awaitRun(outcome.refusal.by, () =>
          // Not everyone looks around once more.
          this.#node.world.prng.chance(0.5) ? this.#again(ok) : this.#finish(ok),
        );
      else if (outcome.refusal.code === "out-of-order" && begun !== null) this.#awaitRun(begun, () => this.#again(ok));
      else if (outcome.refusal.code === "out-of-order") this.#turns.waitThen(() => this.#again(ok));
      else this.#turns.waitThen(() => this.#finish(ok));
    });
  }

  /** Others worked in the same workspace while it waited: it looks once more before it ends. */
  #again(ok: boolean): void {
    if (ok) this.#wrapUp();
    else this.#finish(false);
  }

  /** A run ends after its sub-runs. Waiting for one is a call: a run that only asked again would keep its slot (LS21). */
  #awaitRun(other: string, then: () => void): void {
    const { runs } = this.#node.world.model;
    const known = runs.get(other);
    if (known === undefined || hasEnded(known)) return this.#turns.waitThen(then);
    const number = runs.get(this.run)?.callsDone ?? 0;
    const end = this.#ended(number, { ok: true, summary: "" });
    this.#whenOpen({ number, tool: "wait-run", units: [], other }, then, () => this.#turns.ask(end, then));
  }

  /** Begins a call beyond the script, as often as it has to wait; `then` is what follows where it is done already. */
  #whenOpen(
    { number, tool, units, other }: Pick<ModelCall, "number" | "units" | "other"> & Pick<BeginCall, "tool">,
    then: () => void,
    act: () => void,
  ): void {
    const about = { run: this.run, family: this.family, call: number, tool, units, bytes: 0, other } as const;
    const look = (): void =>
      this.#turns.ask({ type: "call.begin", ...about }, (outcome) => {
        const state = outcome.ok && outcome.value.of === "call" ? outcome.value.call.state : "done";
        if (state === "waiting") return this.#turns.waitThen(look);
        if (state === "done") return this.#turns.waitThen(then);
        act();
      });
    look();
  }

  #ended(call: number, { ok, summary }: Pick<FinishCall, "ok" | "summary">): FinishCall {
    const { run, family } = this;
    return { type: "call.finish", run, family, call, ok, exit: null, summary, changed: [], works: [], output: null };
  }

  #startRun(step: Step & { do: "start" }): void {
    const index = this.#index;
    const { node } = this.#node.world.model.runs.get(this.run) ?? { node: this.#node.name };
    const input: Input = {
      type: "run.submit",
      project: this.#project,
      title: "started by a run",
      description: "",
      acceptance: null,
      runner: step.team ? "claude" : "script",
      profile: step.team ? "team" : null,
      node,
      priority: 1,
      tags: [],
      plan: step.plan,
      dependsOn: [],
      script: JSON.stringify(step.steps),
      parent: this.run,
      sub: step.sub,
      key: `${this.run}/${index}`,
      agent: step.sub ? null : pickAgent(this.#node.world, this.#project),
    };
    this.#turns.ask(input, (outcome) => {
      if (outcome.ok && outcome.value.of === "id") this.#started.set(index, outcome.value.id);
      this.#goOn();
    });
  }

  /** Looks, and records it in one step; where that is not possible now, it waits like any other call (RN37). */
  #look(step: Extract<Step, { do: "look" }>, call: number): void {
    const reads = [{ path: step.path, entry: this.#node.world.depot.workspaceOf(this.run).workOf(step.path) }];
    const about = { run: this.run, family: this.family, call, ok: true, summary: "looked" } as const;
    this.#turns.ask({ type: "call.pass", tool: "read", ...about, reads }, (outcome) => {
      this.#node.world.sometimes(outcome.ok ? "looked in one step" : "looked later");
      return outcome.ok ? this.#goOn() : this.#call(step, call);
    });
  }

  #call(step: CallStep, number: number): void {
    const other = step.do === "wait" ? (this.#started.get(step.of) ?? null) : null;
    const tool = toolOf(step, other);
    const input: Input = {
      type: "call.begin",
      run: this.run,
      family: this.family,
      call: number,
      tool,
      units: unitsOf(step),
      bytes: step.do === "write" ? step.bytes : 0,
      other,
      // Whoever does the same kind of thing again looks as if they went round in a circle.
      print: ["write", "run", "process"].includes(tool) ? tool : undefined,
    };
    this.#turns.ask(input, (outcome) => {
      if (!outcome.ok || outcome.value.of !== "call") return this.#refused(number, outcome);
      const { call } = outcome.value;
      if (call.state === "done") return this.#goOn();
      if (call.state === "waiting") return this.#turns.waitThen(() => this.#call(step, number));
      this.#open = new DriverCall(this.#turns, { step, number }, () => this.#goOn());
      this.#open.act(call.fences);
    });
  }

  /** Most refusals are recorded as the outcome of the call; one that is not would come again for ever. */
  #refused(number: number, outcome: Outcome): void {
    if (outcome.ok) return;
    const counted = (this.#node.world.model.runs.get(this.run)?.callsDone ?? 0) > number;
    if (outcome.refusal.code === "not-read") this.#node.world.sometimes("not resolved unseen");
    if (counted) this.#goOn();
    else if (outcome.refusal.code === "not-found") this.#call({ do: "sleep", ms: 1 }, number);
    else this.#turns.waitThen(() => this.#next());
  }
}

function hearing(run: string, life: number, upTo: number, owes: number): Extract<Input, { type: "run.hear" }> {
  return { type: "run.hear", run, life, upTo, told: 0, owes, items: [] };
}
