// What lasts: the states of a run, and what it held and waited for.

import { textIn, textsIn } from "../../protocol/event-fields.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { type RunState, runStates } from "../../protocol/wire/run.ts";
import type { DrawnStory } from "../../protocol/wire/story.ts";
import { marksMax } from "./marks.ts";
import { Slices } from "./slices.ts";

type State = DrawnStory["states"][number];
type UnitRow = DrawnStory["units"][number];
type Stretch = UnitRow["stretches"][number];

const stretchesMax = 60;
const states: ReadonlySet<string> = new Set(runStates);

export class StatesTold {
  count = 0;
  readonly #past = new Slices<State>(marksMax, joinStates);
  #now: State | null = null;

  enter(state: string, atMs: number, busyMs: number): void {
    if (this.#now !== null) this.#past.add(busyMs, { ...this.#now, toMs: atMs });
    this.#now = states.has(state) ? { of: state as RunState, fromMs: atMs, toMs: null, count: 1 } : null;
    if (this.#now !== null) this.count++;
  }

  get all(): State[] {
    return [...this.#past.values, ...(this.#now === null ? [] : [this.#now])];
  }
}

/** The one that lasted longest is what is drawn. */
function joinStates(before: State, after: State): State {
  const of = lengthOf(before) >= lengthOf(after) ? before.of : after.of;
  return { of, fromMs: before.fromMs, toMs: after.toMs, count: before.count + after.count };
}

function lengthOf({ fromMs, toMs }: State): number {
  return (toMs ?? fromMs) - fromMs;
}

type UnitTold = {
  readonly past: Slices<Stretch>;
  held: number | null;
  waited: number | null;
};

export class UnitsTold {
  readonly #units = new Map<string, UnitTold>();
  readonly #claims = new Map<string, readonly string[]>();
  /** Those that are held or waited for. */
  readonly #open = new Set<string>();

  get count(): number {
    return this.#units.size;
  }

  take(event: LogEvent, busyMs: number): void {
    const { type, atMs } = event;
    const claim = textIn(event, "claim") ?? "";
    if (type === "claim.queued") {
      const units = textsIn(event, "units");
      this.#claims.set(claim, units);
      for (const unit of units) this.#openOf(unit).waited ??= atMs;
    } else if (type === "claim.ended" || type === "lease.granted") {
      for (const unit of this.#claims.get(claim) ?? []) this.#end(unit, "waited", atMs, busyMs);
      this.#claims.delete(claim);
      if (type === "lease.granted") for (const unit of textsIn(event, "units")) this.#openOf(unit).held ??= atMs;
    } else if (type === "family.ended") {
      for (const unit of this.#open) {
        this.#end(unit, "waited", atMs, busyMs);
        this.#end(unit, "held", atMs, busyMs);
      }
      this.#claims.clear();
    } else {
      const field = { "lease.released": "units", "lease.yielded": "units", "lease.shrunk": "gone" }[type];
      if (field !== undefined) for (const unit of textsIn(event, field)) this.#end(unit, "held", atMs, busyMs);
    }
  }

  /** The units of longest standing. */
  first(most: number): UnitRow[] {
    return [...this.#units].slice(0, most).map(([unit, { past, held, waited }]) => ({
      unit,
      stretches: [
        ...past.values,
        ...(waited === null ? [] : [{ waits: true, fromMs: waited, toMs: null, count: 1 }]),
        ...(held === null ? [] : [{ waits: false, fromMs: held, toMs: null, count: 1 }]),
      ],
    }));
  }

  #openOf(unit: string): UnitTold {
    const known = this.#units.get(unit) ?? { past: new Slices(stretchesMax, joinStretches), held: null, waited: null };
    this.#units.set(unit, known);
    this.#open.add(unit);
    return known;
  }

  #end(unit: string, of: "held" | "waited", atMs: number, busyMs: number): void {
    const told = this.#units.get(unit);
    const fromMs = told?.[of] ?? null;
    if (told === undefined || fromMs === null) return;
    told.past.add(busyMs, { waits: of === "waited", fromMs, toMs: atMs, count: 1 });
    told[of] = null;
    if (told.held === null && told.waited === null) this.#open.delete(unit);
  }
}

/** Where waits and leases take turns so fast, that it was held is what is drawn. */
function joinStretches(before: Stretch, after: Stretch): Stretch {
  const waits = before.waits && after.waits;
  return { waits, fromMs: Math.min(before.fromMs, after.fromMs), toMs: after.toMs, count: before.count + after.count };
}
