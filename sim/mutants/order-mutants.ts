// Planted in the queue: where a claim stands, whom it passes, and who waits for whom.

import type { Mutant } from "./mutant.ts";

const queue = "src/core/lease/claim-queue.ts";
const graph = "src/core/lease/wait-graph.ts";
const decide = "src/core/lease/lease-decide.ts";
const evolve = "src/core/lease/lease-evolve.ts";

export const orderMutants: readonly Mutant[] = [
  {
    name: "equal priorities pass each other",
    file: queue,
    find: "claim.priority >= arrival.priority",
    replace: "claim.priority > arrival.priority",
  },
  {
    name: "those who wait for the claimant are not looked for",
    file: queue,
    find: "const waiters = allWaitersOf(table, [arrival.family]);",
    replace: "const waiters = new Set<Family>();",
  },
  {
    name: "only those who wait directly are looked for",
    file: graph,
    find: "found.add(waiter);\n      open.push(waiter);",
    replace: "found.add(waiter);",
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
    find: "if (someInTheWay(table, claim, (other) => slowed.has(other))) found.add(claim);",
    replace: "",
  },
  {
    name: "a pass by a grant on arrival is not counted",
    file: evolve,
    find: "for (const id of event.arrival.passed) queuedClaim(project, id).passes++;",
    replace: "",
  },
  {
    name: "a place that closes a cycle is taken",
    file: queue,
    find: "if (behind.length > 0 && closesCycle(table, arrival, [...holders.keys()], before, behind)) continue;",
    replace: "",
  },
  {
    name: "what the claimant already waits for closes no cycle",
    file: queue,
    find: "sources.add(other);\n    return false;",
    replace: "return other === arrival.family;",
  },
  {
    name: "a claim behind does not wait for the one ahead",
    file: graph,
    find: "entry.claim.rank > claim.rank",
    replace: "entry.claim.rank === claim.rank",
  },
  {
    name: "waiting for a run is no edge",
    file: graph,
    find: "for (const id of family.awaits) {",
    replace: "for (const id of [...family.awaits].slice(1)) {",
  },
  {
    name: "waiting for a run is never refused",
    file: decide,
    find: "allWaitersOf(table, [family]).has(other)",
    replace: "family.queued.size > 99",
  },
  {
    name: "what is free is granted past those who wait for it",
    file: decide,
    find: "place.before.size === 0 && mayBeGranted(family)",
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
    find: "for (const id of event.moved) moveToEnd(project, queuedClaim(project, id));",
    replace: "",
  },
  {
    name: "two claims share a rank",
    file: evolve,
    find: "claim.rank = (low + next.rank) / 2;\n",
    replace: "claim.rank = next.rank;\n  if (claim.rank === next.rank) return;\n",
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
