import { describe, expect, test } from "vitest";
import { exact, folding } from "../../../test/support/landing-entries.ts";
import { findClashes, groupPaths, pathKey } from "./kin.ts";

describe("kin", () => {
  test("[LD5] a file and everything beneath it, transitively", () => {
    expect(groupPaths(["b", "a/y", "a", "ab", "a/x/1"], exact)).toEqual([["a", "a/x/1", "a/y"], ["ab"], ["b"]]);
    // Side by side in a folder is no kinship, unless the folder's own name is one of them.
    expect(groupPaths(["a/x", "a/y"], exact)).toEqual([["a/x"], ["a/y"]]);
  });

  test("[LD5] the two ends of a move, when both changed", () => {
    const moves = [
      { from: "a", to: "b" },
      { from: "c", to: "gone" },
    ];
    expect(groupPaths(["a", "b", "c", "b/x"], exact, moves)).toEqual([["a", "b", "b/x"], ["c"]]);
  });

  test("[LD5] names with one key where case folds", () => {
    expect(groupPaths(["A", "a", "b"], folding)).toEqual([["A", "a"], ["b"]]);
    expect(groupPaths(["A", "a", "b"], exact)).toEqual([["A"], ["a"], ["b"]]);
    expect(groupPaths(["Straße/x", "STRASSE"], folding)).toEqual([["STRASSE", "Straße/x"]]);
    // A renamed folder is renamed whole: half of it under each spelling is one folder to some machines.
    expect(groupPaths(["Src/a", "Src/b", "src/a", "src/b", "lib/c"], folding)).toEqual([
      ["Src/a", "Src/b", "src/a", "src/b"],
      ["lib/c"],
    ]);
    expect(groupPaths(["caf\u00e9", "cafe\u0301"], exact)).toHaveLength(1);
    expect(pathKey("Src/É.ts", folding)).toBe("src/é.ts");
  });

  test("[LD28] clashes are found with their kind, and not between names that were there before", () => {
    expect(findClashes(["a/x"], ["a", "b"], exact)).toEqual([{ kind: "file-and-folder", fresh: "a/x", other: "a" }]);
    expect(findClashes(["a"], ["a/x", "a/y/z"], exact)).toEqual([
      { kind: "file-and-folder", fresh: "a", other: "a/x" },
      { kind: "file-and-folder", fresh: "a", other: "a/y/z" },
    ]);
    expect(findClashes(["a", "a/x"], [], exact)).toEqual([{ kind: "file-and-folder", fresh: "a/x", other: "a" }]);
    expect(findClashes(["Readme"], ["README", "x"], folding)).toEqual([
      { kind: "same-key", fresh: "Readme", other: "README" },
    ]);
    expect(findClashes(["src/new"], ["Src/old"], folding)).toEqual([
      { kind: "same-key", fresh: "src/new", other: "Src/old" },
    ]);
    expect(findClashes(["c"], ["A", "a", "b/x", "b"], folding)).toEqual([]);
    expect(findClashes(["a"], ["a"], exact)).toEqual([]);
  });
});
