// How a service is looked at, and for which files it is begun anew, becomes another while it runs.

import { describe, expect, test } from "vitest";
import type { AgentView } from "../../src/protocol/wire/agent.ts";
import { AgentRig, serviceOf } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

const stack = (health: string, watch: string): string => `
template: shop
services:
  web: { command: 'echo ready; exec sleep 1000', health: { ${health}, start_period: 0ms }, watch: [${watch}] }
  job: { command: 'echo done', restart: on-failure, watch: [${watch}] }
`;

describe.skipIf(noCages)("a reload of how a service is seen", () => {
  const rig = AgentRig.forAll({ "old.txt": "old\n", "new.txt": "old\n" });
  const lives = async (agent: AgentView): Promise<readonly number[]> =>
    (await rig.get(agent)).services.map(({ life }) => life);
  const touch = (agent: AgentView, file: string): Promise<string> => rig.exec(agent, `echo more >> ${file}`);

  test("[AW13, AW14, SV41] takes no restart: another check is made, and other files are listened for, also by a daemon that comes back", async () => {
    const agent = await rig.up(stack("log: ready", "old.txt"));
    await expect.poll(async () => serviceOf(await rig.get(agent), "job").state).toBe("completed");
    const template = stack("command: test -e well", "new.txt").replace(
      "start_period: 0ms",
      "retries: 40, interval: 100ms, timeout: 100ms, start_period: 0ms",
    );
    const plan = await rig.call("agent.reload", { agent: agent.id, template });
    expect(plan).toMatchObject({ effect: "none", restarts: [] });
    expect(plan.changes.map(({ path }) => path)).toEqual([
      ...["services.web.health", "services.web.watch", "services.job.watch"],
    ]);
    // What the old check has said is over.
    expect(serviceOf(await rig.get(agent), "web")).toMatchObject({ state: "up", life: 1, healthy: null });
    await rig.exec(agent, "touch well");
    await expect.poll(async () => serviceOf(await rig.get(agent), "web").healthy).toBe(true);
    expect(await lives(agent)).toEqual([1, 1]);
    await touch(agent, "old.txt");
    await touch(agent, "new.txt");
    await expect.poll(() => lives(agent)).toEqual([2, 2]);
    await rig.running(agent);
    await rig.restartDaemon(async () => undefined);
    await touch(agent, "new.txt");
    await expect.poll(() => lives(agent)).toEqual([3, 3]);
    const { events } = await rig.call("events.read", { after: 0, limit: 1000, types: ["service.touched"] });
    expect(new Set(events.flatMap((event) => event["paths"]))).toEqual(new Set(["new.txt"]));
  });
});
