import { expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import { runOf } from "../state.ts";
import { callsFaces, mayCallFace } from "./face-calls.ts";

test("[FC15] a run may call what its profile names, of its project, from a cage of its own, while it is not over", () => {
  const world = new AgentWorld();
  const profile = { name: "caller", settings: { runner: "script", faces: ["shop-*/page"] } };
  world.ok({ type: "profile.set", profile, ensure: false });
  const shop = world.agent(world.running([lone]));
  const run = world.submit({ profile: "caller" });
  const may = (face: string, of = shop, id = run): boolean =>
    mayCallFace(world.state, runOf(world.state, id), of, face);
  expect([may("page"), may("tools"), may("page", { ...shop, name: "other-1" })]).toEqual([true, false, false]);
  expect(may("page", { ...shop, project: "p_other" })).toBe(false);
  const plain = world.submit();
  expect([callsFaces(world.state, runOf(world.state, plain)), may("page", shop, plain)]).toEqual([false, false]);
  // Beside services nobody could tell who calls.
  const inside = world.submit({ profile: "caller", agent: shop.id });
  expect(may("page", shop, inside)).toBe(false);
  world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
  expect(may("page")).toBe(false);
});
