// Services in a recorded history: one is replaced beside itself, one comes and goes by its schedule.

import { restartDefaults, type ServiceSpec, stopDefaults } from "../src/core/agent/agent-spec.ts";
import { agentOf, serviceOf } from "../src/core/agent/agent-state.ts";
import type { HistoryRecorder } from "./history-recorder.ts";

const limits = { memoryBytes: 256 * 1024 ** 2, memoryBytesMax: 1024 ** 3, cpu: 1, processes: null, files: null };

const api: ServiceSpec = {
  ...{ name: "api", kind: "application", argv: ["npm", "start"], cwd: null, env: {}, needs: [], ports: ["http"] },
  ...{ restart: restartDefaults, stop: stopDefaults, overlap: true, watch: ["src/**"], limits },
  logs: { maxBytes: 1024 ** 2, keep: 3 },
  health: { kind: "tcp", port: "http", intervalMs: 1000, timeoutMs: 500, retries: 3, startPeriodMs: 5000 },
};

const nightly: ServiceSpec = {
  ...{ name: "nightly", kind: "application", argv: ["npm", "run", "tidy"], cwd: null, env: {}, needs: [], ports: [] },
  ...{ restart: { ...restartDefaults, policy: "never" }, stop: stopDefaults, health: null },
  schedule: { cron: "*/10 * * * *", zone: "UTC", shifts: [] },
};

export function keepServices(world: HistoryRecorder, project: string): void {
  const spec = { template: "api", env: {}, services: [api, nightly], faces: [] } as const;
  const offered = [21_010, 21_011, 21_012];
  const answer = world.give({ type: "agent.create", name: null, project, node: "local", spec, offered });
  const [agent] = answer.of === "ids" ? answer.ids : [];
  if (agent === undefined) throw new Error("making an agent is answered by its id");
  world.give({ type: "agent.made", agent, life: 1 }, "system");
  comeUp(world, agent, "api.1");
  world.give({ type: "service.restart", agent, service: "api" });
  comeUp(world, agent, "api.2");
  const end = { exit: 0, why: "stopped", said: "" } as const;
  world.give({ type: "service.ended", agent, service: "api.1", life: 1, end }, "system");
  fail(world, agent);
  world.give({ type: "service.change", agent, service: "api", paths: ["src/a.ts"], count: 2 }, "system");
  world.pass(600_000);
  world.give({ type: "service.began", agent, service: "nightly", life: 1 }, "system");
  world.pass(600_000);
  const ended = { exit: 0, why: "ended", said: "tidy" } as const;
  world.give({ type: "service.ended", agent, service: "nightly", life: 1, end: ended }, "system");
  const roomier = { ...api, limits: { ...limits, cpu: 2 } };
  world.give({ type: "agent.reload", agent, spec: { ...spec, services: [roomier, nightly] }, offered: [] });
}

function comeUp(world: HistoryRecorder, agent: string, service: string): void {
  const { life } = serviceOf(agentOf(world.state, agent), service);
  world.give({ type: "service.began", agent, service, life }, "system");
  world.give({ type: "service.judge", agent, service, life, healthy: true, what: "it answers" }, "system");
}

/** Too many others may have been started again: it is looked at once more then. */
function waitUntilDue(world: HistoryRecorder, agent: string, name: string): void {
  const dueAtMs = (): number | null => serviceOf(agentOf(world.state, agent), name).dueAtMs;
  for (let due = dueAtMs(); due !== null; due = dueAtMs()) world.pass(due - world.state.atMs);
}

/** One that takes too much is started again, waits for others that are, and gets more. */
function fail(world: HistoryRecorder, agent: string): void {
  const policy = { name: "calm", priority: 0, enabled: true, scope: {}, rules: { maxRestarts: 1 } };
  world.give({ type: "policy.set", policy });
  const end = { exit: 137, why: "out-of-memory", said: "", signal: "SIGKILL" } as const;
  const memory = { memoryBytes: 268_000_000, memoryBytesPeak: 268_400_000 };
  const use = { ...memory, cpu: 0.5, files: 20, processes: 3, agoMs: 4000, diskFreeBytes: 10_000_000_000 };
  for (let tries = 0; tries <= restartDefaults.limit; tries++) {
    const { life } = serviceOf(agentOf(world.state, agent), "api.2");
    world.give({ type: "service.ended", agent, service: "api.2", life, end, use }, "system");
    waitUntilDue(world, agent, "api.2");
    comeUp(world, agent, "api.2");
  }
  world.give({ type: "policy.remove", name: "calm" });
}
