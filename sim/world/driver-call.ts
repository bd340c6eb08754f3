// What a call of a run does once the door has opened: it is done once, whoever drives, and its outcome is reported. It
// knows nothing of the steps before and after it.

import type { BeginCall, FinishCall } from "../../src/core/inputs.ts";
import type { Entry } from "../../src/core/landing/entry.ts";
import type { DriverTurns } from "./driver-turns.ts";
import { unitFrom } from "./model-unit.ts";
import type { Step } from "./script.ts";
import type { JournalEntry } from "./sim-node.ts";
import { worksOf } from "./sim-refresh.ts";
import type { Deed } from "./watch.ts";

export type CallStep =
  | Extract<Step, { do: "claim" | "write" | "command" | "process" | "sleep" | "look" | "wait" }>
  /** Looks at the whole workspace. */
  | { readonly do: "sweep" }
  /** Looks at mainline's side of a file on which two have met. */
  | { readonly do: "side"; readonly path: string; readonly theirs: Entry }
  /** Makes one of its own side and mainline's. */
  | { readonly do: "resolve"; readonly unit: string; readonly theirs: Entry };

type Ended = NonNullable<JournalEntry["ended"]>;

const done: Ended = { ok: true, exit: null };

export class DriverCall {
  readonly #turns: DriverTurns;
  readonly #step: CallStep;
  readonly #number: number;
  readonly #then: () => void;
  #thinks = false;

  constructor(turns: DriverTurns, { step, number }: { step: CallStep; number: number }, then: () => void) {
    this.#turns = turns;
    this.#step = step;
    this.#number = number;
    this.#then = then;
  }

  /** Whether it was let through the door and has not acted yet. */
  get thinks(): boolean {
    return this.#thinks;
  }

  /** What the journal knows was done is not done again. */
  act(fences: readonly number[]): void {
    const step = this.#step;
    const { node } = this.#turns;
    const known = node.journal.get(this.#key);
    if (known !== undefined) return this.#tell(known.ended ?? { ok: false, exit: "unknown" });
    if (step.do === "sleep") return this.#turns.after(step.ms, () => this.#tell(done));
    if (step.do === "command") return this.#command(step);
    if (step.do === "side")
      node.world.depot.show(node.world.depot.workspaceOf(this.#turns.run), step.path, step.theirs);
    if (step.do !== "write" && step.do !== "process" && step.do !== "resolve") return this.#tell(done);
    const { prng } = node.world;
    const usualMs = prng.chance(0.4) ? prng.between(1, prng.chance(0.4) ? 25_000 : 4000) : 0;
    const thinkMs = (step.do === "write" ? step.thinkMs : undefined) ?? usualMs;
    this.#thinks = true;
    this.#turns.after(thinkMs, () => {
      this.#thinks = false;
      this.#do(step, fences[0] ?? 0);
    });
  }

  get #key(): string {
    return `${this.#turns.run}#${this.#number}`;
  }

  /** A command asks nobody. It may outlive its driver, and even its run's leases. */
  #command(step: Extract<Step, { do: "command" }>): void {
    const { node, run } = this.#turns;
    const { world } = node;
    node.journal.set(this.#key, { ended: null });
    const ends = node.ends.get(run);
    node.after(step.ms, () => {
      if (node.ends.get(run) !== ends) return;
      const workspace = world.depot.workspaceOf(run);
      for (const path of step.paths) {
        if (world.prng.chance(0.1)) world.depot.remove(workspace, path);
        else if (workspace.hasRoomFor(path)) world.depot.write(workspace, path, run, world.prng);
      }
      this.#end(done);
    });
  }

  #do(step: Extract<CallStep, { do: "write" | "process" | "resolve" }>, fence: number): void {
    const { node, run, family, project } = this.#turns;
    const { world } = node;
    const place = world.link();
    if (place === undefined) return this.#turns.after(500, () => this.#do(step, fence));
    const known = world.model.projects.get(project);
    if (known === undefined) return;
    const answer = place.check(project, { family, fence, unit: step.unit });
    if (answer !== "ok") {
      world.sometimes(`refused at the resource: ${answer}`);
      return this.#tell({ ok: false, exit: null });
    }
    const kind = step.do === "process" ? "process" : "write";
    const unit = unitFrom(step.unit, known, family);
    const deed: Deed = { kind, project, unit, family, fence, run, call: this.#number, node: node.name };
    if (step.do !== "process") {
      const ended = { ok: this.#write(step), exit: null };
      if (ended.ok) world.ground.write(deed);
      return this.#end(ended);
    }
    node.journal.set(this.#key, { ended: null });
    world.ground.start(deed);
    node.after(step.ms, () => {
      if (world.ground.isRunning(deed)) this.#end(world.ground.finish(deed));
    });
  }

  /** Where a folder stands, or something in place of its folder, no file can be. */
  #write(step: Extract<CallStep, { do: "write" | "resolve" }>): boolean {
    const { node, run } = this.#turns;
    const { depot, prng, sometimes } = node.world;
    const workspace = depot.workspaceOf(run);
    const path = step.unit.slice("file:".length);
    if (step.do === "write" && step.remove === true) {
      depot.remove(workspace, path);
      return true;
    }
    if (!workspace.hasRoomFor(path)) return false;
    if (step.do === "write") depot.write(workspace, path, run, prng);
    else {
      sometimes("conflict resolved");
      depot.resolve(workspace, path, step.theirs, run);
    }
    return true;
  }

  /** The journal hears of it first: the driver may be gone, and its report with it. */
  #end(ended: Ended): void {
    this.#turns.node.journal.set(this.#key, { ended });
    if (!this.#turns.isOver) this.#tell(ended);
  }

  #tell(ended: Ended): void {
    const step = this.#step;
    const { run, family } = this.#turns;
    const { world } = this.#turns.node;
    const path = step.do === "write" || step.do === "resolve" ? step.unit.slice("file:".length) : "";
    const wrote = (step.do === "write" || step.do === "resolve") && ended.ok;
    const looked = step.do === "command" || step.do === "sweep";
    const make = (): FinishCall => {
      const workspace = world.depot.workspaceOf(run);
      const own = wrote ? [{ path, base: workspace.baseOf(path), work: workspace.workOf(path) }] : [];
      return {
        type: "call.finish",
        run,
        family,
        call: this.#number,
        ok: ended.ok,
        exit: step.do === "process" ? ended.exit : null,
        summary: ended.ok ? "done" : "not done",
        changed: wrote ? [{ path, bytes: step.do === "write" ? step.bytes : 1 }] : [],
        works: looked ? worksOf(world, run) : own,
        output: null,
        shown: step.do === "side" ? [{ path: step.path, entry: step.theirs }] : undefined,
      };
    };
    // Between the look and the report its bytes are brought to safety, which takes as long as it takes.
    const safeMs = looked && world.prng.chance(0.4) ? world.prng.between(1, 3000) : 0;
    this.#turns.report(make, safeMs, this.#then);
  }
}

export function toolOf(step: CallStep, other: string | null): BeginCall["tool"] {
  if (step.do === "wait") return other === null ? "sleep" : "wait-run";
  if (step.do === "command") return "run";
  return step.do === "look" || step.do === "side" ? "read" : step.do;
}

export function unitsOf(step: CallStep): readonly string[] {
  if (step.do === "claim") return step.units;
  return step.do === "write" || step.do === "process" || step.do === "resolve" ? [step.unit] : [];
}
