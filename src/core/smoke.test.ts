import { expect, test } from "vitest";
import { CoreWorld } from "../../test/support/core-world.ts";

test("a run from start to end", () => {
  const world = new CoreWorld();
  world.project({ processes: { test: { argv: ["true"], scope: "project" } } });
  const a = world.started({ plan: ["file:a"] });
  const b = world.submit({ plan: ["dir:"] });
  expect(world.run(b).state).toBe("queued");
  world.write(a, "a");
  world.begin(a, "process", ["process:test"]);
  world.finishCall(a);
  world.complete(a);
  expect(world.run(b).state).toBe("starting");
  world.driven(b);
  world.refresh();
  world.ok({ type: "run.pause", run: b });
  world.ok({ type: "run.resume", run: b });
  expect(world.run(b).state).toBe("running");
  world.stopped(a);
  world.ok({ type: "run.remove", run: a });
});
