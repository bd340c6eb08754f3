// The check at the place where an act happens (LS29). A node keeps one per project: it hears of every grant before the
// holder is told, and refuses an act that a newer, conflicting grant to somebody else has overtaken.

import { UnitIndex } from "./unit-index.ts";
import { conflicts, type Unit } from "./unit.ts";

type Seen = { readonly unit: Unit; family: string; fence: number };

export type GuardAnswer = "ok" | "stale-fence" | "expired";

export class FenceGuard {
  readonly #seen = new UnitIndex<Seen>();
  /** The newest of these by unit: what is granted again and again is found without walking the index. */
  readonly #newest = new Map<string, Seen>();
  readonly #over = new Set<string>();
  /** The fences that each family had on each unit since it last gave that back: a grant replaces an older one (LS10). */
  readonly #held = new Map<string, Map<string, number[]>>();
  /** Fences of units that a family gave back while it lives on. */
  readonly #givenBack = new Map<string, Set<number>>();
  #primed: { readonly before: number; readonly fences: ReadonlySet<number> } | undefined;

  get size(): number {
    return this.#seen.size;
  }

  /**
   * A unit was granted. What was known of this very unit before is replaced. Of a holder that never acts here (`mayAct`
   * false) nobody will say what it gives back, so nothing is kept for that.
   */
  granted(seen: Seen, { mayAct = true }: { readonly mayAct?: boolean } = {}): void {
    this.#see(seen);
    if (!mayAct) return;
    const held = this.#held.get(seen.family) ?? new Map<string, number[]>();
    const fences = held.get(seen.unit.id);
    if (fences === undefined) held.set(seen.unit.id, [seen.fence]);
    else fences.push(seen.fence);
    this.#held.set(seen.family, held);
  }

  /** Everything that is held now was told: a fence below `nextFence` that was not is over, whatever became of it. */
  primed(nextFence: number, fences: ReadonlySet<number>): void {
    this.#primed = { before: nextFence, fences };
  }

  /** A family gave a unit back, or yielded it: an act that is still on its way comes too late (LS12). */
  givenBack({ family, unit }: { readonly family: string; readonly unit: Unit }): void {
    const held = this.#held.get(family);
    const over = this.#givenBack.get(family) ?? new Set();
    for (const fence of held?.get(unit.id) ?? []) over.add(fence);
    held?.delete(unit.id);
    this.#givenBack.set(family, over);
  }

  ended(family: string): void {
    this.#over.add(family);
    this.#held.delete(family);
    this.#givenBack.delete(family);
  }

  check(act: { readonly family: string; readonly fence: number; readonly unit: Unit }): GuardAnswer {
    if (this.#over.has(act.family)) return "expired";
    if (this.#givenBack.get(act.family)?.has(act.fence) === true) return "stale-fence";
    const primed = this.#primed;
    if (primed !== undefined && act.fence < primed.before && !primed.fences.has(act.fence)) return "stale-fence";
    const stale = this.#seen.someConflict(
      act.unit,
      (seen) => seen.family !== act.family && seen.fence > act.fence && conflicts(seen.unit, act.unit),
    );
    return stale ? "stale-fence" : "ok";
  }

  /** One entry for each unit. A grant that is heard of late is kept beside it: it may still have overtaken somebody. */
  #see(seen: Seen): void {
    const newest = this.#newest.get(seen.unit.id);
    if (newest === undefined) this.#newest.set(seen.unit.id, seen);
    if (newest === undefined || newest.fence > seen.fence) this.#seen.add(seen);
    else {
      // In its place: units that come and go would otherwise have their folders leave the index and come back each time.
      newest.family = seen.family;
      newest.fence = seen.fence;
    }
  }
}
