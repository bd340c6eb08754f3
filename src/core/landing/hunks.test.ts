import { describe, expect, test } from "vitest";
import { lines } from "../../../test/support/landing-entries.ts";
import { applyHunks, hunksOf } from "./hunks.ts";

const base = lines("abc");
const work = lines("AbC");

describe("hunks", () => {
  test("[LD23] are numbered from the top and show what is around them", () => {
    expect(hunksOf({ base, work })).toEqual([
      {
        id: "1",
        ...{ baseFrom: 0, baseTo: 1, workFrom: 0, workTo: 1 },
        removed: ["a\n"],
        added: ["A\n"],
        before: [],
        after: ["b\n"],
      },
      {
        id: "2",
        ...{ baseFrom: 2, baseTo: 3, workFrom: 2, workTo: 3 },
        removed: ["c\n"],
        added: ["C\n"],
        before: ["b\n"],
        after: [],
      },
    ]);
    expect(hunksOf({ base: lines("123456789"), work: lines("1234X6789") })).toMatchObject([
      { before: ["2\n", "3\n", "4\n"], after: ["6\n", "7\n", "8\n"] },
    ]);
  });

  test("[LD23] the approved content is the base with the chosen ones", () => {
    const hunks = hunksOf({ base, work });
    expect(applyHunks(base, hunks, new Set(["1"]))).toBe(lines("Abc"));
    expect(applyHunks(base, hunks, new Set(["2"]))).toBe(lines("abC"));
    expect(applyHunks(base, hunks, new Set())).toBe(base);
    expect(applyHunks(base, hunks, new Set(["2", "1"]))).toBe(work);
  });

  test("hunks of another base are a mistake of ours", () => {
    expect(() => applyHunks("a\n", hunksOf({ base, work }), new Set(["2"]))).toThrow("belong to this base");
  });

  test("[LD23] S4 by hunk: A lands, C is left and is again a hunk of its own", () => {
    const landed = applyHunks(base, hunksOf({ base, work }), new Set(["1"]));
    const rest = hunksOf({ base: landed, work });
    expect(rest).toMatchObject([{ id: "1", removed: ["c\n"], added: ["C\n"] }]);
    expect(applyHunks(landed, rest, new Set(["1"]))).toBe(work);
  });
});
