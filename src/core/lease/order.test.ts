import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project();
  return world;
}

/** The queue as its holders' names. */
function queue(world: CoreWorld): string {
  const project = world.state.table.projects.values().next().value;
  return project?.queue.map((claim) => claim.family.holder).join(" ") ?? "";
}

describe("places", () => {
  test("[LS13] a place is decided on arrival, by priority and then by order, and stays", () => {
    const world = made();
    const a = world.claim("A", "file:u");
    world.claim("low", "file:u");
    world.claim("high", "file:u", { priority: 5 });
    world.claim("high2", "file:u", { priority: 5 });
    world.claim("mid", "file:u", { priority: 2 });
    expect(queue(world)).toBe("high high2 mid low");
    world.pass(50_000);
    world.claim("low2", "file:u");
    expect(queue(world)).toBe("high high2 mid low low2");
    world.release(a);
    expect(world.holdings()).toEqual(["high: file:u"]);
    expect(queue(world)).toBe("high2 mid low low2");
  });

  test("[LS14] a holder that a waiter needs may pass it, or nobody would ever move", () => {
    const world = made();
    world.claim("A", "file:u");
    world.claim("W", "file:u file:v");
    // Plain order would put A behind W, which waits for A.
    expect(world.claim("A", "file:v").state).toBe("granted");
    expect(world.claim("B", "file:v").state).toBe("queued");
    expect(queue(world)).toBe("W B");
  });

  test("[LS14] who waits for the newcomer through others stands behind it too", () => {
    const world = made();
    const x = world.claim("X", "file:x");
    world.claim("A", "file:u");
    world.claim("B", "file:v");
    world.claim("B", "file:u");
    world.claim("W", "file:v file:x");
    world.claim("Q", "file:q");
    world.claim("N", "file:q");
    // W waits for B, which waits for A: all of it stands behind what A asks for now.
    expect(world.claim("A", "file:x")).toMatchObject({ state: "queued", behind: [{ holder: "X" }] });
    expect(world.lastOf("claim.queued")).toMatchObject([{ moved: 2 }]);
    expect(queue(world)).toBe("N A B W");
    // Who stands at the end already does not move.
    world.claim("A", "file:q");
    expect(world.lastOf("claim.queued")).toMatchObject([{ moved: 0 }]);
    expect(queue(world)).toBe("N A A B W");
    world.release(x);
    expect(world.holdings()).toContain("A: file:u file:x");
  });

  test("[LS14] urgency does not close a circle: the claim stands as far ahead as it may", () => {
    const world = made();
    const q = world.claim("Q", "file:v");
    world.claim("P", "file:w");
    world.claim("H", "file:u");
    world.claim("H", "file:w");
    world.claim("P", "file:v");
    // Ahead of P, D would wait for H's u, H for P's w, and P for D.
    const d = world.claim("D", "file:u file:v", { priority: 9 });
    expect(d.state).toBe("queued");
    expect(queue(world)).toBe("P D H");
    world.release(q);
    expect(world.holdings()).toContain("P: file:v file:w");
  });

  test("[LS15] priority passes a claim eight times, and then no more", () => {
    const world = made();
    world.claim("A", "file:u");
    world.claim("W", "file:u");
    for (let at = 1; at <= 9; at++) world.claim(`D${at}`, "file:u", { priority: 1 });
    expect(queue(world)).toBe("D1 D2 D3 D4 D5 D6 D7 D8 W D9");
    expect(world.lastOf("claim.queued")).toMatchObject([{ passed: 0 }]);
  });

  test("[LS15] being granted past a waiting claim counts as well, and waiting through others too", () => {
    const world = made();
    world.claim("A", "file:u");
    world.claim("W", "file:u file:v");
    world.claim("Z", "file:v");
    for (let at = 1; at <= 8; at++) {
      const passing = world.claim(`D${at}`, "file:v", { priority: 1 });
      expect(passing.state).toBe("granted");
      const [granted] = world.lastOf("lease.granted");
      expect(granted?.arrival?.passed).toBe(2);
      world.release(passing);
    }
    expect(world.claim("D9", "file:v", { priority: 1 }).state).toBe("queued");
    expect(queue(world)).toBe("W Z D9");
  });

  test("[LS15] who waits for somebody passed counts it, though its own family stands further ahead on the same name", () => {
    const world = made();
    world.claim("H", "file:v file:w");
    world.claim("Y", "file:s/x/y");
    world.claim("Z", "file:s/x/z");
    world.claim("F", "file:w");
    world.claim("G", "file:v");
    world.claim("G", "file:s/x/y");
    world.claim("F", "file:s/x/z");
    // It waits for F, and not behind the claim of G that lies beneath it too.
    const g = world.claim("G", "dir:s/x");
    world.claim("D", "file:v file:w", { priority: 5 });
    expect(world.lastOf("claim.queued")).toMatchObject([{ passed: 3 }]);
    const [project] = world.state.table.projects.values();
    expect(project?.byId.get(g.claim)?.passes).toBe(1);
  });

  test("[LS15] equal priorities never pass", () => {
    const world = made();
    world.claim("A", "file:u", { priority: 3 });
    world.claim("W", "file:u", { priority: 3 });
    expect(world.claim("D", "file:u", { priority: 3 }).behind.map((each) => each.holder)).toEqual(["A", "W"]);
  });
});

describe("granting", () => {
  test("[LS16] a waiting claim holds back later ones that conflict with it, also on what is free", () => {
    const world = made();
    const a = world.claim("A", "file:u");
    const w = world.claim("W", "file:u file:v");
    expect(world.claim("C", "file:v")).toMatchObject({ state: "queued", behind: [{ holder: "W", by: "claim" }] });
    expect(world.claim("D", "file:w").state).toBe("granted");
    world.release(a);
    expect(world.stateOf(w)).toBe("granted");
    world.release(w);
    expect(world.holdings()).toEqual(["C: file:v", "D: file:w"]);
  });

  test("[LS16] when a claim leaves, those that waited only for it are granted in the same step", () => {
    const world = made();
    world.claim("A", "file:u");
    const w = world.claim("W", "file:u file:v file:w");
    world.claim("C", "file:v");
    world.claim("D", "file:w");
    world.ok({ type: "claim.cancel", claim: w.claim });
    expect(world.lastOf("lease.granted").map((event) => event.units)).toEqual([["file:v"], ["file:w"]]);
  });

  test("[LS17] everything that is due expires before anything is granted", () => {
    const world = made();
    world.claim("A", "file:u", { ttlMs: 5_000 });
    world.claim("B", "file:v", { ttlMs: 5_000 });
    world.claim("B", "file:u", { ttlMs: 5_000 });
    world.claim("C", "file:u");
    world.pass(5_000);
    // Freeing A first would have granted u to B, which is dead as well.
    expect(world.holdings()).toEqual(["C: file:u"]);
    expect(world.lastOf("lease.granted")).toHaveLength(1);
  });

  test("[LS18] a try is granted now or not at all, and leaves nothing in the queue", () => {
    const world = made();
    world.claim("A", "file:u");
    world.claim("W", "file:u file:v");
    // Free includes that nobody ahead waits for it.
    expect(world.claim("C", "file:v", { mode: "try" }).state).toBe("busy");
    expect(world.claim("C", "file:w", { mode: "try" }).state).toBe("granted");
    expect(world.claim("A", "file:v", { mode: "try" }).state).toBe("granted");
    expect(queue(world)).toBe("W");
  });

  test("[LS19] a run that could not start yet has no place in the queue", () => {
    const world = made();
    const a = world.started();
    const b = world.submit({ plan: ["file:u"], dependsOn: [a] });
    expect(queue(world)).toBe("");
    // With its plan in the queue, b would stand ahead of a, which it depends on.
    expect(world.begin(a, "write", ["file:u"]).state).toBe("waiting");
    world.refresh();
    world.finishCall(a);
    expect(world.run(b).state).toBe("queued");
    world.complete(a);
    expect(world.run(b).state).toBe("starting");
  });

  test("[LS20] pausing ends the waiting claims, and resuming claims anew, behind those who came meanwhile", () => {
    const world = made();
    const a = world.claim("A", "file:u");
    const run = world.submit({ plan: ["file:u"], priority: 0 });
    world.claim("C", "file:u");
    world.ok({ type: "run.pause", run });
    expect(queue(world)).toBe("C");
    world.ok({ type: "run.resume", run });
    expect(queue(world)).toBe(`C ${run}`);
    world.release(a);
    expect(world.holdings()).toEqual(["C: file:u"]);
  });

  test("[LS20] a call that waited claims anew when its run is resumed", () => {
    const world = made();
    const a = world.claim("A", "file:u");
    const run = world.started();
    world.begin(run, "write", ["file:u"]);
    expect(world.run(run).state).toBe("blocked");
    world.ok({ type: "run.pause", run });
    expect(world.run(run)).toMatchObject({ state: "paused", call: { claim: null, started: false } });
    world.release(a);
    expect(world.holdings()).toEqual([]);
    world.ok({ type: "run.resume", run });
    world.refresh();
    expect(world.run(run)).toMatchObject({ state: "running", call: { started: true } });
  });

  test("[LS21] a planned run takes units and slot together, or neither", () => {
    const world = made();
    world.policy("one", { maxConcurrent: 1 });
    const a = world.started();
    const b = world.submit({ plan: ["file:b"] });
    expect(world.run(b).state).toBe("queued");
    expect(world.holdings()).toEqual([]);
    world.complete(a);
    expect(world.run(b).state).toBe("starting");
    expect(world.holdings()).toEqual([`${b}: file:b`]);
  });

  test("[LS21] a run that waits has no slot after the short wait in its call", () => {
    const world = made();
    world.policy("one", { maxConcurrent: 1 });
    const d = world.claim("D", "file:u");
    const b = world.started();
    world.begin(b, "write", ["file:u"]);
    const c = world.submit();
    expect([world.run(b).state, world.run(c).state]).toEqual(["blocked", "queued"]);
    world.live(20_000, b);
    expect([world.run(b).state, world.run(c).state]).toEqual(["parked", "starting"]);
    world.release(d);
    // The unit is free, the slot is not: it waits for both.
    expect(world.run(b).state).toBe("parked");
    expect(world.holdings()).toEqual([]);
    world.driven(c);
    world.complete(c);
    world.refresh();
    expect(world.run(b)).toMatchObject({ state: "running", call: { started: true } });
  });

  test("[LS21] a run returned from review asks for its slot by an empty claim", () => {
    const world = made();
    world.policy("one", { maxConcurrent: 1, approvalRequired: true });
    const a = world.started();
    world.write(a, "a");
    world.finish(a);
    const b = world.started();
    world.ok({ type: "run.return", run: a, message: "shorter" });
    expect(world.run(a).state).toBe("parked");
    expect(world.lastOf("claim.queued")).toMatchObject([{ units: [], slot: a }]);
    world.write(b, "b");
    world.finish(b);
    expect(world.run(a).state).toBe("running");
  });
});
