// Requests that wait: they are answered when it happens, when their time is over, and when the daemon ends; and nobody
// has to ask twice to find out.

import { describe, expect, test } from "vitest";
import { type FaceWorld, inFaceWorld, openFaceWorld } from "../support/faces/face-world.ts";

const claim = { project: "demo", units: ["file:a"] };

async function withHolder(act: (world: FaceWorld, held: string) => Promise<void>): Promise<void> {
  await inFaceWorld(async (world) => {
    await world.http.call("project.add", { root: world.folder, name: "demo" });
    const { claim: held } = await world.http.call("claim.make", { ...claim, as: "ann" });
    await act(world, held);
    expect(world.defects).toEqual([]);
  });
}

/** The next durable event of a type, as the engine tells it. */
function next(world: FaceWorld, type: string): Promise<void> {
  return new Promise((resolve) => {
    const end = world.engine.subscribe((events) => {
      if (!events.some((event) => event.type === type)) return;
      end();
      resolve();
    });
  });
}

describe.each(["http", "lines"] as const)("over %s, a claim that waits", (face) => {
  test("is answered when it is granted", () =>
    withHolder(async (world, held) => {
      const queued = next(world, "claim.queued");
      const waiting = world[face].call("claim.make", { ...claim, as: "bob", waitMs: 30_000 });
      await queued;
      await world.http.call("claim.release", { claim: held });
      expect(await waiting).toMatchObject({ state: "granted", holder: "bob", fence: 2, behind: [], code: null });
    }));

  test("is answered as queued when the time is over, and keeps its place", () =>
    withHolder(async (world, held) => {
      const waited = await world[face].call("claim.make", { ...claim, as: "bob", waitMs: 5 });
      expect(waited).toMatchObject({ state: "queued", behind: [{ holder: "ann", by: "lease", unit: "file:a" }] });
      expect(waited.ways.length).toBeGreaterThan(2);
      await world.http.call("claim.make", { ...claim, as: "eve" });
      const { queue } = await world.http.call("locks", {});
      expect(queue.map((entry) => [entry.holder, entry.position])).toEqual([
        ["bob", 1],
        ["eve", 2],
      ]);
      const granted = world[face].call("claim.get", { claim: waited.claim, waitMs: 30_000 });
      await world.http.call("claim.release", { claim: held });
      expect((await granted).state).toBe("granted");
    }));

  test("ends as timed-out at its deadline, and whoever waits hears of it", () =>
    withHolder(async (world) => {
      const waited = await world[face].call("claim.make", { ...claim, as: "bob", deadlineMs: 20, waitMs: 30_000 });
      expect(waited).toMatchObject({ state: "timed-out", code: "timed-out", fence: null });
      expect((await world.http.call("locks", {})).queue).toEqual([]);
    }));

  test("ends as cancelled for everybody who waits for it", () =>
    withHolder(async (world) => {
      const { claim: id } = await world.http.call("claim.make", { ...claim, as: "bob" });
      const waiting = [1, 2, 3].map(() => world[face].call("claim.get", { claim: id, waitMs: 30_000 }));
      expect(await world.http.call("claim.cancel", { claim: id })).toMatchObject({ state: "cancelled" });
      for (const answer of await Promise.all(waiting)) expect(answer.state).toBe("cancelled");
    }));

  test("is answered also when the grant came in the same breath", () =>
    withHolder(async (world, held) => {
      const [waited] = await Promise.all([
        world[face].call("claim.make", { ...claim, as: "bob", waitMs: 30_000 }),
        world[face].call("claim.release", { claim: held }),
      ]);
      expect(waited.state).toBe("granted");
    }));

  test("stays when nobody listens any more", () =>
    withHolder(async (world, held) => {
      const abort = new AbortController();
      const queued = next(world, "claim.queued");
      const waiting = world[face].call("claim.make", { ...claim, as: "bob", waitMs: 30_000 }, { signal: abort.signal });
      await queued;
      abort.abort(new Error("gone"));
      await expect(waiting).rejects.toThrow(/gone/);
      await world.http.call("claim.release", { claim: held });
      expect((await world.http.call("locks", {})).leases).toMatchObject([{ holder: "bob" }]);
    }));
});

describe("a run that is waited for", () => {
  const script = "task: x\nsteps: []";

  test("is answered when it gets there, or when the time is over", () =>
    withHolder(async (world) => {
      const { run } = await world.http.call("run.submit", { project: "demo", script });
      expect(await world.http.call("run.wait", { run, waitMs: 0 })).toMatchObject({ reached: false });
      expect(await world.http.call("run.wait", { run, states: ["starting"], waitMs: 30_000 })).toMatchObject({
        reached: true,
      });
      const over = world.http.waitForRun(run);
      await world.http.call("run.stop", { run });
      expect((await over).state).toBe("terminated");
    }));

  test("is not found when it was removed meanwhile", () =>
    withHolder(async (world) => {
      const { run } = await world.http.call("run.submit", { project: "demo", script });
      const waiting = world.http.call("run.wait", { run, states: ["done"], waitMs: 30_000 });
      const refused = waiting.catch((error: unknown) => error);
      await world.http.call("run.stop", { run });
      await world.submit({ type: "run.stopped", run, works: [] });
      await world.http.call("run.remove", { run });
      expect(await refused).toMatchObject({ code: "not-found" });
    }));
});

test("the end of the daemon answers everyone who waits", async () => {
  const world = await openFaceWorld();
  await world.http.call("project.add", { root: world.folder, name: "demo" });
  await world.http.call("claim.make", { ...claim, as: "ann" });
  const queued = next(world, "claim.queued");
  const waiting = world.http.call("claim.make", { ...claim, as: "bob", waitMs: 60_000 });
  await queued;
  const [answer] = await Promise.all([waiting, world.close()]);
  expect(answer.state).toBe("queued");
});

test("waitForClaim asks as long as it was told to", () =>
  withHolder(async (world) => {
    const { claim: id } = await world.http.call("claim.make", { ...claim, as: "bob" });
    expect((await world.http.waitForClaim(id, { forMs: 20 })).state).toBe("queued");
    await world.http.call("claim.cancel", { claim: id });
    expect((await world.http.waitForClaim(id)).state).toBe("cancelled");
  }));
