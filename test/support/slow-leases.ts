// The lease table as the spec says it, by brute force: a list of leases, a list of waiting claims, and every question
// answered by trying everything. It shares no code with the core, so that the two cannot be wrong in the same way.

export type SlowClaim = { id: string; family: string; units: string[]; priority: number; passes: number };
export type SlowOutcome = "granted" | "queued" | "refused" | "busy";

const passesMax = 8;

export class SlowLeases {
  leases: { family: string; unit: string; claim: string }[] = [];
  queue: SlowClaim[] = [];

  /** LS14 to LS16, LS18 and LS25. */
  claim(arriving: Omit<SlowClaim, "passes">, mode: "wait" | "try"): SlowOutcome {
    const claim = { ...arriving, passes: 0 };
    const placed = this.#place(claim);
    if (placed === undefined) return "refused";
    const isFree = this.#inTheWay(placed.queue, claim).size === 0;
    if (!isFree && mode === "try") return "busy";
    // Whoever is granted on arrival leaves the queue as it was.
    if (isFree) this.#grant(claim);
    else this.queue = placed.queue;
    for (const passed of placed.passed) passed.passes++;
    this.scan();
    return isFree ? "granted" : "queued";
  }

  release(claim: string): void {
    this.leases = this.leases.filter((lease) => lease.claim !== claim);
    this.scan();
  }

  cancel(claim: string): void {
    this.queue = this.queue.filter((each) => each.id !== claim);
    this.scan();
  }

  /** Grants, in queue order, whatever nothing of another family stands in the way of. */
  scan(): void {
    for (let again = true; again;) {
      again = false;
      for (const claim of this.queue) {
        if (this.#inTheWay(this.queue, claim).size > 0) continue;
        this.queue = this.queue.filter((each) => each !== claim);
        this.#grant(claim);
        again = true;
        break;
      }
    }
  }

  #grant({ family, units, id }: SlowClaim): void {
    this.leases = this.leases.filter((lease) => lease.family !== family || !units.includes(lease.unit));
    this.leases.push(...units.map((unit) => ({ family, unit, claim: id })));
  }

  #place(claim: SlowClaim): { queue: SlowClaim[]; passed: SlowClaim[] } | undefined {
    const waiting = this.#waitersOf(this.queue, claim.family);
    const rest = this.queue.filter((each) => !waiting.has(each.family));
    const those = this.queue.filter((each) => waiting.has(each.family));
    for (let at = 0; at <= rest.length; at++) {
      if (rest.slice(at).some((each) => each.priority >= claim.priority)) continue;
      const queue = [...rest.slice(0, at), claim, ...rest.slice(at), ...those];
      const passed = rest.filter((each) => each.family !== claim.family && this.#waitsFor(queue, each, claim.family));
      if (passed.some((each) => each.passes >= passesMax)) continue;
      if (this.#hasCycle(queue)) continue;
      return { queue, passed };
    }
    return undefined;
  }

  /** The families that keep one queued claim waiting, directly. */
  #inTheWay(queue: readonly SlowClaim[], claim: SlowClaim): Set<string> {
    const ahead = queue.slice(0, queue.indexOf(claim)).filter((each) => clash(each.units, claim.units));
    const held = this.leases.filter((lease) => clash([lease.unit], claim.units));
    return new Set([...ahead, ...held].map((each) => each.family).filter((family) => family !== claim.family));
  }

  #edges(queue: readonly SlowClaim[]): Map<string, Set<string>> {
    const edges = new Map<string, Set<string>>();
    for (const claim of queue) {
      const known = edges.get(claim.family) ?? new Set<string>();
      edges.set(claim.family, new Set([...known, ...this.#inTheWay(queue, claim)]));
    }
    return edges;
  }

  #reach(edges: ReadonlyMap<string, ReadonlySet<string>>, from: Iterable<string>): Set<string> {
    const reached = new Set(from);
    for (const family of reached) for (const next of edges.get(family) ?? []) reached.add(next);
    return reached;
  }

  #waitersOf(queue: readonly SlowClaim[], family: string): Set<string> {
    const edges = this.#edges(queue);
    return new Set([...edges.keys()].filter((each) => each !== family && this.#reach(edges, [each]).has(family)));
  }

  #waitsFor(queue: readonly SlowClaim[], claim: SlowClaim, family: string): boolean {
    return this.#reach(this.#edges(queue), this.#inTheWay(queue, claim)).has(family);
  }

  #hasCycle(queue: readonly SlowClaim[]): boolean {
    const edges = this.#edges(queue);
    return [...edges].some(([family, next]) => this.#reach(edges, next).has(family));
  }
}

/** LS4, on the text of units. */
export function clash(a: readonly string[], b: readonly string[]): boolean {
  return a.some((one) => b.some((other) => clashOne(one, other)));
}

function clashOne(a: string, b: string): boolean {
  if (a.startsWith("process:") || b.startsWith("process:")) return a === b;
  const [one, other] = [a, b].map((unit) => `/${unit.slice(unit.indexOf(":") + 1)}/`.replace("//", "/"));
  return one?.startsWith(other ?? "") === true || other?.startsWith(one ?? "") === true;
}
