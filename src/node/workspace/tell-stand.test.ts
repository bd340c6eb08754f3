import { describe, expect, test } from "vitest";
import { Fault } from "../../base/fault.ts";
import type { Cover } from "../../core/landing/refresh.ts";
import { MemoryWorkspace, land } from "../../../test/support/memory-workspace.ts";
import type { WireStand } from "../../protocol/keeper/keeper-wire.ts";
import { refreshWorkspace } from "./refresh-workspace.ts";

type Told = { readonly paths: readonly string[]; readonly stands: WireStand | undefined };

/** What the keeper of a workspace hears of where that stands. */
function listen(world: MemoryWorkspace): Told[] {
  const told: Told[] = [];
  world.keeper.before = (op) => {
    if (op.op === "place") told.push({ paths: op.changes.map(({ path }) => path), stands: op.stands });
  };
  return told;
}

async function refresh(world: MemoryWorkspace, anew = false): Promise<void> {
  const coverOf = (): Cover => "none";
  await refreshWorkspace(world.workspace, world.mainline, { coverOf, rule: { foldCase: false }, anew });
}

describe("where a workspace stands", () => {
  test("[LD63] is told with the files that move, alone where none does, and not where nothing has moved", async () => {
    const world = await MemoryWorkspace.with({ a: "a", b: "b" });
    const told = listen(world);
    await refresh(world);
    expect(told).toEqual([]);
    const commit = await land(world.mainline, { a: "A" });
    await refresh(world);
    expect(told.splice(0)).toEqual([{ paths: ["a"], stands: { commit } }]);
    world.keeper.write("b", "B");
    const next = await land(world.mainline, { b: "B" });
    await refresh(world);
    expect(told.splice(0)).toEqual([{ paths: [], stands: { commit: next } }]);
    // What is put back or rewound stands where it stood.
    world.keeper.write("a", "mine");
    await world.workspace.putBack(await world.workspace.sweep());
    expect(told.map(({ stands }) => stands)).toEqual([undefined]);
    expect(world.workspace.commit).toBe(next);
  });

  test("[LD63] whoever is new is told of also where nothing has moved", async () => {
    const world = await MemoryWorkspace.with({ a: "a" });
    const told = listen(world);
    const { commit } = world.workspace;
    await refresh(world, true);
    expect(told).toEqual([{ paths: [], stands: { commit, anew: true } }]);
  });

  test("[LD63, LD3] is told again when the daemon died before it was written down", async () => {
    const world = await MemoryWorkspace.with({ a: "a", b: "b" });
    const commit = await land(world.mainline, { a: "A" });
    world.keeper.before = ({ op }) => {
      if (op === "place") throw new Error("killed");
    };
    await expect(refresh(world, true)).rejects.toThrow("killed");
    const told = listen(world);
    await world.reopen();
    expect(told.splice(0)).toEqual([{ paths: ["a"], stands: { commit, anew: true } }]);
    world.keeper.write("b", "B");
    const next = await land(world.mainline, { b: "B" });
    world.keeper.before = ({ op }) => {
      if (op === "place") throw new Error("killed");
    };
    await expect(refresh(world)).rejects.toThrow("killed");
    const again = listen(world);
    await world.reopen();
    await refresh(world);
    expect(again).toEqual([{ paths: [], stands: { commit: next } }]);
  });

  test("[LD63] is told anew to the keeper of one that was there before, which goes on without", async () => {
    const world = await MemoryWorkspace.with({ a: "a" });
    const told = listen(world);
    const { commit } = world.workspace;
    await world.workspace.recover();
    expect(told).toEqual([]);
    await world.workspace.recover({ wasThere: true });
    expect(told).toEqual([{ paths: [], stands: { commit } }]);
    world.keeper.before = () => {
      throw new Fault("workspace-unavailable", { retry: "later", message: "the disk is full" });
    };
    await world.workspace.recover({ wasThere: true });
    expect(world.workspace.commit).toBe(commit);
  });
});
