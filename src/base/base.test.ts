import { describe, expect, test } from "vitest";
import { assert, Defect, mustGet, unreachable } from "./assert.ts";
import { Fault } from "./fault.ts";
import { idBytes, spellId } from "./ids.ts";
import { ok, refuse } from "./result.ts";

describe("errors are of three kinds", () => {
  test("a refusal is an answer", () => {
    expect(ok(1)).toEqual({ ok: true, value: 1 });
    expect(refuse({ code: "busy" })).toEqual({ ok: false, refusal: { code: "busy" } });
  });

  test("a fault says whether to try again", () => {
    const cause = new Error("ENOSPC");
    const fault = new Fault("disk-full", { message: "the disk is full", retry: "later", cause });
    expect(fault).toMatchObject({ name: "Fault", code: "disk-full", retry: "later", cause });
  });

  test("a defect stops", () => {
    expect(() => assert(false, "one is not two")).toThrow(Defect);
    expect(() => assert(0, "zero")).toThrow("zero");
    expect(() => assert(true, "fine")).not.toThrow();
    expect(() => mustGet(new Map<string, number>(), "r_1", "run")).toThrow("run r_1 is not known");
    expect(mustGet(new Map([["r_1", 0]]), "r_1", "run")).toBe(0);
    expect(() => unreachable("x" as never)).toThrow('unreachable: "x"');
  });
});

test("an id can be read aloud", () => {
  const every = Uint8Array.from({ length: 256 }, (_, at) => at);
  expect(spellId("r", every)).toMatch(/^r_[0-9a-hjkmnp-tv-z]{256}$/);
  expect(spellId("r", new Uint8Array(idBytes))).toBe("r_000000000000");
});
