// What everything in a living agent may use together, as policies say while it lives.

import { describe, expect, test } from "vitest";
import { groupTier } from "../../src/node/keepers/keeper-groups.ts";
import { AgentRig, serviceOf } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

const MiB = 1024 ** 2;
const tier = await groupTier();
/** One that takes 200 MB when it is told, and one that only stands there. */
const stack = (limits: string): string => `
template: hungry
${limits}
services:
  eater:
    command: 'echo up; while [ ! -e go ]; do sleep 0.05; done; rm go; exec perl -e ''$x .= "x" x 1e6 while length $x < 2e8; sleep 1000'''
    health: { log: up }
    restart: { delay: 0ms }
  other: { command: 'echo up; exec sleep 1000', health: { log: up } }
`;

describe.skipIf(noCages)("what an agent may use", () => {
  const rig = AgentRig.forAll({ ".gitignore": "/go\n" });

  const endOf = async (id: string): Promise<string | undefined> => serviceOf(await rig.get(id), "eater").end?.why;
  const lifeOf = async (id: string): Promise<number> => serviceOf(await rig.get(id), "other").life;
  const usedBy = async (id: string): Promise<number> => {
    const { agents } = await rig.call("agent.stats", { agents: [id], disk: false });
    return agents[0]?.services.find(({ name }) => name === "eater")?.memoryBytes ?? 0;
  };

  test("[SV16, SV5] a policy holds at once for those that are there, says so, and is gone with its removal", async () => {
    const agent = await rig.up(stack("limits: { cpu: 2 }"));
    expect(await rig.get(agent)).toMatchObject({ limits: { cpu: 2, memoryBytes: null }, heldBy: [] });
    const scope = { project: agent.project };
    const rules = { maxMemory: 512 * MiB, maxCpu: 1, maxOpenFiles: 77, maxOutputRate: 5 * MiB };
    await rig.call("policy.set", { name: "small", scope, rules });
    // Also where nobody was there who could have said so.
    await rig.restartDaemon();
    const names = ["memoryBytes", "cpu", "files", "outputBytesPerS"];
    const may = {
      limits: { memoryBytes: 512 * MiB, cpu: 1, processes: null, files: 77, outputBytesPerS: 5 * MiB },
      heldBy: names.map((limit) => ({ limit, policy: "small" })),
    };
    expect(await rig.running(agent)).toMatchObject(may);
    const { agents } = await rig.call("agent.stats", { agents: [agent.id], disk: false });
    expect(agents).toMatchObject([may]);
    await expect.poll(() => rig.exec(agent, "ulimit -n"), { timeout: 20_000 }).toBe("77\n");
    await rig.call("policy.remove", { name: "small" });
    await expect.poll(() => rig.exec(agent, "ulimit -n"), { timeout: 20_000 }).not.toBe("77\n");
    const { limits, heldBy, services } = await rig.running(agent);
    expect({ limits, heldBy }).toMatchObject({ limits: { cpu: 2, memoryBytes: null, files: null }, heldBy: [] });
    expect(services.map(({ life }) => life)).toEqual([1, 1]);
    const [use] = (await rig.call("agent.stats", { agents: [agent.id], disk: true })).agents;
    const { memoryBytes, diskBytes } = use?.shares ?? {};
    // Its share of the machine stands where the policy did.
    expect(memoryBytes).toBeGreaterThan(512 * MiB);
    expect(diskBytes).toBeGreaterThan(use?.diskBytes ?? Infinity);
  });

  test.skipIf(tier === "prlimit")(
    "[SV16] memory that a policy takes away ends who wants more, and nobody else",
    async () => {
      const agent = await rig.up(stack(""));
      await rig.call("policy.set", {
        ...{ name: "small", scope: { project: agent.project } },
        rules: { maxMemory: 64 * MiB },
      });
      await rig.exec(agent, "touch go");
      await expect.poll(() => endOf(agent.id), { timeout: 20_000 }).toBe("out-of-memory");
      const { failures } = await rig.call("agent.failures", { agent: agent.id });
      expect(failures).toContainEqual(
        expect.objectContaining({ service: "eater", class: "resources", found: "memory" }),
      );
      await rig.running(agent);
      expect(await lifeOf(agent.id)).toBe(1);
      await rig.call("policy.remove", { name: "small" });
      await rig.exec(agent, "touch go");
      await expect.poll(() => usedBy(agent.id), { timeout: 20_000 }).toBeGreaterThan(200e6);
      expect(await lifeOf(agent.id)).toBe(1);
    },
  );

  test("[SV16, AG92] whoever makes an agent hears what policies do not let it have", async () => {
    await rig.call("policy.set", { name: "tight", scope: { node: "local" }, rules: { maxMemory: 256 * MiB } });
    const template = stack("limits: { memory: 1GiB, processes: 50 }");
    const made = await rig.call("agent.create", { project: rig.project, template, file: "stack.yaml" });
    expect(made.warnings).toEqual([
      {
        code: "limit-beyond-policy",
        message:
          "limits.memory is 1GiB, and the policy tight allows an agent here 256MiB in all: no more is had. Make it less, or have the policy changed.",
      },
    ]);
    const { limits } = await rig.running(made.agent);
    expect(limits).toMatchObject({ memoryBytes: 256 * MiB, processes: 50 });
    await rig.call("policy.remove", { name: "tight" });
  });
});
