// What a living agent may take of the disk, while it lives.

import { statfsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { AgentRig, serviceOf } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

const MiB = 1024 ** 2;
/** One that writes as much as it is told, once in its life, and one that only stands there. */
const stack = (limits: string): string => `
template: full
${limits}
services:
  writer:
    command: 'echo up; while [ ! -e go ]; do sleep 0.05; done; rm go; i=0; while :; do head -c 1000000 /dev/zero > scratch/$i; i=$((i + 1)); sleep 0.02; done'
    health: { log: up }
    restart: { delay: 0ms }
  other: { command: 'echo up; exec sleep 1000', health: { log: up } }
`;

const isInMemory = (folder: string): boolean => statfsSync(folder).type === 0x0102_1994;

describe.skipIf(noCages)("what an agent may take of the disk", () => {
  const rig = AgentRig.forAll({ ".gitignore": "/scratch\n/go\n" });

  const write = (id: string): Promise<string> => rig.exec(id, "mkdir -p scratch; touch go");
  const endOf = async (id: string): Promise<string | undefined> => serviceOf(await rig.get(id), "writer").end?.why;
  const quotaOf = async (id: string): Promise<number | null | undefined> =>
    (await rig.call("disk", {})).workspaces.find(({ agent }) => agent === id)?.quotaBytes;

  test("[SV13, SC19] what its template says ends whoever writes more, and people are told", async () => {
    const agent = await rig.up(stack("limits: { disk: 8MiB }"));
    expect(await quotaOf(agent.id)).toBe(8 * MiB);
    await write(agent.id);
    await expect.poll(() => endOf(agent.id), { timeout: 20_000 }).toBe("out-of-disk");
    // In memory the kernel counts for nobody who has written.
    expect(isInMemory(rig.daemon.home) || serviceOf(await rig.get(agent), "other").life === 1).toBe(true);
    const failures = (await rig.call("agent.failures", { agent: agent.id })).failures;
    const failed = { service: "writer", class: "resources", found: "disk" };
    expect(failures).toContainEqual(expect.objectContaining(failed));
    const { items } = await rig.call("inbox", { kind: "warning" });
    const ended = isInMemory(rig.daemon.home) ? "(?:writer|other)" : "writer";
    const what = new RegExp(`^${ended} was ended: it took more of the disk than its agent may, 8 MiB$`);
    expect(items.filter(({ title }) => title === agent.name)).toMatchObject([
      { what: expect.stringMatching(what) as string },
    ]);
    // It comes up again, and whoever tidies up may.
    await rig.running(agent);
    expect(await rig.exec(agent, "rm -r scratch && echo tidy")).toBe("tidy\n");
    const { agents } = await rig.call("agent.stats", { agents: [agent.id], disk: true });
    expect(agents[0]).toMatchObject({ diskBytesMax: 8 * MiB });
    expect(agents[0]?.diskBytes).toBeLessThan(8 * MiB);
  });

  test("[SV13, AW13] more of it is given while it runs, and a person's policy holds at once for those that are there", async () => {
    const agent = await rig.up(stack("limits: { disk: 8MiB }"));
    const plan = await rig.call("agent.reload", { agent: agent.id, template: stack("limits: { disk: 1GiB }") });
    expect(plan).toMatchObject({ effect: "none", restarts: [] });
    expect(await quotaOf(agent.id)).toBe(1024 * MiB);
    await rig.exec(agent, "mkdir scratch; head -c 20000000 /dev/zero > scratch/large");
    expect((await rig.running(agent)).services.map(({ life }) => life)).toEqual([1, 1]);
    const scope = { project: (await rig.get(agent)).project };
    await rig.call("policy.set", { name: "small", scope, rules: { maxDisk: 24 * MiB } });
    // Also where nobody was there who could have said so.
    await rig.restartDaemon();
    expect(await quotaOf(agent.id)).toBe(24 * MiB);
    await rig.running(agent);
    await write(agent.id);
    await expect.poll(() => endOf(agent.id), { timeout: 20_000 }).toBe("out-of-disk");
    await rig.call("policy.remove", { name: "small" });
    expect(await quotaOf(agent.id)).toBe(1024 * MiB);
  });

  test("[SV13, SC19] a terminal that takes more is ended, and says so", async () => {
    const agent = await rig.up("template: bare\nlimits: { disk: 8MiB }\nservices: { a: { command: sleep 1000 } }\n");
    const fill = "mkdir scratch; head -c 64000000 /dev/zero > scratch/large; exec sleep 1000";
    const opened = await rig.call("terminal.open", { agent: agent.id, argv: ["sh", "-c", fill] });
    const why = async (): Promise<string | undefined> =>
      (await rig.call("terminal.get", { terminal: opened.terminal })).terminal.ended?.why;
    await expect.poll(why, { timeout: 20_000 }).toBe("out-of-disk");
  });
});
