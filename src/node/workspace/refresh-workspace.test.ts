import { describe, expect, test } from "vitest";
import { Fault } from "../../base/fault.ts";
import type { Cover } from "../../core/landing/refresh.ts";
import { MemoryWorkspace, land } from "../../../test/support/memory-workspace.ts";
import { refreshWorkspace, type Refreshed, type RefreshOrder } from "./refresh-workspace.ts";

const lines = (...changed: readonly string[]): string =>
  Array.from({ length: 9 }, (_, at) => changed.find((text) => text.startsWith(`${at}`)) ?? `${at}`).join("\n");

function refresh(world: MemoryWorkspace, covers: Readonly<Record<string, Cover>> = {}): Promise<Refreshed> {
  const coverOf = (path: string): Cover => covers[path] ?? "none";
  return refreshWorkspace(world.workspace, world.mainline, { coverOf, rule: { foldCase: false } });
}

describe("a refresh", () => {
  test("[LD7, LD8] brings every clean path to mainline's head, and says which have moved", async () => {
    const world = await MemoryWorkspace.with({ a: "a", b: "b", c: "c", d: "d" });
    const commit = await land(world.mainline, { a: "A", b: null, e: "E" });
    expect(await refresh(world, { a: "new" })).toEqual({ commit, works: [], conflicts: [], moved: ["a", "b", "e"] });
    const texts = ["a", "b", "c", "d", "e"].map((path) => world.keeper.text(path));
    expect(texts).toEqual(["A", undefined, "c", "d", "E"]);
    expect(world.workspace.commit).toBe(commit);
    expect(await world.dirty()).toEqual({});
  });

  test("[LD7] leaves what its run has changed and held before, with the base it had", async () => {
    const world = await MemoryWorkspace.with({ a: "a", b: "b" });
    world.keeper.write("a", "mine");
    const base = await world.workspace.baseOf("a");
    const commit = await land(world.mainline, { a: "theirs", b: "B" });
    const { works, conflicts, moved } = await refresh(world, { a: "held", b: "new" });
    expect({ conflicts, moved }).toEqual({ conflicts: [], moved: ["b"] });
    expect(works).toMatchObject([{ path: "a", base }]);
    expect(world.keeper.text("a")).toBe("mine");
    expect(world.workspace.commit).toBe(commit);
    expect(await world.workspace.sweep()).toMatchObject([{ path: "a", base }]);
  });

  test("[LD9] merges what its run had changed before it held the path", async () => {
    const world = await MemoryWorkspace.with({ a: lines() });
    world.keeper.write("a", lines("1 mine"));
    await land(world.mainline, { a: lines("7 theirs") });
    const { works, conflicts } = await refresh(world, { a: "new" });
    expect(world.keeper.text("a")).toBe(lines("1 mine", "7 theirs"));
    const heads = await world.mainline.entriesAt(await world.mainline.head(), ["a"]);
    expect(works).toMatchObject([{ path: "a", base: heads.get("a"), work: world.keeper.entries.get("a") }]);
    expect(conflicts).toEqual([]);
  });

  test("[LD9, LD16] sets the run's side aside where both have changed the same place; its bytes are safe", async () => {
    const world = await MemoryWorkspace.with({ a: lines() });
    world.keeper.write("a", lines("4 mine"));
    await land(world.mainline, { a: lines("4 theirs") });
    const { works, conflicts } = await refresh(world, { a: "new" });
    expect(world.keeper.text("a")).toBe(lines("4 theirs"));
    expect(works).toEqual([]);
    const blob = conflicts[0]?.work?.split(":")[1] ?? "";
    expect(Buffer.from(await world.mainline.readBlob(blob)).toString()).toBe(lines("4 mine"));
    expect(await world.dirty()).toEqual({});
  });

  test("[LD10] takes along what cannot stand beside it: a file becomes a folder, and a folder a file", async () => {
    const world = await MemoryWorkspace.with({ a: "file", "b/x": "x", "b/y": "y" });
    await land(world.mainline, { a: null, "a/x": "inner", "b/x": null, "b/y": null, b: "file" });
    await refresh(world, { "a/x": "new" });
    expect([...world.keeper.entries.keys()].toSorted()).toEqual(["a/x", "b"]);
    expect(await world.dirty()).toEqual({});
  });

  test("[LD11] lets a change that is in the way of mainline's give way, and what it would have lost is kept", async () => {
    const world = await MemoryWorkspace.with({ a: "file" });
    world.keeper.write("b/mine", "mine");
    await land(world.mainline, { b: "file now" });
    const { conflicts } = await refresh(world, { b: "new", "b/mine": "new" });
    expect(conflicts).toMatchObject([{ path: "b/mine", base: null }]);
    expect(world.keeper.text("b/mine")).toBeUndefined();
    expect(world.keeper.text("b")).toBe("file now");
  });

  test("[LD12] repeated after a crash gives the same result", async () => {
    const world = await MemoryWorkspace.with({ a: lines(), b: "b" });
    world.keeper.write("a", lines("1 mine"));
    await land(world.mainline, { a: lines("7 theirs"), b: "B" });
    world.keeper.before = ({ op }) => {
      if (op === "place") throw new Error("killed");
    };
    await expect(refresh(world, { a: "new" })).rejects.toThrow("killed");
    world.keeper.before = () => undefined;
    await world.reopen();
    const { works } = await refresh(world, { a: "new" });
    expect(world.keeper.text("a")).toBe(lines("1 mine", "7 theirs"));
    expect(works).toMatchObject([{ path: "a", work: world.keeper.entries.get("a") }]);
    expect(await world.dirty()).toEqual({ a: lines("1 mine", "7 theirs") });
  });

  test("[LD12, LD38] overwrites nothing that was written after it had looked: it is done again", async () => {
    const world = await MemoryWorkspace.with({ a: "a", b: "b" });
    const before = world.workspace.commit;
    const commit = await land(world.mainline, { a: "A", b: "B" });
    world.keeper.before = ({ op }) => {
      if (op === "place") world.keeper.write("a", "from the background");
    };
    await expect(refresh(world, { b: "new" })).rejects.toMatchObject({ code: "changed", retry: "later" });
    expect([world.keeper.text("a"), world.keeper.text("b")]).toEqual(["from the background", "b"]);
    expect([world.workspace.commit, world.journal.placing]).toEqual([before, null]);
    world.keeper.before = () => undefined;
    expect(await refresh(world, { b: "new" })).toMatchObject({ commit, moved: ["b"], works: [] });
    expect([world.keeper.text("a"), world.keeper.text("b")]).toEqual(["from the background", "B"]);
  });

  test("[LD15] leaves what a command has changed and nobody holds to the look after that command", async () => {
    const world = await MemoryWorkspace.with({ a: "a", b: "b" });
    world.keeper.write("a", "of a command that still runs");
    world.keeper.write("b", "mine");
    expect((await refresh(world, { b: "held" })).works).toMatchObject([{ path: "b" }]);
    expect(await world.dirty()).toEqual({ a: "of a command that still runs", b: "mine" });
  });

  test("[AG44] puts mainline's side in the place of what was given up, and leaves what was not", async () => {
    const world = await MemoryWorkspace.with({ a: "a", b: "b", c: "c" });
    const commit = await land(world.mainline, { b: "B" });
    for (const path of ["a", "b", "c", "new"]) world.keeper.write(path, "of a service");
    const { workspace, mainline } = world;
    const isGivenUp = ({ path }: { path: string }): boolean => path !== "c";
    const order: RefreshOrder = { coverOf: () => "none", rule: { foldCase: false }, isGivenUp };
    expect(await refreshWorkspace(workspace, mainline, order)).toMatchObject({ commit, works: [], conflicts: [] });
    expect(await world.dirty()).toEqual({ c: "of a service" });
    expect(["a", "b", "new"].map((path) => world.keeper.text(path))).toEqual(["a", "B", undefined]);
  });

  test("[AG44, LD38] overwrites nothing that a service has written since it was given up", async () => {
    const world = await MemoryWorkspace.with({ a: "a" });
    world.keeper.write("a", "given up");
    world.keeper.before = ({ op }) => {
      if (op === "place") world.keeper.write("a", "written since");
    };
    const order: RefreshOrder = { coverOf: () => "none", rule: { foldCase: false }, isGivenUp: () => true };
    await expect(refreshWorkspace(world.workspace, world.mainline, order)).rejects.toMatchObject({ code: "changed" });
    expect(world.keeper.text("a")).toBe("written since");
  });

  test("[LD32] after a landing of its own leaves what was not approved on the base that was", async () => {
    const world = await MemoryWorkspace.with({ a: lines() });
    world.keeper.write("a", lines("1 mine", "7 mine"));
    await land(world.mainline, { a: lines("1 mine") });
    const landed = (await world.mainline.entriesAt(await world.mainline.head(), ["a"])).get("a") ?? null;
    await world.workspace.noteLanded(new Map([["a", landed]]));
    expect(await refresh(world, { a: "held" })).toMatchObject({ conflicts: [], moved: [] });
    expect(await world.workspace.sweep()).toMatchObject([{ path: "a", base: landed }]);
    expect(world.keeper.text("a")).toBe(lines("1 mine", "7 mine"));
  });

  describe("where scratch stands at what mainline tracks by now", () => {
    const fill = async (): Promise<{ readonly world: MemoryWorkspace; readonly commit: string }> => {
      const world = await MemoryWorkspace.with({ ".gitignore": "build\nsame\nother\n", a: "a" });
      for (const path of ["build", "same", "other"]) world.keeper.write(path, path === "same" ? "same" : "mine");
      const commit = await land(world.mainline, { build: "theirs", same: "same", a: "A" });
      return { world, commit };
    };

    test("[LD7, LD17] sets it aside where it differs, and is not held up by it", async () => {
      const { world, commit } = await fill();
      const { works, conflicts, moved } = await refresh(world, { a: "new" });
      expect({ works, moved }).toEqual({ works: [], moved: ["a", "build"] });
      expect(conflicts).toMatchObject([{ path: "build", base: null }]);
      const blob = conflicts[0]?.work?.split(":")[1] ?? "";
      expect(Buffer.from(await world.mainline.readBlob(blob)).toString()).toBe("mine");
      expect(world.workspace.commit).toBe(commit);
      expect(["build", "same", "other", "a"].map((path) => world.keeper.text(path))).toEqual([
        ...["theirs", "same", "mine", "A"],
      ]);
      expect(await world.dirty()).toEqual({});
    });

    test("[LD17] sets aside a file that is in the way of a folder", async () => {
      const { world } = await fill();
      await land(world.mainline, { "other/x": "theirs" });
      const { conflicts } = await refresh(world);
      expect(conflicts.map(({ path }) => path)).toEqual(["build", "other"]);
      expect([world.keeper.text("other"), world.keeper.text("other/x")]).toEqual([undefined, "theirs"]);
      expect(await world.dirty()).toEqual({});
    });

    test("[LD3] is not held up for good by what it cannot put there", async () => {
      const { world } = await fill();
      const before = world.workspace.commit;
      world.keeper.before = ({ op }) => {
        if (op === "place") throw new Fault("in-the-way", { retry: "never", message: "a folder is there" });
      };
      await expect(refresh(world)).rejects.toMatchObject({ code: "in-the-way" });
      expect([world.workspace.commit, world.journal.placing]).toEqual([before, null]);
      world.keeper.before = () => undefined;
      await world.reopen();
      expect(await refresh(world)).toMatchObject({ moved: ["a", "build"] });
    });

    test("[AG82, LD17] leaves it as a change where that is wanted", async () => {
      const { world, commit } = await fill();
      const order: RefreshOrder = { coverOf: () => "none", rule: { foldCase: false }, scratch: "stays" };
      const refreshed = await refreshWorkspace(world.workspace, world.mainline, order);
      expect(refreshed).toEqual({ commit, works: [], conflicts: [], moved: ["a"] });
      expect(await world.dirty()).toEqual({ build: "mine" });
      expect(await world.workspace.baseOf("build")).toBeNull();
    });
  });
});
