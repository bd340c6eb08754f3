import { expect, test } from "vitest";
import { parseMoment } from "./moment.ts";
import { tryCli } from "./testing/try-cli.ts";

const locks = { seq: 7, nowMs: 0, leases: [], queue: [], waits: [], truncated: false };
const wallMs = Date.parse("2026-11-16T12:00:00Z");
const status = { nowMs: 900_000, openings: [{ seq: 1, atMs: 100_000, wallMs, fromMs: 100_000 }] };

test.each([
  ["812", 812, undefined],
  ["5m", 44, 600_000],
  ["2026-11-16T12:00:30Z", 44, 130_000],
])("locks --at %s asks for what was then", async (when, at, atMs) => {
  const answers = { locks, status, "events.at": { seq: 44, atMs: 1 }, "project.list": { projects: [] } };
  const { calls } = await tryCli(["locks", "--at", when], answers);
  expect(calls.find(([name]) => name === "locks")?.[1]).toEqual({ at });
  expect(calls.find(([name]) => name === "events.at")?.[1]).toEqual(atMs === undefined ? undefined : { atMs });
});

test.each(["yesterday", "2026-99-99", "-3m"])("%s is no moment, and it is said what one is", (text) => {
  expect(() => parseMoment(text)).toThrow(/the number of an event/);
});
