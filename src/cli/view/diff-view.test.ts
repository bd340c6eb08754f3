import pc from "picocolors";
import { describe, expect, test } from "vitest";
import type { Change } from "../../protocol/wire/change.ts";
import { diffLines, oversizedLines, statLines } from "./diff-view.ts";

const plain = pc.createColors(false);
const painted = pc.createColors(true);
const entry = `100644:${"a".repeat(40)}`;

function change(path: string, given: Partial<Change> = {}): Change {
  return {
    path,
    status: "changed",
    base: entry,
    work: entry,
    bytes: { base: 4, work: 10 },
    held: true,
    guarded: false,
    keepsOwn: false,
    binary: false,
    tooLarge: false,
    hunks: [{ id: "1", from: 3, removed: ["old\n"], added: ["new\n", "newer\n"] }],
    patch: `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -3 +3,2 @@\n-old\n+new\n+newer\n`,
    theirs: null,
    ...given,
  };
}

describe("one line per file", () => {
  test("names what others obey, and where two sides met", () => {
    const theirs = { entry, patch: "" };
    const kept = change("b.ts", { keepsOwn: true });
    expect(statLines([change(".npmrc", { guarded: true }), change("a.ts", { theirs }), kept], plain, true)).toEqual([
      "M .npmrc  +2 -1  others execute or obey it",
      "M a.ts  +2 -1  somebody else has changed the same place",
      "M b.ts  +2 -1  keeps its own side whole over somebody's change",
    ]);
  });

  test("says what happened to it, and how much", () => {
    const changes = [
      change("a.ts"),
      change("new.ts", { status: "added", base: null }),
      change("old.ts", { status: "deleted", work: null, hunks: [] }),
      change("image.png", { binary: true, hunks: [] }),
      change("data.json", { tooLarge: true, hunks: [], patch: "" }),
    ];
    expect(statLines(changes, plain, true)).toEqual([
      "M a.ts  +2 -1",
      "A new.ts  +2 -1",
      "D old.ts  +0 -0",
      "M image.png  not text, 10 B",
      "M data.json  too large to be shown, 10 B",
    ]);
  });

  test("a lost lease matters only to what may still land", () => {
    const lost = [change("a.ts", { held: false })];
    expect(statLines(lost, plain, true)[0]).toContain("lost its lease");
    expect(statLines(lost, plain, false)).toEqual(["M a.ts  +2 -1"]);
  });
});

describe("the whole diff", () => {
  test("numbers the hunks where there are several, as approve wants them", () => {
    const [hunk] = change("a.ts").hunks;
    const two = change("a.ts", { hunks: [hunk!, { ...hunk!, id: "2", from: 40 }] });
    expect(diffLines([two], plain)[0]).toBe("a.ts has 2 hunks: 1 at line 3, 2 at line 40");
    expect(diffLines([change("a.ts")], plain)[0]).toBe("diff --git a/a.ts b/a.ts");
  });

  test("paints what came and what went", () => {
    const lines = diffLines([change("a.ts")], painted);
    expect(lines).toContain(painted.red("-old"));
    expect(lines).toContain(painted.green("+new"));
    expect(lines).toContain(painted.cyan("@@ -3 +3,2 @@"));
  });

  test("what was written in a file does nothing to the terminal", () => {
    const evil = change("a\u001b[2J.ts", { patch: "+\u001b]0;title\u0007\tx\u202e\n" });
    const text = [...diffLines([evil], plain), ...statLines([evil], plain, true)].join("\n");
    // oxlint-disable-next-line no-control-regex -- none of these may be left
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
    expect(text).toContain("    x");
  });

  test("a file that is too large is named", () => {
    expect(diffLines([change("data.json", { tooLarge: true, patch: "" })], plain)).toEqual([
      "data.json is too large to be shown",
    ]);
  });
});

test("[LD57] names what is too large to land, with its size", () => {
  expect(oversizedLines([])).toEqual([]);
  expect(oversizedLines([{ path: "data/a\nb.bin", bytes: 3 * 1024 ** 3 }])).toEqual([
    "Too large to land, so it is scratch and goes with the run: data/a␊b.bin (3.0 GiB).",
  ]);
});
