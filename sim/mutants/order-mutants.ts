// Planted in the queue: where a claim stands, whom it passes, and who waits for whom.

import type { Mutant } from "./mutant.ts";

const queue = "src/core/lease/claim-queue.ts";
const line = "src/core/lease/queue-line.ts";
const graph = "src/core/lease/wait-graph.ts";
const decide = "src/core/lease/lease-decide.ts";
const evolve = "src/core/lease/lease-evolve.ts";

export const orderMutants: readonly Mutant[] = [
  {
    name: "equal priorities pass each other",
    file: line,
    find: "if (level < priority) continue;",
    replace: "if (level <= priority) continue;",
  },
  {
    name: "those who wait for the claimant are not looked for",
    file: queue,
    find: "const waiters = allWaitersOf(table, arrival.family);",
    replace: "const waiters = new Map<Family, number>();",
  },
  {
    name: "only those who wait directly are looked for",
    file: graph,
    find: "this.seen.set(waiter, depth);\n    this.#open.push(waiter);",
    replace: "this.seen.set(waiter, depth);",
  },
  {
    name: "a claim is passed nine times",
    file: queue,
    find: "claim.passes >= passesMax",
    replace: "claim.passes > passesMax",
  },
  {
    name: "a pass counts only for those passed directly",
    file: queue,
    find: "if (claim !== null && family.project === this.#project.id) this.#count(claim);",
    replace: "",
  },
  {
    name: "a pass by a grant on arrival is not counted",
    file: evolve,
    find: "if (event.arrival.passed > 0) {",
    replace: "if (event.arrival.passed > 99) {",
  },
  {
    name: "a place that closes a cycle is taken",
    file: queue,
    find: "if (!passing.closesCycle) best =",
    replace: "best =",
  },
  {
    name: "a holder that waits for those passed closes no cycle",
    file: queue,
    find: "if (this.#holders.has(family)) this.isStuck = true;",
    replace: "",
  },
  {
    name: "what the claimant already waits for closes no cycle",
    file: queue,
    find: "if (family === this.#arrival.family) this.isStuck = true;",
    replace: "",
  },
  {
    name: "a claim behind does not wait for the one ahead",
    file: graph,
    find: "source = claim.rank;",
    replace: "source = Number.POSITIVE_INFINITY;",
  },
  {
    name: "those who wait beneath a folder are not looked for",
    file: graph,
    find: "extend(this.#folders, line, family, source) !== undefined;",
    replace: "line.length < 0;",
  },
  {
    name: "waiting for a run is no edge",
    file: graph,
    find: "for (const id of family.awaitedBy) this",
    replace: "for (const id of [...family.awaitedBy].slice(1)) this",
  },
  {
    name: "waiting for a run is never refused",
    file: decide,
    find: "waiters.has(other)",
    replace: "family.queued.size > 99",
  },
  {
    name: "what is free is granted past those who wait for it",
    file: decide,
    find: "place.isForemost && mayBeGranted(family)",
    replace: "mayBeGranted(family)",
  },
  {
    name: "a try waits",
    file: decide,
    find: 'if (request.mode === "try") return',
    replace: 'if (request.mode === "try" && body.units.length > 2) return',
  },
  {
    name: "those who wait for the claimant keep their places",
    file: evolve,
    find: "moveToEnd(project, moved);",
    replace: "",
  },
  {
    name: "two claims share a rank",
    file: line,
    find: "if (rank > low && rank < next.rank) return rank;",
    replace: "if (rank > low && rank < next.rank) return next.rank;",
  },
  {
    name: "a repeated key is a new claim once the first has ended",
    file: "src/core/lease/claim-inputs.ts",
    find: "if (known === undefined) return undefined;\n  if (!isSameClaim",
    replace: 'if (known === undefined || known.state !== "queued") return undefined;\n  if (!isSameClaim',
  },
  {
    name: "a key may be used for anything",
    file: "src/core/lease/claim-inputs.ts",
    find: "if (!isSameClaim(known, texts, input.priority)) return",
    replace: "if (!isSameClaim(known, texts, known.priority)) return",
  },
];
