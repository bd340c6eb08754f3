import { expect, test } from "vitest";
import { toLeaseEnd } from "./lease-end.ts";

const base = { kind: "run", expiresAtMs: null, yieldsAtMs: null, patienceMs: null } as const;

test.each([
  [
    "what a run works with ends with its work, however often it is renewed",
    { state: "live", expiresAtMs: 30 },
    "its end",
    null,
  ],
  ["what somebody outside has ends by itself", { state: "live", kind: "outside", expiresAtMs: 30 }, "in", 30],
  ["a hold for which nobody waits stays for its review", { state: "hold", patienceMs: 600_000 }, "review", null],
  [
    "a hold that somebody waits for says when it goes",
    { state: "hold", patienceMs: 600_000, yieldsAtMs: 9 },
    "yields in",
    9,
  ],
  ["so does what a paused run has", { state: "paused", patienceMs: 600_000, yieldsAtMs: 9 }, "yields in", 9],
  ["what lands stays", { state: "landing" }, "landed", null],
] as const)("[LS35] %s", (_, lease, word, atMs) => {
  expect(toLeaseEnd({ ...base, ...lease })).toMatchObject({ word, atMs });
});

test("[LS35] why it is kept says how long whoever waits would", () => {
  expect(toLeaseEnd({ ...base, state: "hold", patienceMs: 600_000 }).why).toContain("10 min after somebody");
  expect(toLeaseEnd({ ...base, state: "paused" }).why).toContain("whoever waits");
});
