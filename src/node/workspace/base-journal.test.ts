import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MemoryWorkspace, land } from "../../../test/support/memory-workspace.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { Fault } from "../../base/fault.ts";
import { BaseJournal, type Bases } from "./base-journal.ts";

const first: Bases = { layers: "c1", commit: "c1", own: {} };
const second: Bases = { layers: "c1", commit: "c2", own: { a: null } };

function open(file: string, fresh: () => Promise<Bases> = async () => first): Promise<BaseJournal> {
  return BaseJournal.open(file, async () => ({ bases: await fresh(), placing: null }));
}

describe("the journal of bases", () => {
  test("[LD3] is there before anything is placed, and is read by whoever comes after", async () => {
    const file = join(makeTempFolder(), "run", "bases.json");
    expect((await open(file)).bases).toEqual(first);
    expect(existsSync(file)).toBe(true);
    const never = (): Promise<Bases> => Promise.reject(new Error("it is no new workspace"));
    expect(await open(file, never)).toMatchObject({ bases: first, placing: null });
  });

  test("[LD3] tells of a placing that was begun and not finished, and the bases stay until it is", async () => {
    const file = join(makeTempFolder(), "bases.json");
    const journal = await open(file);
    const placing = { tag: "t", places: [{ path: "a", from: null, to: null }], after: second };
    await journal.begin(placing);
    expect(await open(file)).toMatchObject({ bases: first, placing });
    await journal.finish();
    expect(await open(file)).toMatchObject({ bases: second, placing: null });
    await journal.finish();
    expect(journal.bases).toEqual(second);
  });

  test("[LD3] is the old one or the new one, whole: it is never written in place", async () => {
    const file = join(makeTempFolder(), "bases.json");
    const journal = await open(file);
    const { ino } = statSync(file);
    await journal.set(second);
    expect(statSync(file).ino).not.toBe(ino);
  });
});

describe("a crash", () => {
  test.each(["before the bytes", "after the bytes"] as const)(
    "[LD3, LD12] %s of a move: the same is placed again, bytes and bases together",
    async (when) => {
      const world = await MemoryWorkspace.with({ a: "old", b: "b" });
      const commit = await land(world.mainline, { a: "new" });
      const entry = (await world.mainline.entriesAt(commit, ["a"])).get("a") ?? null;
      let hasPlaced = false;
      world.keeper.before = ({ op }) => {
        if (op !== "place" || when === "after the bytes") return;
        throw new Error("killed");
      };
      const { journal } = world;
      if (when === "after the bytes") {
        journal.finish = async () => {
          hasPlaced = true;
          throw new Error("killed");
        };
      }
      await expect(world.workspace.move(commit, [{ path: "a", to: entry }], new Map())).rejects.toThrow("killed");
      expect(hasPlaced).toBe(when === "after the bytes");
      world.keeper.before = () => undefined;
      await world.reopen();
      expect(world.keeper.text("a")).toBe("new");
      expect(world.workspace.commit).toBe(commit);
      expect(await world.dirty()).toEqual({});
      // Once more changes nothing.
      await world.reopen();
      expect(await world.dirty()).toEqual({});
    },
  );

  test("[LD3, LD16] while changes are put back: they are put back, and the bases of others stay", async () => {
    const world = await MemoryWorkspace.with({ a: "a", b: "b" });
    world.keeper.write("a", "changed");
    world.keeper.write("c", "new");
    const works = await world.workspace.sweep();
    world.keeper.before = ({ op }) => {
      if (op === "place") throw new Error("killed");
    };
    await expect(world.workspace.putBack(works)).rejects.toThrow("killed");
    world.keeper.before = () => undefined;
    await world.reopen();
    expect([world.keeper.text("a"), world.keeper.text("c")]).toEqual(["a", undefined]);
    expect(await world.dirty()).toEqual({});
  });

  test("[LD16] what was set aside twice is put back once", async () => {
    const world = await MemoryWorkspace.with({ a: "a" });
    world.keeper.write("a", "changed");
    const works = await world.workspace.sweep();
    await world.workspace.putBack([...works, ...works]);
    expect([world.keeper.text("a"), await world.dirty()]).toEqual(["a", {}]);
  });

  test("[LD3] by a placing that can never be done: it has not happened, and the workspace opens all the same", async () => {
    const world = await MemoryWorkspace.with({ a: "a" });
    world.keeper.write("a", "changed");
    const works = await world.workspace.sweep();
    const refuse = new Fault("bad-request", { retry: "never", message: "two of the changes are for the same place" });
    let isKilled = true;
    world.keeper.before = ({ op }) => {
      if (op === "place") throw isKilled ? new Error("killed") : refuse;
    };
    await expect(world.workspace.putBack(works)).rejects.toThrow("killed");
    isKilled = false;
    await world.reopen();
    world.keeper.before = () => undefined;
    await world.reopen();
    expect(Object.keys(await world.dirty())).toEqual(["a"]);
  });
});
