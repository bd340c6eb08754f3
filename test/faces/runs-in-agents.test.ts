// Runs in living agents, over real sockets: what is taken in, what is refused, and what is shown.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type FaceWorld, inFaceWorld } from "../support/faces/face-world.ts";
import { withModel } from "../support/faces/with-model.ts";

const script = "task: work in the shop\nsteps: []";
const template = "template: shop\nservices:\n  web: { command: sleep 1000 }\n";

/** Two projects, and an agent of the first that comes up. */
async function withAgent(world: FaceWorld): Promise<string> {
  for (const name of ["shop", "other"]) {
    mkdirSync(join(world.folder, name));
    await world.http.call("project.add", { root: join(world.folder, name), name });
  }
  const { id } = (await world.http.call("agent.create", { project: "shop", template })).agent;
  return id;
}

async function comeUp(world: FaceWorld, agent: string): Promise<void> {
  await world.submit({ type: "agent.made", agent, life: 1 });
  await world.submit({ type: "service.began", agent, service: "web", life: 1 });
}

describe("a run for a living agent", () => {
  test("[AG40, AG41, AG43] waits until it is up and nobody is in it, and says so", () =>
    inFaceWorld(async (world) => {
      const agent = await withAgent(world);
      const submit = async (): Promise<string> =>
        (await world.http.call("run.submit", { project: "shop", script, agent: "shop-1" })).run;
      const [first, second] = [await submit(), await submit()];
      const get = async (run: string): Promise<unknown> => (await world.http.call("run.get", { run })).run;
      const waits = { agent: "shop-1", state: "spawning", run: null };
      expect(await get(first)).toMatchObject({ state: "queued", agent: "shop-1", waitsForAgent: waits });
      await comeUp(world, agent);
      expect(await get(first)).toMatchObject({ state: "starting", waitsForAgent: null, egress: "none" });
      const now = { agent: "shop-1", state: "running", run: first };
      expect(await get(second)).toMatchObject({ state: "queued", waitsForAgent: now });
      const shown = (await world.http.call("agent.get", { agent })).agent;
      expect(shown).toMatchObject({ state: "running", activity: "working", run: first });
      await expect(world.http.call("agent.stop", { agent })).rejects.toMatchObject({ code: "in-use" });
    }));

  test("[AG40] is refused with a sentence where it cannot be meant", () =>
    inFaceWorld(async (world) => {
      const agent = await withAgent(world);
      const submit = (more: object): Promise<unknown> =>
        world.http.call("run.submit", { project: "shop", script, agent, ...more });
      await expect(submit({ agent: "shop-7" })).rejects.toMatchObject({ code: "not-found" });
      await expect(submit({ project: "other" })).rejects.toThrow("shop-1 is an agent of another project");
      await expect(submit({ noCage: true })).rejects.toThrow("has the cage of the agent");
      await expect(submit({ egress: "open" })).rejects.toThrow("has the network of the agent");
      await expect(submit({ image: "none" })).rejects.toThrow("has the system of the agent");
      await world.http.call("agent.stop", { agent });
      await expect(submit({})).rejects.toThrow("signalbox agent start shop-1");
    }));

  test("[AG40] is submitted by models, too", () =>
    withModel(async (world, call) => {
      await withAgent(world);
      expect(await call("run_submit", { project: "shop", script, agent: "shop-1" })).toBe("ok");
      expect(await call("run_submit", { project: "shop", script, agent: "shop-2" })).toBe("not-found");
    }));
});
