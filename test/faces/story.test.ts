import { describe, expect, test } from "vitest";
import { FaceNode } from "../support/faces/face-node.ts";
import { inFaceWorld } from "../support/faces/face-world.ts";
import { playLongRun } from "../support/faces/long-run.ts";

const script = "task: x\nplan: [file:a.txt]\nsteps: [{write: {path: a.txt, content: x}}, {say: done}]";

test("run.story tells what a run did, now and as it was after an event", () =>
  inFaceWorld(async (world) => {
    await world.http.call("project.add", { root: world.folder, name: "demo" });
    const { run } = await world.http.call("run.submit", { project: "demo", script });
    const ask = (more: object = {}) => world.http.call("run.story", { run, ...more });
    const node = new FaceNode(world);
    await node.start(run);
    const before = world.engine.state.seq;
    await node.write(run, { "a.txt": "x" });
    const story = await ask({ limit: 10, drawn: 8 });
    expect(story).toMatchObject({ more: false, seq: world.engine.state.seq, counts: { steps: 1, units: 1 } });
    expect(story.steps.rows).toMatchObject([
      { call: 0, tool: "write", units: ["file:a.txt"], ok: true, paths: ["a.txt"] },
    ]);
    expect(story.steps.rows[0]).toEqual(story.lastStep);
    expect(story.drawn).toMatchObject({ calls: [{ step: 0 }], units: [{ unit: "file:a.txt" }] });
    expect(await ask({ at: before, limit: 10 })).toMatchObject({
      seq: before,
      more: false,
      counts: { steps: 0, units: 1 },
      steps: { rows: [] },
      drawn: null,
    });
    const { fromMs, counts } = await ask({ at: 1 });
    expect([fromMs, counts.events]).toEqual([null, 0]);
    expect(await world.lines.call("run.story", { run })).toEqual(await ask());
    await expect(world.http.call("run.story", { run: "r_zzz" })).rejects.toMatchObject({ code: "not-found" });
    await expect(ask({ at: 100_000 })).rejects.toMatchObject({ code: "not-found" });
    await expect(ask({ limit: 201 })).rejects.toMatchObject({ code: "bad-input" });
    await node.finish(run, true);
    expect((await ask()).counts.events).toBeGreaterThan(story.counts.events);
  }));

test("a step in the middle of which its run was ended is told as broken off", () =>
  inFaceWorld(async (world) => {
    await world.http.call("project.add", { root: world.folder, name: "demo" });
    const { run } = await world.http.call("run.submit", { project: "demo", script });
    const node = new FaceNode(world);
    await node.start(run);
    const about = { run, family: node.familyOf(run), call: 0, bytes: 0, other: null } as const;
    await world.submit({ type: "call.begin", ...about, tool: "run", units: [] });
    const ask = () => world.http.call("run.story", { run, limit: 10 });
    expect((await ask()).steps.rows).toMatchObject([{ call: 0, ok: null, endMs: null }]);
    await world.http.call("run.stop", { run });
    const story = await ask();
    expect(story.steps.rows).toMatchObject([{ call: 0, ok: false, summary: "broken off" }]);
    expect(story.steps.rows[0]?.endMs).not.toBeNull();
    expect(story.lastStep).toEqual(story.steps.rows[0]);
  }));

describe("a run of thousands of calls among others that are as busy", () => {
  test("is told whole, and each of its steps is to be had", () =>
    inFaceWorld(async (world) => {
      const { run, steps: count } = await playLongRun(world, { calls: 2500 });
      const ask = (more: object = {}) => world.http.call("run.story", { run, ...more });
      const parts = [await ask()];
      while (parts.at(-1)?.more === true) parts.push(await ask());
      const { run: shown } = await world.http.call("run.get", { run });
      const story = await ask({ drawn: 8, limit: 3 });
      expect(story.counts.steps).toBe(count);
      expect(story.counts.events).toBeGreaterThan(3000);
      expect(story.fromMs).toBe(shown.submittedAtMs);
      expect(story.lastMs).toBe(world.engine.state.atMs);
      const { requests, unpriced, costMicros } = shown.spend;
      expect(costMicros).toBeGreaterThan(0);
      expect(story.spend).toEqual({ requests, unpriced, costMicros });
      const calls: number[] = [];
      while (calls.length < count) {
        const { steps } = await ask({ from: calls.length, limit: 200 });
        expect(steps.from).toBe(calls.length);
        calls.push(...steps.rows.map(({ call }) => call));
      }
      expect([new Set(calls).size, calls[0], calls.at(-1)]).toEqual([count, 0, story.lastStep?.call]);
      const call = calls[1700] ?? 0;
      const { steps } = await ask({ step: call, limit: 100 });
      expect([steps.from, steps.rows[50]?.call]).toEqual([1650, call]);
      expect((await ask({ from: count - 1, limit: 9 })).steps.rows).toEqual([story.lastStep]);
      // Two at once take in nothing twice.
      await playLongRun(world, { calls: 50, run });
      const [first, second] = await Promise.all([ask(), ask()]);
      expect(first).toEqual(second);
      expect(first.counts.steps).toBe(count + 50);
    }));
});
