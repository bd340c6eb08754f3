import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";

function landing(world: CoreWorld, path: string): string {
  const run = world.started();
  world.write(run, path);
  world.finish(run);
  return run;
}

test("[LD46] a landing can be stopped until its intent is recorded, and again when somebody else moved mainline first", () => {
  const world = new CoreWorld();
  world.project();
  const stop = (run: string) => ({ type: "run.terminate", select: { by: "run", run }, because: "it hangs" }) as const;
  const early = landing(world, "a");
  const waiting = world.claim("B", "file:a", { ttlMs: 1e9 });
  world.ok(stop(early));
  expect(world.run(early)).toMatchObject({ state: "terminated", approved: null });
  expect(world.stateOf(waiting)).toBe("granted");
  expect(world.pending().find((act) => act.type === "land")).toBeUndefined();
  const intent = { parent: "m0", candidate: "k0", entries: [], tested: "passed", merged: [] } as const;
  const late = { type: "landing.intend", run: early, act: "land", ...intent } as const;
  expect(world.no(late, "system")).toMatchObject({ code: "wrong-state", state: "terminated" });

  const run = landing(world, "b");
  world.intend(run, "k1");
  expect(world.no(stop(run))).toMatchObject({ code: "wrong-state", wanted: "not about to become mainline" });
  world.ok({ type: "landing.overtaken", run, candidate: "k0" }, "system");
  expect(world.last).toEqual([]);
  world.ok({ type: "landing.overtaken", run, candidate: "k1" }, "system");
  expect(world.run(run)).toMatchObject({ state: "landing", landing: null, approved: [{ path: "b" }] });
  world.ok(stop(run));
  expect(world.run(run).state).toBe("terminated");
});
