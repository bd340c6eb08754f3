import { describe, expect, test } from "vitest";
import { entryOf } from "../../core/landing/entry.ts";
import type { FileChange } from "../../ports/runner.ts";
import { planChanges, type ReadFile } from "./plan-changes.ts";
import type { Sight } from "./seen-files.ts";

const files: Readonly<Record<string, string>> = { a: "one two", run: "#!", link: "a" };
const modes: Readonly<Record<string, string>> = { run: "100755", link: "120000" };
const read: ReadFile = async (path) => {
  const text = files[path];
  if (text === undefined) return { entry: null, bytes: null };
  return { entry: entryOf(modes[path] ?? "100644", `b10b0000${path}`), bytes: Buffer.from(text) };
};

/** What the writer has seen of these; of others nothing. */
const sights: Readonly<Record<string, Sight>> = { run: "this", link: "other" };

async function plan(...changes: readonly FileChange[]): Promise<unknown> {
  const planned = await planChanges(changes, read, (path) => sights[path] ?? "never");
  if (!planned.ok) return planned.refusal.code;
  return Object.fromEntries(
    planned.value.map(({ path, after }) => [path, after === null ? null : `${after.mode} ${after.bytes.toString()}`]),
  );
}

describe("changes", () => {
  test("[LD14] of one patch see what the earlier ones made, and name every path that they touch", async () => {
    const changes: FileChange[] = [
      { do: "edit", path: "a", find: "one", replace: "1" },
      { do: "move", path: "a", to: "b" },
      { do: "edit", path: "b", find: "two", replace: "2" },
      { do: "write", path: "a", content: "new" },
      { do: "write", path: "c", content: "gone" },
      { do: "delete", path: "c" },
    ];
    expect(await plan(...changes)).toEqual({ a: "100644 new", b: "100644 1 2", c: null });
  });

  test.each<readonly [string, FileChange, unknown]>([
    ["what it has read may be replaced", { do: "write", path: "run", content: "x", careful: "seen" }, "100755 x"],
    ["and deleted", { do: "delete", path: "run", careful: "seen" }, null],
    ["a new file needs no look", { do: "write", path: "new", content: "x", careful: "seen" }, "100644 x"],
    ["what it has not read stays", { do: "write", path: "a", content: "x", careful: "seen" }, "not-read"],
    ["also where it is deleted", { do: "delete", path: "a", careful: "seen" }, "not-read"],
    ["unless it says what it saw", { do: "delete", path: "a", careful: "seen", seen: "b10b0000a" }, null],
    ["what is another by now stays", { do: "write", path: "link", content: "x", careful: "seen" }, "changed"],
    ["what is a link is no file", { do: "write", path: "link", content: "x" }, "is-link"],
    ["nor is its target its text", { do: "edit", path: "link", find: "a", replace: "b" }, "is-link"],
    ["with its folder, too", { do: "delete", path: "link", careful: "not-other" }, "changed"],
    ["a folder goes with what nobody read", { do: "delete", path: "a", careful: "not-other" }, null],
  ])("[LD13] of a model: %s", async (_, change, expected) => {
    const planned = await plan(change);
    expect(typeof planned === "string" ? planned : (planned as Record<string, unknown>)[change.path]).toBe(expected);
  });

  test("[EN20] keep the mode; what was a link stays one when it is moved", async () => {
    expect(
      await plan(
        { do: "write", path: "run", content: "x" },
        { do: "move", path: "link", to: "l" },
        { do: "write", path: "link", content: "y" },
      ),
    ).toEqual({ run: "100755 x", l: "120000 a", link: "100644 y" });
  });

  test("[LD13] are for what their writer saw", async () => {
    expect(await plan({ do: "write", path: "a", content: "", seen: "b10b0000a" })).toEqual({ a: "100644 " });
    expect(await plan({ do: "write", path: "new", content: "", seen: "none" })).toEqual({ new: "100644 " });
    expect(await plan({ do: "write", path: "a", content: "", seen: "none" })).toBe("changed");
    expect(await plan({ do: "delete", path: "a", seen: "0000000000" })).toBe("changed");
    expect(await plan({ do: "move", path: "gone", to: "x", seen: "b10b0000" })).toBe("changed");
  });

  test.each<[string, FileChange]>([
    ["no-file", { do: "edit", path: "none", find: "a", replace: "b" }],
    ["no-file", { do: "delete", path: "none" }],
    ["no-file", { do: "move", path: "none", to: "b" }],
    ["no-match", { do: "edit", path: "a", find: "three", replace: "3" }],
    ["in-the-way", { do: "move", path: "a", to: "run" }],
  ])("that cannot be done are none: %s", async (code, change) => {
    expect(await plan({ do: "write", path: "other", content: "" }, change)).toBe(code);
  });
});
