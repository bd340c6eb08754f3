import { describe, expect, test } from "vitest";
import { CoreWorld, toClaim } from "../../../test/support/core-world.ts";
import { conflicts, covers, parseUnit, type Unit } from "./unit.ts";

const exact = { foldCase: false, ownProcesses: new Set<string>() };
const folding = { foldCase: true, ownProcesses: new Set(["serve"]) };

describe("reading", () => {
  test("[LS1] a unit is a file, a directory or a process, and need not exist", () => {
    expect(unit("file:src/a.ts")).toMatchObject({ kind: "file", text: "file:src/a.ts", key: "/src/a.ts" });
    expect(unit("dir:")).toMatchObject({ kind: "dir", text: "dir:", segments: [] });
    expect(unit("process:test")).toMatchObject({ kind: "process", key: "test" });
    const world = new CoreWorld();
    world.project();
    expect(world.claim("A", "file:not/yet/there")).toMatchObject({ state: "granted" });
  });

  test("[LS1] a name that was just read under another rule is read anew", () => {
    for (let times = 0; times < 3; times++) {
      expect(unit("file:A").key).toBe("/A");
      expect(unit("file:A", folding).key).toBe("/a");
      expect(unit("process:serve", folding).key).toBe("serve@f");
      expect(unit("process:serve").key).toBe("serve");
    }
  });

  test.each([
    ["file:", "a file needs a name"],
    ["file:/etc/passwd", "relative"],
    ["file:../a", "leaves the project"],
    ["dir:a/../..", "leaves the project"],
    ["file:a\u0000b", "control characters"],
    ["file:a\nb", "control characters"],
    ["file:\ud800", "Unicode"],
    [`file:${"x".repeat(256)}`, "255 bytes"],
    [`file:${"é".repeat(128)}`, "255 bytes"],
    [`file:${"a/".repeat(129)}b`, "128 folders"],
    [`file:${"a/".repeat(4096)}`, "4096"],
    ["process:", "1 to 64"],
    ["process:a b", "1 to 64"],
    ["process:../x", "1 to 64"],
    ["files", "starts with"],
    ["filex", "starts with"],
    ["dirs", "starts with"],
    ["", "starts with"],
    ["folder:a", "starts with"],
  ])("[LS1] %j is no unit, and the refusal says why", (text, why) => {
    expect(parseUnit(text, exact, "f")).toMatchObject({ ok: false, refusal: { code: "bad-unit" } });
    const parsed = parseUnit(text, exact, "f");
    expect(parsed.ok ? "" : parsed.refusal.why).toContain(why);
  });

  test("[LS1] a bad unit is refused and nothing changes", () => {
    const world = new CoreWorld();
    world.project();
    expect(world.no(toClaim(world.state, "A", ["file:a", "file:../b"]))).toMatchObject({
      code: "bad-unit",
      unit: "file:../b",
    });
    expect(world.last).toEqual([]);
  });

  test("[LS2] dots, doubled slashes and composed letters come to one key; the spelling stays beside it", () => {
    expect(unit("file:./src//x/../a.ts").key).toBe(unit("file:src/a.ts").key);
    expect(unit("file:cafe\u0301").key).toBe(unit("file:caf\u00e9").key);
    expect(unit("file:A").key).not.toBe(unit("file:a").key);
    expect(unit("file:Straße/ΑΣ", folding)).toMatchObject({ text: "file:Straße/ΑΣ", key: "/strasse/ασ" });
    expect(unit("file:STRASSE/ασ", folding).key).toBe("/strasse/ασ");
  });

  test("[LS2] the case rule changes only while nothing is leased, queued or changed", () => {
    const world = new CoreWorld();
    const project = world.project();
    const lower = world.claim("A", "file:a");
    world.claim("B", "file:A");
    // With folded case both leases would stand on one key.
    expect(world.no({ type: "project.change", project, foldCase: true })).toMatchObject({ code: "in-use", by: "A" });
    world.release(lower);
    expect(world.no({ type: "project.change", project, foldCase: true })).toMatchObject({ code: "in-use", by: "B" });
    world.pass(60_000);
    world.ok({ type: "project.change", project, foldCase: true });
    world.claim("A", "file:a");
    expect(world.claim("B", "file:A")).toMatchObject({ state: "queued" });
  });

  test("[LS2] a process that each family has for itself excludes nobody else", () => {
    const world = new CoreWorld();
    world.project({
      processes: { serve: { argv: ["serve"], scope: "agent" }, test: { argv: ["t"], scope: "project" } },
    });
    expect(world.claim("A", "process:serve process:test").state).toBe("granted");
    expect(world.claim("B", "process:serve").state).toBe("granted");
    expect(world.claim("B", "process:test").state).toBe("queued");
  });
});

describe("comparing", () => {
  test("[LS3] a file covers itself, a directory covers itself and everything beneath", () => {
    expect(covers(unit("file:a"), unit("file:a"))).toBe(true);
    expect(covers(unit("dir:a"), unit("file:a"))).toBe(true);
    expect(covers(unit("dir:a"), unit("file:a/b/c"))).toBe(true);
    expect(covers(unit("dir:"), unit("dir:a"))).toBe(true);
    expect(covers(unit("file:a"), unit("file:a/b"))).toBe(false);
    expect(covers(unit("file:a"), unit("dir:a"))).toBe(false);
    expect(covers(unit("dir:a/b"), unit("file:a"))).toBe(false);
    expect(covers(unit("dir:"), unit("process:test"))).toBe(false);
    expect(covers(unit("process:test"), unit("process:test"))).toBe(true);
  });

  test.each([
    ["file:a", "dir:a", true],
    ["file:a", "file:a/x", true],
    ["dir:", "file:a/x", true],
    ["dir:a", "dir:a/b/c", true],
    ["file:a/x", "file:a/y", false],
    ["file:a", "file:ab", false],
    ["dir:a", "file:ab/c", false],
    ["process:a", "process:a", true],
    ["process:a", "file:a", false],
    ["process:a", "dir:", false],
  ])("[LS4] %s and %s exclude each other: %s", (a, b, expected) => {
    expect(conflicts(unit(a), unit(b))).toBe(expected);
    expect(conflicts(unit(b), unit(a))).toBe(expected);
  });

  test("[LS4] one makes a file, another something beneath it: no tree could hold both", () => {
    const world = new CoreWorld();
    world.project();
    const file = world.claim("A", "file:a");
    expect(world.claim("B", "file:a/x")).toMatchObject({
      state: "queued",
      behind: [{ holder: "A", unit: "file:a/x" }],
    });
    expect(world.claim("C", "dir:a").state).toBe("queued");
    world.release(file);
    expect(world.holdings()).toEqual(["B: file:a/x"]);
  });
});

function unit(text: string, rule = exact): Unit {
  const parsed = parseUnit(text, rule, "f");
  if (!parsed.ok) throw new Error(parsed.refusal.why);
  return parsed.value;
}
