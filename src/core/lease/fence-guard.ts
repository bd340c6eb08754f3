// The check at the place where an act happens (LS29). A node keeps one per project: it hears of every grant before the
// holder is told, and refuses an act that a newer, conflicting grant to somebody else has overtaken.

import { UnitIndex } from "./unit-index.ts";
import { conflicts, type Unit } from "./unit.ts";

type Seen = { readonly unit: Unit; readonly family: string; readonly fence: number };

export type GuardAnswer = "ok" | "stale-fence" | "expired";

export class FenceGuard {
  readonly #seen = new UnitIndex<Seen>();
  readonly #over = new Set<string>();

  get size(): number {
    return this.#seen.size;
  }

  /** A unit was granted. What the same family knew of this very unit before is replaced. */
  granted(seen: Seen): void {
    for (const old of [...this.#seen.at(seen.unit)]) {
      if (old.fence < seen.fence && old.unit.kind === seen.unit.kind) this.#seen.remove(old);
    }
    this.#seen.add(seen);
  }

  ended(family: string): void {
    this.#over.add(family);
  }

  check(act: { readonly family: string; readonly fence: number; readonly unit: Unit }): GuardAnswer {
    if (this.#over.has(act.family)) return "expired";
    const stale = this.#seen.someConflict(
      act.unit,
      (seen) => seen.family !== act.family && seen.fence > act.fence && conflicts(seen.unit, act.unit),
    );
    return stale ? "stale-fence" : "ok";
  }
}
