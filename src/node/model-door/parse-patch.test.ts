import { describe, expect, test } from "vitest";
import { parsePatch } from "./parse-patch.ts";

function wrap(...lines: readonly string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

describe("a patch", () => {
  test("adds, deletes, updates and moves", () => {
    const text = wrap(
      "*** Add File: new.txt",
      "+one",
      "+",
      "*** Delete File: gone.txt",
      "*** Update File: a.txt",
      "@@ somewhere",
      " stays",
      "-goes",
      "+comes",
      "@@",
      "-last",
      "+end",
      "*** End of File",
      "*** Update File: b.txt",
      "*** Move to: c.txt",
      "@@",
      "-b",
      "+c",
    );
    expect(parsePatch(text)).toEqual({
      ok: true,
      value: [
        { do: "write", path: "new.txt", content: "one\n\n", seen: "none" },
        { do: "delete", path: "gone.txt", careful: "seen" },
        { do: "edit", path: "a.txt", find: "stays\ngoes\n", replace: "stays\ncomes\n" },
        { do: "edit", path: "a.txt", find: "last", replace: "end" },
        { do: "move", path: "b.txt", to: "c.txt", careful: "not-other" },
        { do: "edit", path: "c.txt", find: "b\n", replace: "c\n" },
      ],
    });
  });

  test.each([
    ["no frame", "*** Add File: a\n+x"],
    ["nothing in it", wrap()],
    ["a line that belongs to nothing", wrap("hello", "*** Delete File: a")],
    ["an added line without +", wrap("*** Add File: a", "x")],
    ["a line of a hunk that begins with none of the three", wrap("*** Update File: a", "@@", "x")],
    ["a hunk that belongs nowhere", wrap("*** Update File: a", "@@", "+x")],
    ["a move of nothing", wrap("*** Delete File: a", "*** Move to: b")],
  ])("that has %s is refused with a sentence", (_what, text) => {
    const parsed = parsePatch(text);
    expect(parsed.ok ? "" : parsed.refusal).toMatch(/\w{2,} \w+/);
  });
});
