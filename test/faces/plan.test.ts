import { expect, test } from "vitest";
import { FaceNode } from "../support/faces/face-node.ts";
import { inFaceWorld } from "../support/faces/face-world.ts";

test("run.plan has each unit and step of a script with its state, then and now", () =>
  inFaceWorld(async (world) => {
    await world.http.call("project.add", { root: world.folder, name: "demo" });
    const node = new FaceNode(world);
    const script = "task: x\nplan: [file:a.txt]\nsteps: [{write: {path: a.txt, content: x}}, {say: done}]";
    const { run } = await world.http.call("run.submit", { project: "demo", script });
    const { run: second } = await world.http.call("run.submit", { project: "demo", script });
    await node.start(run);
    const before = world.engine.state.seq;
    const ask = async (of: string, more: object = {}) => (await world.http.call("run.plan", { run: of, ...more })).plan;
    expect(await ask(run)).toMatchObject({ units: [{ unit: "file:a.txt", state: "held" }], count: 2 });
    expect((await ask(second)).units).toEqual([{ unit: "file:a.txt", state: "waiting", behind: [run] }]);
    await node.write(run, { "a.txt": "x" });
    expect((await ask(run)).steps).toMatchObject([{ state: "done" }, { state: "pending", do: "say", about: "done" }]);
    expect((await ask(run, { at: before })).steps?.[0]).toMatchObject({ state: "pending" });
    expect((await ask(run, { from: 1, limit: 1 })).steps).toMatchObject([{ number: 2 }]);
    // Which step failed is known by its call, whatever the run says of it.
    const about = { run, family: node.familyOf(run), call: 1 } as const;
    await world.submit({ type: "call.begin", ...about, tool: "run", units: [], bytes: 0, other: null });
    const outcome = { ok: false, exit: 1, summary: "", changed: [], works: [], output: null };
    await world.submit({ type: "call.finish", ...about, ...outcome });
    await node.finish(run, false);
    expect((await ask(run)).steps).toMatchObject([{ state: "done" }, { state: "failed" }]);
    const { run: free } = await world.http.call("run.submit", { project: "demo", title: "own", runner: "mcp" });
    expect(await ask(free)).toEqual({ units: [], steps: null, count: 0 });
    expect(await world.lines.call("run.plan", { run })).toEqual({ plan: await ask(run) });
    await expect(ask("r_zzz")).rejects.toMatchObject({ code: "not-found" });
    await expect(ask(run, { limit: 0 })).rejects.toMatchObject({ code: "bad-input" });
  }));
