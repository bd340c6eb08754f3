// Ours: the services of a living agent, in its cage. The daemon decides, and its keeper starts them; both are counted.

import fs from "node:fs";
import path from "node:path";
import type { Client } from "../../../src/client/client.ts";
import { processesNamed } from "../../harness/memory.ts";
import type { Daemon } from "../daemon.ts";
import { Herald } from "./herald.ts";
import { Folk, mortalCount, type Supervisor } from "./supervisor.ts";

/** So many instances may a service have. */
const instancesMax = 25;
const herald = "/tmp/herald";
const lookEveryMs = 20;

export async function startLivingAgent(daemon: Daemon, count: number): Promise<Supervisor> {
  const folk = new Folk();
  const client = daemon.connect();
  const groups = Array.from({ length: Math.ceil(count / instancesMax) }, (_, at) => ({
    name: `crowd-${at}`,
    instances: Math.min(instancesMax, count - at * instancesMax),
  }));
  const { agent } = await client.call("agent.create", {
    ...{ project: daemon.project, file: "bench.yaml", template: templateOf(folk, groups) },
  });
  // All of them wait for somebody to hear them.
  const [inside = 0] = await found(() => processesNamed(folk.markOf("mortal")).filter((pid) => isCaged(pid)));
  const heard = Herald.open(`/proc/${inside}/root${herald}`);
  await heard.until(mortalCount + count);
  const until = (state: string): Promise<void> => untilAll(client, agent.id, state);
  const each = async (name: "service.start" | "service.stop"): Promise<void> => {
    await Promise.all(groups.map((group) => client.call(name, { agent: agent.id, service: group.name })));
  };
  const halt = async (): Promise<void> => {
    if (folk.find("crowd").length === 0) return;
    // One without a check is up when it has not ended for a moment.
    await until("up");
    await each("service.stop");
    await until("down");
  };
  await halt();
  return {
    ...{ herald: heard, halt, ...folk.above(() => [daemon.pid, ...processesNamed(daemon.keepers)]) },
    start: () => each("service.start"),
    mortals: () => folk.find("mortal"),
    stop: async () => {
      heard.close();
      await client.call("agent.remove", { agent: agent.id, force: true, discard: true });
      client.close();
    },
  };
}

/** Restarted at once and without an end: how long to wait is a setting, and not what is asked here. */
function templateOf(folk: Folk, groups: readonly { readonly name: string; readonly instances: number }[]): string {
  const restart = "restart: { delay: 0ms, max_delay: 0ms, limit: 1000 }, stop: { signal: KILL }";
  const service = (name: string, kind: "crowd" | "mortal", instances: number): string =>
    `  ${name}: { command: [sh, -c, "${folk.line(kind, herald)}"], instances: ${instances}, ${restart} }\n`;
  const crowd = groups.map(({ name, instances }) => service(name, "crowd", instances)).join("");
  return `template: bench
hooks: { setup: "mkfifo ${herald}" }
services:
${service("mortal", "mortal", mortalCount)}${crowd}`;
}

function isCaged(pid: number): boolean {
  return fs.existsSync(path.join(`/proc/${pid}/root`, herald)) && !fs.existsSync(herald);
}

/** Some processes, when there are any. */
async function found(look: () => number[]): Promise<number[]> {
  for (;;) {
    const pids = look();
    if (pids.length > 0) return pids;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/** Resolves when all of the crowd are so. */
async function untilAll(client: Client, id: string, wanted: string): Promise<void> {
  for (;;) {
    const { agent } = await client.call("agent.get", { agent: id });
    const crowd = agent.services.filter(({ group }) => group !== "mortal");
    if (crowd.every(({ state }) => state === wanted)) return;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
