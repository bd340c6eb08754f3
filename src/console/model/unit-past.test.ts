import { expect, test } from "vitest";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { levelOf, toContention } from "./contention.ts";
import { UnitPastFold } from "./unit-past.ts";

let seq = 0;
const at = (atMs: number, type: string, more: object): LogEvent => ({
  seq: (seq += 1),
  atMs,
  type,
  v: 1,
  cause: null,
  actor: "system",
  ...more,
});

const unit = "file:src/app.ts";
const key = `p_1 ${unit}`;

const log = [
  at(0, "family.opened", { family: "f_1", project: "p_1", holder: "mara", kind: "outside" }),
  at(10, "lease.granted", {
    claim: "c_1",
    family: "f_1",
    project: "p_1",
    units: [unit, "process:test"],
    fences: [4, 5],
  }),
  at(20, "claim.queued", { claim: "c_2", family: "r_a.1", project: "p_1", units: [unit], behind: [] }),
  at(50, "lease.released", { family: "f_1", units: [unit] }),
  at(50, "lease.granted", { claim: "c_2", family: "r_a.1", project: "p_1", units: [unit], fences: [6] }),
  at(60, "claim.ended", {
    claim: "c_3",
    family: "r_b.1",
    how: "refused",
    arrival: { project: "p_1", units: [unit] },
    cycle: [{ from: "r_b.1", to: "r_a.1" }],
  }),
];

test("who held a unit, who waited for it, and how each ended", () => {
  const past = new UnitPastFold().takeAll(log);
  expect(past.stays.get(key)).toMatchObject([
    { is: "held", holder: "mara", fence: 4, fromMs: 10, toMs: 50, end: "given back" },
    { is: "waited", holder: "r_a", fromMs: 20, toMs: 50, end: "granted" },
    { is: "held", holder: "r_a", fence: 6, fromMs: 50, toMs: null, end: null },
  ]);
  expect(past.stays.get("p_1 process:test")).toMatchObject([{ holder: "mara", toMs: null }]);
  expect(past.lost).toMatchObject([{ holder: "r_b", units: [unit], how: "refused", cycle: ["r_b"] }]);
});

test("the end of a holder ends what it still held, and the fold goes on where it stopped", () => {
  const fold = new UnitPastFold();
  const before = fold.takeAll(log);
  const after = fold.takeAll([at(90, "family.ended", { family: "r_a.1", why: "finished" })]);
  expect(after.stays.get(key)?.at(-1)).toMatchObject({ holder: "r_a", toMs: 90, end: "its run was over" });
  expect(before.stays.get(key)?.at(-1)).toMatchObject({ toMs: null });
  expect(after.stays.get("p_1 process:test")?.[0]?.toMs).toBeNull();
});

test("of a folder that was given back the files that were changed stay held", () => {
  const past = new UnitPastFold().takeAll([
    at(0, "lease.granted", { claim: "c_1", family: "r_a.1", project: "p_1", units: ["dir:src"], fences: [1] }),
    at(9, "lease.shrunk", { family: "r_a.1", gone: ["dir:src"], kept: ["file:src/b.ts"], fences: [2] }),
    at(20, "family.ended", { family: "r_a.1", why: "finished" }),
  ]);
  expect(past.stays.get("p_1 dir:src")).toMatchObject([{ toMs: 9, end: "given back unchanged" }]);
  expect(past.stays.get("p_1 file:src/b.ts")).toMatchObject([{ holder: "r_a", fence: 2, fromMs: 9, toMs: 20 }]);
});

test("what was waited for is counted by stretches of time, and lasts until now where it lasts", () => {
  const waits = (claim: string, fromMs: number): LogEvent =>
    at(fromMs, "claim.queued", { claim, family: `r_${claim}.1`, project: "p_1", units: [unit] });
  const past = new UnitPastFold().takeAll([waits("c_8", 100_000), waits("c_9", 150_000)]);
  const found = toContention(past, { nowMs: 240_000, endMs: 240_000, cells: 4, cellMs: 60_000, project: null });
  expect(found).toMatchObject([{ unit, totalMs: 230_000, cells: [0, 20_000, 90_000, 120_000] }]);
  expect(toContention(past, { nowMs: 240_000, endMs: 240_000, cells: 4, cellMs: 60_000, project: "p_2" })).toEqual([]);
  // A drawing that ends at the next full minute adds nothing that nobody has waited yet.
  const [drawn] = toContention(past, { nowMs: 170_000, endMs: 240_000, cells: 4, cellMs: 60_000, project: null });
  expect(drawn).toMatchObject({ totalMs: 90_000, cells: [0, 20_000, 70_000, 0] });
  expect([0, 1, 60_000, 300_000, 900_000].map(levelOf)).toEqual([0, 1, 2, 3, 4]);
});
