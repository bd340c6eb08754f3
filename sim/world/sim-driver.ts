// Drives one run through its script. It knows nothing that could not be lost: a new driver starts at the first step, hears
// that the early calls are done, and goes on from there.

import type { BeginCall, FinishCall, Input } from "../../src/core/inputs.ts";
import type { Entry } from "../../src/core/landing/entry.ts";
import { type Failure, failureClasses } from "../../src/core/run/failure.ts";
import type { Outcome } from "../../src/engine/engine.ts";
import { allows, unitFrom } from "./model-unit.ts";
import { hasEnded, type ModelCall, type ModelRun } from "./run-model.ts";
import { pickAgent } from "./people.ts";
import { callNumber, type Step } from "./script.ts";
import type { JournalEntry, SimNode } from "./sim-node.ts";
import { worksOf } from "./sim-refresh.ts";
import type { Deed } from "./watch.ts";

type CallStep =
  | Extract<Step, { do: "claim" | "write" | "command" | "process" | "sleep" | "look" | "wait" }>
  /** Looks at the whole workspace. */
  | { readonly do: "sweep" }
  /** Makes one of its own side and mainline's. */
  | { readonly do: "resolve"; readonly unit: string; readonly theirs: Entry };

type FinishTool = BeginCall["tool"];

const pollMs = 6000;
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
  readonly #started = new Map<number, string>();
  #index = 0;
  #isOver = false;
  #thinks = false;
  /** Rises whenever the driver goes on, so that an old timer or answer finds itself late. */
  #turn = 0;
  #waiting: (() => void) | undefined;
  /** What comes after a call beyond the script. */
  #then: (() => void) | undefined;
  /** Conflicts that it has looked at, and whether it has asked for what it lost. */
  readonly #looked = new Set<string>();
  #claimed = false;

  constructor(node: SimNode, run: ModelRun) {
    this.run = run.id;
    this.family = run.family;
    this.#node = node;
    this.#project = run.project;
    this.#steps = JSON.parse(run.script) as Step[];
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
      this.#looked.add(path);
      // Some do not understand what they are asked to do.
      if (world.prng.chance(0.15)) return this.#wrapUp();
      return this.#extra({ do: "resolve", unit: `file:${path}`, theirs }, () => this.#wrapUp());
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
    const base = { run: this.run, family: this.family, call: call.number } as const;
    const { tool, units, other } = call;
    const look = (): void =>
      this.#ask({ ...base, type: "call.begin", tool: tool as FinishTool, units, bytes: 0, other }, (outcome) => {
        const state = outcome.ok && outcome.value.of === "call" ? outcome.value.call.state : "done";
        if (state === "waiting") return this.#waitThen(look);
        if (state === "done") return this.#waitThen(then);
        this.#report(
          () => {
            const works = worksOf(this.#node.world, this.run);
            const ended = { ok: false, exit: null, summary: "taken up", changed: [], works, output: null };
            return { ...base, ...ended, type: "call.finish" };
          },
          0,
          then,
        );
      });
    look();
  }

  /** As an assistant does that cannot go on: it is tried again, or another one takes over, until nobody is left. */
  #fail(): void {
    const { model, sometimes, prng } = this.#node.world;
    const { runner, delays, handed } = model.runs.get(this.run) ?? { runner: "", delays: 0, handed: 0 };
    if (delays > 0) sometimes("tried again");
    // Some get further than the one before them.
    if (handed > 0 && prng.chance(0.4)) return this.#goOn();
    const kind = prng.chance(0.5) ? "outage" : prng.pick(failureClasses);
    const retryAfterMs = prng.pick([null, outageMs, delays > 0 ? outageMs : longOutageMs]);
    this.#finish(false, { class: kind, runner, life: delays + handed + 1, retryAfterMs, said: "" });
  }

  #finish(ok: boolean, failure?: Failure): void {
    const input = { type: "run.finish", run: this.run, family: this.family, ok, message: "", failure } as const;
    this.#ask(input, (outcome) => {
      // The driver before this one may have begun to wait already.
      const begun = this.#node.world.model.runs.get(this.run)?.call?.other ?? null;
      if (outcome.ok) {
        this.#isOver = true;
        this.#node.driveAgain(this.run, this.family);
      } else if (outcome.refusal.code === "in-use" && outcome.refusal.kind === "run")
        this.#awaitRun(outcome.refusal.by, () =>
          // Not everyone looks around once more.
          this.#node.world.prng.chance(0.5) ? this.#again(ok) : this.#finish(ok),
        );
      else if (outcome.refusal.code === "out-of-order" && begun !== null) this.#awaitRun(begun, () => this.#again(ok));
      else if (outcome.refusal.code === "out-of-order") this.#waitThen(() => this.#again(ok));
      else this.#waitThen(() => this.#finish(ok));
    });
  }

  /** Others worked in the same workspace while it waited: it looks once more before it ends. */
  #again(ok: boolean): void {
    if (ok) this.#wrapUp();
    else this.#finish(false);
  }

  /** A run ends after its sub-runs. Waiting for one is a call: a run that only asked again would keep its slot (LS21). */
  #awaitRun(other: string, then: () => void): void {
    const known = this.#node.world.model.runs.get(other);
    if (known === undefined || hasEnded(known)) return this.#waitThen(then);
    const call = this.#node.world.model.runs.get(this.run)?.callsDone ?? 0;
    const base = { run: this.run, family: this.family, call } as const;
    const look = (): void =>
      this.#ask({ ...base, type: "call.begin", tool: "wait-run", units: [], bytes: 0, other }, (outcome) => {
        const state = outcome.ok && outcome.value.of === "call" ? outcome.value.call.state : "done";
        if (state === "waiting") return this.#waitThen(look);
        if (state === "done") return this.#waitThen(then);
        const ended = { ok: true, exit: null, summary: "", changed: [], works: [], output: null };
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
    this.#ask(input, (outcome) => {
      if (outcome.ok && outcome.value.of === "id") this.#started.set(index, outcome.value.id);
      this.#goOn();
    });
  }

  /** Looks, and records it in one step; where that is not possible now, it waits like any other call (RN37). */
  #look(step: Extract<Step, { do: "look" }>, call: number): void {
    const reads = [{ path: step.path, entry: this.#node.world.depot.workspaceOf(this.run).workOf(step.path) }];
    const about = { run: this.run, family: this.family, call, ok: true, summary: "looked" } as const;
    this.#ask({ type: "call.pass", tool: "read", ...about, reads }, (outcome) => {
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
    if (step.do === "command") return this.#command(step, number);
    if (step.do !== "write" && step.do !== "process" && step.do !== "resolve")
      return this.#tell(step, number, { ok: true, exit: null });
    const { prng } = this.#node.world;
    const usualMs = prng.chance(0.4) ? prng.between(1, prng.chance(0.4) ? 25_000 : 4000) : 0;
    const thinkMs = (step.do === "write" ? step.thinkMs : undefined) ?? usualMs;
    this.#thinks = true;
    this.#after(thinkMs, () => {
      this.#thinks = false;
      this.#do(step, number, fences[0] ?? 0);
    });
  }

  /** A command asks nobody. It may outlive its driver, and even its run's leases. */
  #command(step: Extract<Step, { do: "command" }>, number: number): void {
    const { world } = this.#node;
    const key = `${this.run}#${number}`;
    this.#node.journal.set(key, { ended: null });
    const ends = this.#node.ends.get(this.run);
    this.#node.after(step.ms, () => {
      if (this.#node.ends.get(this.run) !== ends) return;
      const workspace = world.depot.workspaceOf(this.run);
      for (const path of step.paths) {
        if (world.prng.chance(0.1)) world.depot.remove(workspace, path);
        else if (workspace.hasRoomFor(path)) world.depot.write(workspace, path, this.run, world.prng);
      }
      const ended = { ok: true, exit: null };
      this.#node.journal.set(key, { ended });
      if (!this.#isOver) this.#tell(step, number, ended);
    });
  }

  #do(step: Extract<CallStep, { do: "write" | "process" | "resolve" }>, number: number, fence: number): void {
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
      kind: step.do === "process" ? "process" : "write",
      project: this.#project,
      unit,
      family: this.family,
      fence,
      run: this.run,
      call: number,
      node,
    };
    const key = `${this.run}#${number}`;
    if (step.do !== "process") {
      const ended = { ok: this.#write(step), exit: null };
      if (ended.ok) world.ground.write(deed);
      this.#node.journal.set(key, { ended });
      return this.#tell(step, number, ended);
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

  /** Where a folder stands, or something in place of its folder, no file can be. */
  #write(step: Extract<CallStep, { do: "write" | "resolve" }>): boolean {
    const { depot, prng, sometimes } = this.#node.world;
    const workspace = depot.workspaceOf(this.run);
    const path = step.unit.slice("file:".length);
    if (step.do === "write" && step.remove === true) {
      depot.remove(workspace, path);
      return true;
    }
    if (!workspace.hasRoomFor(path)) return false;
    if (step.do === "write") depot.write(workspace, path, this.run, prng);
    else {
      sometimes("conflict resolved");
      depot.resolve(workspace, path, step.theirs, this.run);
    }
    return true;
  }

  #tell(step: CallStep, number: number, ended: NonNullable<JournalEntry["ended"]>): void {
    const { world } = this.#node;
    const path = step.do === "write" || step.do === "resolve" ? step.unit.slice("file:".length) : "";
    const wrote = (step.do === "write" || step.do === "resolve") && ended.ok;
    const looked = step.do === "command" || step.do === "sweep";
    const make = (): FinishCall => {
      const workspace = world.depot.workspaceOf(this.run);
      const own = wrote ? [{ path, base: workspace.baseOf(path), work: workspace.workOf(path) }] : [];
      return {
        type: "call.finish",
        run: this.run,
        family: this.family,
        call: number,
        ok: ended.ok,
        exit: step.do === "process" ? ended.exit : null,
        summary: ended.ok ? "done" : "not done",
        changed: wrote ? [{ path, bytes: step.do === "write" ? step.bytes : 1 }] : [],
        works: looked ? worksOf(world, this.run) : own,
        output: null,
      };
    };
    // Between the look and the report its bytes are brought to safety, which takes as long as it takes.
    const safeMs = looked && world.prng.chance(0.4) ? world.prng.between(1, 3000) : 0;
    this.#report(make, safeMs, () => this.#goOn());
  }

  /** Looks at the workspace and reports what it has found, one after the other. */
  #report(look: () => FinishCall, safeMs: number, then: () => void): void {
    const turn = ++this.#turn;
    this.#node.alone(this.run, (release) => {
      const input = look();
      const send = (): void =>
        this.#node.ask(
          input,
          (outcome) => {
            release();
            if (this.#isOver || turn !== this.#turn) return;
            if (!outcome.ok && this.#isOvertaken(outcome.refusal.code)) return;
            then();
          },
          `agent:${this.run}`,
        );
      if (safeMs > 0) this.#node.after(safeMs, send);
      else send();
    });
  }
}

function toolOf(step: CallStep, other: string | null): FinishTool {
  if (step.do === "wait") return other === null ? "sleep" : "wait-run";
  if (step.do === "command") return "run";
  if (step.do === "look") return "read";
  return step.do === "resolve" ? "write" : step.do;
}

function unitsOf(step: CallStep): readonly string[] {
  if (step.do === "claim") return step.units;
  return step.do === "write" || step.do === "process" || step.do === "resolve" ? [step.unit] : [];
}
