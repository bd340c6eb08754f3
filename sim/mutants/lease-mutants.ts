// Planted in grants, expiry, release, quarantine and holds.

import type { Mutant } from "./mutant.ts";

const scan = "src/core/lease/grant-scan.ts";
const decide = "src/core/lease/lease-decide.ts";
const evolve = "src/core/lease/lease-evolve.ts";
const claims = "src/core/lease/claim-inputs.ts";
const due = "src/core/due.ts";

export const leaseMutants: readonly Mutant[] = [
  {
    name: "a claim that is refused moves the expiry of its holder",
    file: claims,
    find: " && decided.ok && !endsOnArrival(decided.value.events)",
    replace: "",
  },
  {
    name: "the scan does not look at claims ahead",
    file: scan,
    find: "if (claim.units.some((unit) => someAhead(table, claim, unit, () => true))) return undefined;",
    replace: "",
  },
  {
    name: "only the foremost claim on a name is woken",
    file: scan,
    find: "if (claim.family !== family) return;\n    found.add(claim);",
    replace: "found.add(claim);\n    if (family !== undefined) return;",
  },
  {
    name: "the scan begins at the end of the queue",
    file: scan,
    find: "[...claims].toSorted(byRank)",
    replace: "[...claims].toSorted((a, b) => byRank(b, a))",
  },
  {
    name: "what a claim leaves behind wakes nobody",
    file: evolve,
    find: "for (const unit of claim.units) table.recheck.freed.push({ project: record.project, unit });",
    replace: "",
  },
  {
    name: "what a lease leaves behind wakes nobody",
    file: evolve,
    find: "table.recheck.freed.push({ project: family.project, unit });",
    replace: "",
  },
  {
    name: "a claim is granted in parts",
    file: scan,
    find: "const { family, units } = claim;",
    replace: "const { family } = claim;\n  const units = claim.units.slice(0, 2);",
  },
  {
    name: "units of one grant share a fence",
    file: scan,
    find: "table.nextFence + at",
    replace: "table.nextFence",
  },
  {
    name: "leases expire a moment late",
    file: due,
    find: "if (family.expiresAtMs <= step.nowMs) expired.push(family);",
    replace: "if (family.expiresAtMs < step.nowMs) expired.push(family);",
  },
  {
    name: "of those that expire together only the first does",
    file: due,
    find: 'expireFamilies(step, idsOf(names, "family"));',
    replace: 'expireFamilies(step, idsOf(names, "family").slice(0, 1));',
  },
  {
    name: "an earlier due time is forgotten for a later one",
    file: "src/base/due-queue.ts",
    find: "if (known !== undefined && known <= atMs) return;",
    replace: "if (known !== undefined) return;",
  },
  {
    name: "a renewal comes too late and counts",
    file: decide,
    find: 'if (family === undefined || family.life === "over") expired.push(id);',
    replace: 'if (family === undefined) expired.push(id);\n    else if (family.life === "over") renewed.push(id);',
  },
  {
    name: "a grant does not start a full period",
    file: scan,
    find: "expiresAtMs: nowMs + family.ttlMs,",
    replace: "expiresAtMs: Math.max(nowMs, family.expiresAtMs),",
  },
  {
    name: "a holder that is over is taken up again",
    file: claims,
    find: 'return known?.life === "live" ? known : undefined;',
    replace: "return known;",
  },
  {
    name: "processes of a dead holder are free at once",
    file: decide,
    find: 'lease.unit.kind === "process" && !proven;',
    replace: 'lease.unit.kind === "process" && !proven && lease.fence % 3 === 0;',
  },
  {
    name: "what a person clears stays closed",
    file: evolve,
    find: "freeLease(table, family, unitOf(table, family, event.unit));\n",
    replace: 'if (event.by === "proof") freeLease(table, family, unitOf(table, family, event.unit));\n',
  },
  {
    name: "a claim gives back what another brought",
    file: claims,
    find: "if (lease?.claim === claim) leases.push(lease);",
    replace: "if (lease !== undefined && lease.claim >= claim) leases.push(lease);",
  },
  {
    name: "changes are set aside without consent",
    file: decide,
    find: "if (paths.length > 0 && !setAside) {",
    replace: "if (paths.length > 1 && !setAside) {",
  },
  {
    name: "a cancelled claim ends again",
    file: decide,
    find: 'if (record.state !== "queued") return [];',
    replace: 'if (record.state !== "queued" && record.state !== "timed-out") return [];',
  },
  {
    name: "a deadline passes unnoticed",
    file: due,
    find: 'for (const id of idsOf(names, "claim")) endClaim(step, id);',
    replace: "",
  },
  {
    name: "a hold has no patience",
    file: scan,
    find: "return family.contestedSinceMs + family.patienceMs <= nowMs;",
    replace: "return family.contestedSinceMs <= nowMs;",
  },
  {
    name: "patience does not start anew",
    file: evolve,
    find: "if (!isContested(table, hold)) hold.contestedSinceMs = null;",
    replace: "",
  },
  {
    name: "a hold yields although something else is in the way",
    file: scan,
    find: "if (stopped) return undefined;",
    replace: "if (stopped && yielding.size === 0) return undefined;",
  },
  {
    name: "a hold keeps the kin of what it yields",
    file: scan,
    find: 'if (other.unit.kind !== "process" && conflicts(other.unit, unit)) found.add(other.unit);',
    replace: "",
  },
  {
    name: "a shrunk lease forgets a path",
    file: decide,
    find: "if (fence > 0) kept.set(path.id, { unit: path.text, fence });",
    replace: "if (fence > 0 && kept.size === 0) kept.set(path.id, { unit: path.text, fence });",
  },
  {
    name: "a shrunk lease gets another fence",
    file: decide,
    find: "const fences = keeps.map((keep) => keep.fence);",
    replace: "const fences = keeps.map((keep) => keep.fence + 1);",
  },
];
