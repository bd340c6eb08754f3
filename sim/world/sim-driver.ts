// Drives one run through its script. It knows nothing that could not be lost: a new driver starts at the first step, hears
// that the early calls are done, and goes on from there.

import type { FinishCall, Input } from "../../src/core/inputs.ts";
import type { Outcome } from "../../src/engine/engine.ts";
import { unitFrom } from "./model-unit.ts";
import type { ModelRun } from "./run-model.ts";
import { callNumber, type Step } from "./script.ts";
import type { JournalEntry, SimNode } from "./sim-node.ts";
import type { Deed } from "./watch.ts";

type CallStep = Extract<Step, { do: "claim" | "write" | "process" | "sleep" | "wait" }>;

const pollMs = 6000;

export class SimDriver {
  readonly run: string;
  readonly family: string;
  readonly #node: SimNode;
  readonly #project: string;
  readonly #steps: readonly Step[];
  readonly #started = new Map<number, string>();
  #index = 0;
  #isOver = false;
  #thinks = false;
  /** Rises whenever the driver goes on, so that an old timer or answer finds itself late. */
  #turn = 0;
  #waiting: (() => void) | undefined;

  constructor(node: SimNode, run: ModelRun) {
    this.run = run.id;
    this.family = run.family;
    this.#node = node;
    this.#project = run.project;
    const extra = Array.from({ length: run.messages }, (): Step => ({ do: "write", unit: "file:doc", bytes: 5 }));
    this.#steps = [...(JSON.parse(run.script) as Step[]), ...extra];
  }

  get isAboutToAct(): boolean {
    return this.#thinks && !this.#isOver;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  start(): void {
    this.#ask({ type: "run.driven", run: this.run, family: this.family }, () => this.#next());
  }

  kill(): void {
    this.#isOver = true;
  }

  /** Something about the run has changed: a call that waits looks again. */
  nudge(): void {
    const look = this.#waiting;
    this.#waiting = undefined;
    look?.();
  }

  #ask(input: Input, onOutcome: (outcome: Outcome) => void): void {
    const turn = ++this.#turn;
    this.#node.ask(
      input,
      (outcome) => {
        if (this.#isOver || turn !== this.#turn) return;
        if (!outcome.ok && this.#isOvertaken(outcome.refusal.code)) return;
        onOutcome(outcome);
      },
      `agent:${this.run}`,
    );
  }

  #isOvertaken(code: string): boolean {
    const run = this.#node.world.model.runs.get(this.run);
    if (code === "expired") {
      this.#isOver = true;
      this.#node.back(this.run);
    } else if (
      code === "wrong-state" &&
      run !== undefined &&
      ["done", "failed", "rejected", "terminated"].includes(run.state)
    ) {
      this.#isOver = true;
    }
    return this.#isOver;
  }

  #after(delayMs: number, run: () => void): void {
    const turn = ++this.#turn;
    this.#node.after(delayMs, () => {
      if (!this.#isOver && turn === this.#turn) run();
    });
  }

  #waitThen(look: () => void): void {
    this.#waiting = look;
    this.#after(pollMs, () => this.nudge());
  }

  #goOn(): void {
    this.#index++;
    this.#next();
  }

  #next(): void {
    const step = this.#steps[this.#index];
    if (step === undefined) return this.#finish(true);
    const number = callNumber(this.#steps, this.#index);
    switch (step.do) {
      case "fail":
        return this.#finish(false);
      case "say":
      case "ask": {
        const type = step.do === "say" ? "run.say" : "run.ask";
        const input = { type, run: this.run, family: this.family, call: number, text: "hm" } as const;
        return this.#ask(input, (outcome) => (outcome.ok ? this.#goOn() : this.#waitThen(() => this.#next())));
      }
      case "release": {
        const { units, setAside } = step;
        return this.#ask({ type: "run.release", run: this.run, family: this.family, units, setAside }, () =>
          this.#goOn(),
        );
      }
      case "start":
        return this.#startRun(step);
      default:
        return this.#call(step, number);
    }
  }

  #finish(ok: boolean): void {
    const input = { type: "run.finish", run: this.run, family: this.family, ok, message: "" } as const;
    this.#ask(input, (outcome) => {
      // The driver before this one may have begun to wait already.
      const begun = this.#node.world.model.runs.get(this.run)?.call?.other ?? null;
      if (outcome.ok) this.#isOver = true;
      else if (outcome.refusal.code === "in-use") this.#awaitRun(outcome.refusal.by, () => this.#finish(ok));
      else if (outcome.refusal.code === "out-of-order" && begun !== null) this.#awaitRun(begun, () => this.#finish(ok));
      else this.#waitThen(() => this.#finish(ok));
    });
  }

  /** A run ends after its sub-runs. Waiting for one is a call: a run that only asked again would keep its slot (LS21). */
  #awaitRun(other: string, then: () => void): void {
    const call = this.#node.world.model.runs.get(this.run)?.callsDone ?? 0;
    const base = { run: this.run, family: this.family, call } as const;
    const look = (): void =>
      this.#ask({ ...base, type: "call.begin", tool: "wait-run", units: [], bytes: 0, other }, (outcome) => {
        const state = outcome.ok && outcome.value.of === "call" ? outcome.value.call.state : "done";
        if (state === "waiting") return this.#waitThen(look);
        if (state === "done") return this.#waitThen(then);
        const ended = { ok: true, exit: null, summary: "", changed: [], dirty: [], clean: [], output: null };
        this.#ask({ ...base, ...ended, type: "call.finish" }, then);
      });
    look();
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
      runner: "script",
      profile: null,
      node,
      priority: 1,
      tags: [],
      plan: step.plan,
      dependsOn: [],
      script: JSON.stringify(step.steps),
      parent: this.run,
      sub: step.sub,
      key: `${this.run}/${index}`,
    };
    this.#ask(input, (outcome) => {
      if (outcome.ok && outcome.value.of === "id") this.#started.set(index, outcome.value.id);
      this.#goOn();
    });
  }

  #call(step: CallStep, number: number): void {
    const other = step.do === "wait" ? (this.#started.get(step.of) ?? null) : null;
    const tool = step.do === "wait" ? (other === null ? "sleep" : "wait-run") : step.do;
    const input: Input = {
      type: "call.begin",
      run: this.run,
      family: this.family,
      call: number,
      tool,
      units: unitsOf(step),
      bytes: step.do === "write" ? step.bytes : 0,
      other,
    };
    this.#ask(input, (outcome) => {
      if (!outcome.ok || outcome.value.of !== "call") return this.#refused(number, outcome);
      const { call } = outcome.value;
      if (call.state === "done") return this.#goOn();
      if (call.state === "waiting") return this.#waitThen(() => this.#call(step, number));
      this.#act(step, number, call.fences);
    });
  }

  /** Most refusals are recorded as the outcome of the call; one that is not would come again for ever. */
  #refused(number: number, outcome: Outcome): void {
    if (outcome.ok) return;
    const counted = (this.#node.world.model.runs.get(this.run)?.callsDone ?? 0) > number;
    if (counted) this.#goOn();
    else if (outcome.refusal.code === "not-found") this.#call({ do: "sleep", ms: 1 }, number);
    else this.#waitThen(() => this.#next());
  }

  /** The door is open: do it once. What the journal knows was done is not done again. */
  #act(step: CallStep, number: number, fences: readonly number[]): void {
    const key = `${this.run}#${number}`;
    const known = this.#node.journal.get(key);
    if (known !== undefined) return this.#tell(step, number, known.ended ?? { ok: false, exit: "unknown" });
    if (step.do === "sleep") return this.#after(step.ms, () => this.#tell(step, number, { ok: true, exit: null }));
    if (step.do !== "write" && step.do !== "process") return this.#tell(step, number, { ok: true, exit: null });
    const { prng } = this.#node.world;
    const usualMs = prng.chance(0.4) ? prng.between(1, prng.chance(0.4) ? 25_000 : 4000) : 0;
    const thinkMs = (step.do === "write" ? step.thinkMs : undefined) ?? usualMs;
    this.#thinks = true;
    this.#after(thinkMs, () => {
      this.#thinks = false;
      this.#do(step, number, fences[0] ?? 0);
    });
  }

  #do(step: Extract<Step, { do: "write" | "process" }>, number: number, fence: number): void {
    const { world } = this.#node;
    const place = world.link();
    if (place === undefined) return this.#after(500, () => this.#do(step, number, fence));
    const project = world.model.projects.get(this.#project);
    if (project === undefined) return;
    const answer = place.check(this.#project, { family: this.family, fence, unit: step.unit });
    if (answer !== "ok") {
      world.sometimes(`refused at the resource: ${answer}`);
      return this.#tell(step, number, { ok: false, exit: null });
    }
    const unit = unitFrom(step.unit, project, this.family);
    const { name: node } = this.#node;
    const deed: Deed = {
      kind: step.do,
      project: this.#project,
      unit,
      family: this.family,
      fence,
      run: this.run,
      call: number,
      node,
    };
    const key = `${this.run}#${number}`;
    if (step.do === "write") {
      world.ground.write(deed);
      this.#node.journal.set(key, { ended: { ok: true, exit: null } });
      return this.#tell(step, number, { ok: true, exit: null });
    }
    this.#node.journal.set(key, { ended: null });
    world.ground.start(deed);
    this.#node.after(step.ms, () => {
      if (!world.ground.isRunning(deed)) return;
      const ended = world.ground.finish(deed);
      this.#node.journal.set(key, { ended });
      if (!this.#isOver) this.#tell(step, number, ended);
    });
  }

  #tell(step: CallStep, number: number, ended: NonNullable<JournalEntry["ended"]>): void {
    const path = step.do === "write" ? step.unit.slice("file:".length) : "";
    const wrote = step.do === "write" && ended.ok;
    const input: FinishCall = {
      type: "call.finish",
      run: this.run,
      family: this.family,
      call: number,
      ok: ended.ok,
      exit: step.do === "process" ? ended.exit : null,
      summary: ended.ok ? "done" : "not done",
      changed: wrote ? [{ path, bytes: step.bytes }] : [],
      dirty: wrote ? [path] : [],
      clean: [],
      output: null,
    };
    this.#ask(input, () => this.#goOn());
  }
}

function unitsOf(step: CallStep): readonly string[] {
  if (step.do === "claim") return step.units;
  return step.do === "write" || step.do === "process" ? [step.unit] : [];
}
