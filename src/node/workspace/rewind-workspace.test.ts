import { describe, expect, test } from "vitest";
import { MemoryWorkspace, land } from "../../../test/support/memory-workspace.ts";
import type { Work } from "../../core/workspace/workspace-state.ts";
import { rewindWorkspace, type WorkspaceRewound } from "./rewind-workspace.ts";

const lines = (...changed: readonly string[]): string =>
  Array.from({ length: 9 }, (_, at) => changed.find((text) => text.startsWith(`${at}`)) ?? `${at}`).join("\n");

async function rewind(
  world: MemoryWorkspace,
  wanted: readonly Work[],
  covered: readonly string[],
): Promise<WorkspaceRewound & { readonly found: readonly Work[] }> {
  const found: Work[] = [];
  const rewound = await rewindWorkspace(world.workspace, world.mainline, {
    wanted,
    isCovered: (path) => covered.includes(path),
    rule: { foldCase: false },
    found: async (works) => found.push(...works) >= 0,
  });
  if (rewound === undefined) throw new Error("it is wanted");
  return { ...rewound, found };
}

describe("a rewind", () => {
  test("[LD34] puts back what was changed then, takes back what was not, and leaves what is not held", async () => {
    const world = await MemoryWorkspace.with({ a: "a", b: "b", c: "c" });
    world.keeper.write("a", "first");
    const wanted = await world.workspace.sweep();
    world.keeper.write("a", "second");
    world.keeper.write("b", "changed");
    world.keeper.write("c", "not held");
    world.keeper.write("new", "made later");
    const rewound = await rewind(world, wanted, ["a", "b", "new"]);
    expect(rewound).toMatchObject({ stayed: [], refused: null });
    expect(rewound.works.map(({ path }) => path)).toEqual(["a", "b", "new"]);
    const texts = ["a", "b", "c", "new"].map((path) => world.keeper.text(path));
    expect(texts).toEqual(["first", "b", "not held", undefined]);
    // What was there is safe, with its bytes.
    const newer = rewound.found.find(({ path }) => path === "b")?.work ?? "";
    expect(Buffer.from(await world.mainline.readBlob(newer.split(":")[1] ?? "")).toString()).toBe("changed");
  });

  test("[LD34] merges with what has landed since, and names what cannot be had with it", async () => {
    const world = await MemoryWorkspace.with({ a: lines(), b: lines() });
    world.keeper.write("a", lines("1 mine"));
    world.keeper.write("b", lines("4 mine"));
    const wanted = await world.workspace.sweep();
    const commit = await land(world.mainline, { a: lines("7 theirs"), b: lines("4 theirs") });
    for (const path of ["a", "b"]) world.keeper.write(path, lines(path === "a" ? "7 theirs" : "4 theirs"));
    const works = await world.workspace.works();
    await world.workspace.move(
      commit,
      works.map(({ path, work }) => ({ path, to: work })),
      new Map(),
    );
    const { stayed } = await rewind(world, wanted, ["a", "b"]);
    expect(stayed).toEqual(["b"]);
    expect(world.keeper.text("a")).toBe(lines("1 mine", "7 theirs"));
    expect(world.keeper.text("b")).toBe(lines("4 theirs"));
  });

  test("[LD34] is refused whole when the result would be no tree", async () => {
    const world = await MemoryWorkspace.with({ b: "b" });
    world.keeper.write("a", "a file");
    const wanted = await world.workspace.sweep();
    world.keeper.write("a", null);
    world.keeper.write("a/x", "in a folder");
    world.keeper.write("b", "changed");
    const { refused, works } = await rewind(world, wanted, ["a", "b"]);
    expect(refused).toContain("a and a/x");
    expect(works).toEqual([]);
    expect(world.keeper.text("b")).toBe("changed");
  });

  test("[LD35] that nobody wants any more changes nothing", async () => {
    const world = await MemoryWorkspace.with({ a: "a" });
    world.keeper.write("a", "written since");
    const order = { wanted: [], isCovered: () => true, rule: { foldCase: false }, found: async () => false };
    expect(await rewindWorkspace(world.workspace, world.mainline, order)).toBeUndefined();
    expect(world.keeper.text("a")).toBe("written since");
  });

  test("[LD37] done again after a crash changes nothing more", async () => {
    const world = await MemoryWorkspace.with({ a: "a" });
    world.keeper.write("a", "changed");
    await rewind(world, [], ["a"]);
    await world.reopen();
    expect((await rewind(world, [], ["a"])).works).toEqual([]);
    expect(world.keeper.text("a")).toBe("a");
  });
});
