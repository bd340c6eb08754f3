import { expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import { runOf } from "../state.ts";
import { callsFaces, faceTenantOf, mayCallFace } from "./face-calls.ts";

test("[FC15] a run may call what its profile names, of its project, while it is not over", () => {
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
  world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
  expect(may("page")).toBe(false);
});

test("[FC16] from an agent faces are called by the profile of the run in it, while that or one that it started is at work", () => {
  const world = new AgentWorld();
  const profile = { name: "caller", settings: { runner: "script", faces: ["shop-*/page"] } };
  world.ok({ type: "profile.set", profile, ensure: false });
  const [house, shop] = [world.running([lone]), world.running([lone], {})];
  const by = (face = "page"): string | undefined => {
    const found = faceTenantOf(world.state, world.agent(house), world.agent(shop), face);
    return found?.id;
  };
  expect(by()).toBeUndefined();
  const run = world.started({ agent: house, profile: "caller" });
  world.ok({ type: "run.enter", run, works: [], commit: "m0" }, "system");
  const next = world.submit({ agent: house, profile: "caller" });
  expect([by(), by("tools")]).toEqual([run, undefined]);
  // From the other agent nothing is called.
  expect(faceTenantOf(world.state, world.agent(shop), world.agent(house), "page")).toBeUndefined();
  world.ok({ type: "run.pause", run });
  expect(by()).toBeUndefined();
  world.ok({ type: "run.resume", run });
  expect(by()).toBe(run);
  world.complete(run);
  expect(by()).toBeUndefined();
  world.stopped(run);
  expect(by()).toBe(next);
});
