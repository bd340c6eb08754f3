import { expect, test } from "vitest";
import type { Locks } from "../../protocol/wire/claim.ts";
import { tryCli } from "../testing/try-cli.ts";

const nowMs = 1_000_000;
const lease = {
  project: "p_1",
  family: "h_1",
  holder: "alice",
  kind: "outside",
  claim: "c_1",
  fence: 7,
  grantedAtMs: nowMs - 12_000,
  patienceMs: null,
  yieldsAtMs: null,
  delayedUntilMs: null,
} as const;
const found: Locks = {
  seq: 9,
  nowMs,
  leases: [
    { ...lease, unit: "file:src/server/middleware/rate-limit.ts", state: "live", expiresAtMs: nowMs + 48_000 },
    { ...lease, unit: "process:test", state: "quarantined", expiresAtMs: null },
  ],
  queue: [
    {
      claim: "c_2",
      project: "p_1",
      family: "r_2.1",
      holder: "r_2",
      kind: "run",
      position: 1,
      units: ["dir:src"],
      priority: 5,
      queuedAtMs: nowMs - 3000,
      deadlineAtMs: null,
      passes: 0,
      behind: [{ unit: "dir:src", family: "h_1", holder: "alice", by: "lease", claim: "c_1" }],
    },
  ],
  waits: [{ from: "r_2.1", fromHolder: "r_2", to: "h_1", toHolder: "alice", claim: "c_2", unit: "dir:src" }],
  truncated: false,
};
const answers = { locks: found, "project.list": { projects: [{ id: "p_1", name: "shop" }] } };

test("leases, queue and tree", async () => {
  const { stdout } = await tryCli(["locks"], answers);
  expect(stdout.split("\n")).toEqual([
    "Leases",
    "UNIT                                      HOLDER  STATE   FENCE  HELD  UNTIL    CLAIM  PROJECT",
    "file:src/server/middleware/rate-limit.ts  alice   live        7   12s  in 48s   c_1    shop",
    "process:test                              alice   closed      7   12s  cleared  c_1    shop",
    "",
    "Queue, in order",
    "#  HOLDER  WANTS    BEHIND  PRIORITY  WAITS  CLAIM  PROJECT",
    "1  r_2     dir:src  alice          5     3s  c_2    shop",
    "",
    "Who waits for whom",
    "alice",
    "└─ r_2 waits for dir:src",
    "",
  ]);
});

test("on a narrow screen long names lose their middle and keep the file", async () => {
  const { stdout } = await tryCli(["locks"], answers, { columns: 80 });
  expect(stdout).toContain("file:src/se…/rate-limit.ts");
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("for programs it is what the daemon said", async () => {
  const { stdout } = await tryCli(["locks", "--json"], answers);
  expect(JSON.parse(stdout)).toEqual(found);
});

test("nothing held is said in a sentence", async () => {
  const nothing = { ...found, leases: [], queue: [], waits: [] };
  const { stdout } = await tryCli(["locks"], { ...answers, locks: nothing });
  expect(stdout).toBe("Nothing is held, and nobody waits.\n");
});

test("of one unit, or of what has a word in its name, it says that nobody holds it", async () => {
  const nothing = { ...answers, locks: { ...found, leases: [], queue: [], waits: [] } };
  const { stdout, calls } = await tryCli(["locks", "--unit", "file:a.ts", "--find", "a"], nothing);
  expect(stdout).toContain("Nobody holds it, and nobody waits for it.");
  expect(calls.find(([name]) => name === "locks")?.[1]).toEqual({ unit: "file:a.ts", find: "a" });
});
