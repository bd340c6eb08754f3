import { describe, expect, test } from "vitest";
import { upgradeEvent } from "./upgrade.ts";

const stored = { seq: 4, atMs: 10, cause: null, actor: "system", type: "run.stopped", v: 1, run: "r_1" };

describe("old events", () => {
  test("an event of today is left as it is", () => {
    expect(upgradeEvent(stored)).toBe(stored);
  });

  test("an event of a newer release, of an unknown type or without a version cannot be read", () => {
    expect(upgradeEvent({ ...stored, v: 2 })).toEqual({ seq: 4, type: "run.stopped", v: 2 });
    expect(upgradeEvent({ ...stored, type: "run.vanished" })).toEqual({ seq: 4, type: "run.vanished", v: 1 });
    expect(upgradeEvent({ ...stored, type: "toString" })).toMatchObject({ type: "toString" });
    expect(upgradeEvent({ ...stored, v: undefined })).not.toHaveProperty("atMs");
    expect(upgradeEvent({ ...stored, v: 0 })).toEqual({ seq: 4, type: "run.stopped", v: 0 });
  });

  test("an older shape goes through every upgrade in turn", () => {
    const old = { ...stored, v: 0, name: "r_1", run: undefined };
    const known = { "run.stopped": { 0: (event: Record<string, unknown>) => ({ ...event, run: event["name"] }) } };
    expect(upgradeEvent(old, known)).toMatchObject({ v: 1, run: "r_1" });
  });
});
