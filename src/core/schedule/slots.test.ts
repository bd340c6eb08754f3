import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project({ processes: { test: { argv: ["t"], scope: "project" } } });
  return world;
}

const states = (world: CoreWorld, ...runs: readonly string[]): string[] => runs.map((run) => world.run(run).state);

describe("slots", () => {
  test("[SC1] whoever waits, is paused, judged or asks has no slot", () => {
    const world = made();
    world.policy("one", { maxConcurrent: 1, approvalRequired: true });
    const blocked = world.started();
    world.claim("A", "file:a", { ttlMs: 1e9 });
    world.begin(blocked, "write", ["file:a"]);
    const asks = world.submit();
    expect(states(world, blocked, asks)).toEqual(["blocked", "queued"]);
    world.live(20_000, blocked);
    expect(states(world, blocked, asks)).toEqual(["parked", "starting"]);
    world.driven(asks);
    const judged = world.submit({ acceptance: ["true"] });
    world.ok({ type: "run.ask", run: asks, family: world.run(asks).family, call: 0, text: "?" });
    expect(states(world, judged)).toEqual(["starting"]);
    world.driven(judged);
    world.write(judged, "b");
    const paused = world.submit();
    world.finish(judged);
    expect(states(world, judged, paused)).toEqual(["validating", "queued"]);
    world.ok({ type: "run.validated", run: judged, ok: true, message: "" }, "system");
    expect(states(world, judged, paused)).toEqual(["review", "starting"]);
    const last = world.submit();
    world.ok({ type: "run.pause", run: paused });
    expect(states(world, last)).toEqual(["starting"]);
  });

  test("[SC2] a run needs room under every limit that speaks of it", () => {
    const world = made();
    const [project = ""] = world.state.projects.keys();
    const other = world.project();
    world.policy("two claudes", { maxConcurrent: 2 }, { runner: "claude" });
    world.policy("one here", { maxConcurrent: 1 }, { project, runner: "claude" });
    world.policy("one careful", { maxConcurrent: 1 }, { profile: "careful" });
    world.policy("three on blue", { maxConcurrent: 3 }, { node: "blue" });
    const here = world.submit({ runner: "claude", node: "blue" });
    const second = world.submit({ runner: "claude", node: "blue" });
    const there = world.submit({ runner: "claude", node: "blue", project: other });
    const third = world.submit({ runner: "claude", project: other });
    const script = world.submit({ profile: "careful", node: "blue" });
    const careful = world.submit({ profile: "careful" });
    const fourth = world.submit({ node: "blue" });
    expect(states(world, here, second, there, third, script, careful, fourth)).toEqual([
      "starting",
      "queued",
      "starting",
      "queued",
      "starting",
      "queued",
      "queued",
    ]);
    world.finish(there, false, "");
    expect(states(world, second, third, fourth)).toEqual(["queued", "starting", "starting"]);
  });

  test("[SC2] a limit that is disabled or for others does not count", () => {
    const world = made();
    world.ok({
      type: "policy.set",
      policy: { name: "none", priority: 0, enabled: false, scope: {}, rules: { maxConcurrent: 0 } },
    });
    world.policy("no codex", { maxConcurrent: 0 }, { runner: "codex" });
    expect(states(world, world.submit(), world.submit({ runner: "codex" }))).toEqual(["starting", "queued"]);
  });

  test("[SC3] the queue decides who is next: priority, then arrival", () => {
    const world = made();
    world.policy("one", { maxConcurrent: 1 });
    const first = world.started();
    const [low, high, high2] = [world.submit(), world.submit({ priority: 5 }), world.submit({ priority: 5 })];
    const order: string[] = [];
    for (let now = first; ;) {
      world.finish(now, false, "");
      const next = [low, high, high2].find((run) => world.run(run).state === "starting");
      if (next === undefined) break;
      order.push(next);
      now = next;
    }
    expect(order).toEqual([high, high2, low]);
  });

  test("[SC3] between projects the more urgent is first, then the older; who waits for units is passed", () => {
    const world = made();
    const other = world.project();
    world.policy("one", { maxConcurrent: 1 });
    const first = world.started();
    world.claim("A", "file:a", { ttlMs: 1e9 });
    const stuck = world.submit({ plan: ["file:a"], priority: 9 });
    world.nowMs += 1;
    const old = world.submit({ project: other });
    world.nowMs += 1;
    const young = world.submit({});
    const urgent = world.submit({ project: other, priority: 3 });
    const order: string[] = [];
    for (let now = first; ;) {
      world.finish(now, false, "");
      const next = [stuck, old, young, urgent].find((run) => world.run(run).state === "starting");
      if (next === undefined) break;
      order.push(next);
      now = next;
    }
    expect(order).toEqual([urgent, old, young]);
  });

  test("[SC4] sub-runs work on the slot of their root", () => {
    const world = made();
    world.policy("one", { maxConcurrent: 1 });
    const root = world.started();
    const subs = [
      world.submit({ parent: root, sub: true }),
      world.submit({ parent: root, sub: true, runner: "claude" }),
    ];
    expect(states(world, ...subs)).toEqual(["starting", "starting"]);
    const other = world.submit();
    expect(states(world, other)).toEqual(["queued"]);
  });

  test("[SC4] a root that waits for its sub-run gives the slot back only when that waits too", () => {
    const world = made();
    world.policy("one", { maxConcurrent: 1 });
    const root = world.started();
    const sub = world.submit({ parent: root, sub: true });
    world.driven(sub);
    world.begin(root, "wait-run", [], { other: sub });
    const other = world.submit();
    world.live(20_000, root);
    expect(states(world, root, sub, other)).toEqual(["parked", "running", "queued"]);
    const a = world.claim("A", "file:a", { ttlMs: 1e9 });
    world.begin(sub, "write", ["file:a"]);
    world.live(20_000, root);
    expect(states(world, root, sub, other)).toEqual(["parked", "parked", "starting"]);
    world.release(a);
    expect(states(world, sub)).toEqual(["parked"]);
    world.finish(other, false, "");
    expect(states(world, sub)).toEqual(["running"]);
    world.refresh();
    world.finishCall(sub);
    world.finish(sub);
    expect(world.run(root)).toMatchObject({ state: "running", call: { started: true } });
  });

  test("[SC5] lowering a limit stops nobody; raising or removing it lets as many in at once", () => {
    const world = made();
    const runs = [world.started(), world.started(), world.started()];
    world.policy("one", { maxConcurrent: 1 });
    const waiting = Array.from({ length: 4 }, () => world.submit());
    expect(states(world, ...runs)).toEqual(["running", "running", "running"]);
    world.complete(runs[0] ?? "");
    expect(states(world, ...waiting)).toEqual(["queued", "queued", "queued", "queued"]);
    world.policy("one", { maxConcurrent: 4 });
    expect(states(world, ...waiting)).toEqual(["starting", "starting", "queued", "queued"]);
    world.ok({ type: "policy.remove", name: "one" });
    expect(states(world, ...waiting)).toEqual(["starting", "starting", "starting", "starting"]);
    expect(world.no({ type: "policy.remove", name: "one" })).toMatchObject({ code: "not-found", kind: "policy" });
  });
});
