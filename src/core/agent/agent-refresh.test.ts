import { expect, test } from "vitest";
import { AgentWorld, crashed, lone } from "../../../test/support/agent-world.ts";
import { findRefreshObstacle } from "./agent-refresh.ts";

test("[AG82] files of an agent are not moved while a run has them, or where it has no place", () => {
  const world = new AgentWorld();
  const id = world.create([lone]);
  const obstacle = () => findRefreshObstacle(world.agent(id));
  expect(obstacle()).toEqual({ code: "agent-down", agent: "shop-1", state: "spawning" });
  world.made(id);
  world.began(id, "web");
  expect(obstacle()).toBeUndefined();
  const run = world.started({ agent: id });
  expect(obstacle()).toEqual({ code: "in-use", kind: "agent", id: "shop-1", by: run });
  world.complete(run);
  // Something of it may still write there.
  expect(obstacle()).toMatchObject({ code: "in-use", by: run });
  world.stopped(run);
  expect(obstacle()).toBeUndefined();
  world.ok({ type: "agent.archive", agent: id, force: false });
  expect(obstacle()).toMatchObject({ code: "agent-down", state: "stopping" });
  world.ended(id, "web");
  world.gone(id);
  expect(obstacle()).toEqual({ code: "agent-archived", agent: "shop-1" });
});

test("[AG71, AG82] that files were moved is told with the failures that follow", () => {
  const world = new AgentWorld();
  const id = world.running([lone]);
  world.ok({ type: "agent.refresh", agent: id, commit: "0123456789abcdef", count: 2 });
  expect(world.lastOf("agent.refreshed")).toMatchObject([{ agent: id, commit: "0123456789abcdef", count: 2 }]);
  world.ended(id, "web", crashed);
  const changes = [{ kind: "commit", what: "its files were brought to 0123456" }];
  expect(world.lastOf("service.failed")).toMatchObject([{ service: "web", changes }]);
});
