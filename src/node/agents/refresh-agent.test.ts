import { expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import { land, MemoryWorkspace } from "../../../test/support/memory-workspace.ts";
import { type RefreshGround, refreshAgent } from "./refresh-agent.ts";

function groundOf(files: MemoryWorkspace, world: AgentWorld, id: string): RefreshGround {
  return { agent: () => world.state.agents.get(id), mainline: files.mainline, rule: { foldCase: false } };
}

test("[AG82] what nobody changed moves, what was changed stays with what it stands on, and both are named", async () => {
  const world = new AgentWorld();
  const id = world.running([lone]);
  const files = await MemoryWorkspace.with({ a: "a", b: "b", c: "c", d: "d" });
  files.keeper.write("b", "mine");
  files.keeper.write("d", "D");
  files.keeper.write("new", "mine");
  const from = files.workspace.commit;
  const base = await files.workspace.baseOf("b");
  const commit = await land(files.mainline, { a: "A", b: "B", c: null, d: "D", new: "theirs", newer: "N" });
  const refreshed = await refreshAgent(files.workspace, groundOf(files, world, id));
  // What mainline has in the same words is nobody's change any more.
  expect(refreshed).toEqual({
    ok: true,
    value: { from, commit, moved: ["a", "c", "newer"], kept: ["b", "new"] },
  });
  const texts = ["a", "b", "c", "d", "new", "newer"].map((path) => files.keeper.text(path));
  expect(texts).toEqual(["A", "mine", undefined, "D", "mine", "N"]);
  expect(await files.workspace.baseOf("b")).toBe(base);
  expect(await files.dirty()).toEqual({ b: "mine", new: "mine" });
  const again = await refreshAgent(files.workspace, groundOf(files, world, id));
  expect(again).toMatchObject({ value: { from: commit, commit, moved: [], kept: ["b", "new"] } });
});

test("[AG82] a run that came in while it waited for its turn keeps the files to itself", async () => {
  const world = new AgentWorld();
  const id = world.running([lone]);
  const files = await MemoryWorkspace.with({ a: "a" });
  await land(files.mainline, { a: "A" });
  const turn = Promise.withResolvers<void>();
  void files.workspace.alone(() => turn.promise);
  const refreshing = refreshAgent(files.workspace, groundOf(files, world, id));
  const run = world.started({ agent: id });
  turn.resolve();
  expect(await refreshing).toEqual({ ok: false, refusal: { code: "in-use", kind: "agent", id: "shop-1", by: run } });
  expect(files.keeper.text("a")).toBe("a");
});

test("[AG82] a service that writes while its files are moved is looked at again", async () => {
  const world = new AgentWorld();
  const id = world.running([lone]);
  const files = await MemoryWorkspace.with({ a: "a", b: "b" });
  const commit = await land(files.mainline, { a: "A", b: "B" });
  let isFirst = true;
  files.keeper.before = (op) => {
    if (op.op !== "place" || !isFirst) return;
    isFirst = false;
    files.keeper.write("a", "by a service");
  };
  const refreshed = await refreshAgent(files.workspace, groundOf(files, world, id));
  expect(refreshed).toMatchObject({ value: { commit, moved: ["b"], kept: ["a"] } });
  expect(files.keeper.text("a")).toBe("by a service");
});
