// Living agents in a recorded history: one that fails, recovers and is removed, and one that stays.

import { restartDefaults, type ServiceSpec, stopDefaults } from "../src/core/agent/agent-spec.ts";
import { agentOf, serviceOf } from "../src/core/agent/agent-state.ts";
import { entryOf } from "../src/core/landing/entry.ts";
import { hashOf, type HistoryRecorder } from "./history-recorder.ts";

const db: ServiceSpec = {
  ...{ name: "db", kind: "external", argv: ["postgres", "-p", "${self.port}"], cwd: null, env: {}, needs: [] },
  ...{ ports: ["sql"], restart: restartDefaults, stop: stopDefaults },
  health: { kind: "tcp", port: "sql", intervalMs: 1000, timeoutMs: 500, retries: 3, startPeriodMs: 5000 },
};
const web: ServiceSpec = {
  ...{ name: "web", kind: "application", argv: ["npm", "start"], cwd: "web", env: { DB: "${db.port}" } },
  ...{ ports: ["http"], health: null, restart: { ...restartDefaults, limit: 1 }, stop: stopDefaults },
  needs: [{ service: "db", until: "healthy" }],
};

export function keepAgents(world: HistoryRecorder, project: string): void {
  const first = make(world, project, [21_000, 21_001]);
  const unmade = { type: "agent.unmade", agent: first, life: 1, what: "port 21000 is in use" } as const;
  world.give({ ...unmade, taken: [21_000], offered: [21_002] }, "system");
  comeUp(world, first);
  wearOut(world, first);
  ended(world, first, "db", 143);
  goDown(world, first);
  comeUp(world, first);
  world.pass(web.restart.windowMs);
  wearOut(world, first);
  ended(world, first, "db", 143);
  world.give({ type: "agent.aside", agent: first, works: [], failed: "no space left on device" }, "system");
  goDown(world, first);
  comeUp(world, first);
  world.pass(600_000);
  const { life } = serviceOf(agentOf(world.state, first), "db");
  world.give({ type: "service.judge", agent: first, service: "db", life, healthy: false, what: "no" }, "system");
  ended(world, first, "db", 143);
  world.pass(1000);
  began(world, first, "db");
  world.give({ type: "service.stop", agent: first, service: "web" });
  ended(world, first, "web", 143);
  world.give({ type: "agent.remove", agent: first, force: true, aside: true });
  const works = [{ path: "web.ts", base: null, work: `100644 ${hashOf("left in an agent")}` }];
  world.give({ type: "agent.aside", agent: first, works }, "system");
  goDown(world, first);
  const second = make(world, project, [21_003, 21_004]);
  comeUp(world, second);
  putAway(world, second);
  const { spec } = agentOf(world.state, second);
  world.give({ type: "agent.reload", agent: second, spec: { ...spec, faces: [] }, offered: [] });
  const run = workIn(world, project, second);
  lookInside(world, second);
  const registry = { agent: second, host: "registry.npmjs.org", port: 443 };
  world.give({ type: "egress.try", ...registry, address: "104.16.0.35", refused: null }, "system");
  const passed = { connections: 1, refusals: 0, bytesOut: 512, bytesIn: 4096 };
  world.give({ type: "egress.sum", ...registry, ...passed }, "system");
  const called = { agent: second, tenant: run, host: "shop-3-page.faces", port: 80 };
  world.give({ type: "egress.try", ...called, address: null, refused: null }, "system");
  world.give({ type: "egress.sum", ...called, ...passed }, "system");
  beAssisted(world, second);
  const third = make(world, project, [21_005, 21_006]);
  world.give({ type: "agent.join", agent: second, with: third, across: false });
  world.give({ type: "agent.part", agent: third, with: second });
  world.give({ type: "agent.join", agent: third, with: second, across: false });
  world.give({ type: "agent.refresh", agent: second, commit: hashOf("refreshed"), count: 3 });
}

/** Its application crashes until more than that is tried, in two ways, so that the place may be at fault. */
function wearOut(world: HistoryRecorder, agent: string): void {
  for (let crash = 0; crash <= web.restart.limit; crash++) {
    ended(world, agent, "web", 1 + crash);
    world.pass(5000);
    if (crash < web.restart.limit) began(world, agent, "web");
  }
}

/** One gets an assistant, which is missing at first. */
function beAssisted(world: HistoryRecorder, agent: string): void {
  const { spec } = agentOf(world.state, agent);
  const permissions = { allow: null, deny: ["run_command"] };
  const assistant = { profile: "two", prompt: "Keep it well.\nSay what you did.", start: "once", permissions } as const;
  world.give({ type: "agent.reload", agent, spec: { ...spec, assistant }, offered: [] });
  const { hooks: ready } = agentOf(world.state, agent);
  const end = { exit: 0, why: "ended", said: "" };
  world.give({ type: "hook.end", agent, hook: "ready", number: ready, end }, "system");
  const choose = (runner: string | null): void => {
    const number = agentOf(world.state, agent).assistant?.number ?? 0;
    world.give({ type: "assistant.choose", agent, number, runner, what: "claude is not installed" }, "system");
  };
  choose(null);
  world.give({ type: "agent.assist", agent, prompt: null });
  choose("codex");
}

/** Somebody has a shell in it, for which another one stands in when its place is made anew. */
function lookInside(world: HistoryRecorder, agent: string): void {
  world.give({ type: "terminal.open", agent, argv: [], cols: 120, rows: 40 });
  world.give({ type: "terminal.open", agent, window: "logs", argv: ["less", "app.log"], cols: 120, rows: 40 });
  world.give({ type: "agent.restart", agent });
  for (const service of ["web", "db"])
    if (serviceOf(agentOf(world.state, agent), service).state === "stopping") ended(world, agent, service, 143);
  goDown(world, agent);
  comeUp(world, agent);
}

/** One that is put away and brought back. */
function putAway(world: HistoryRecorder, agent: string): void {
  const ended = { exit: 0, why: "ended", said: "" } as const;
  const hookEnds = (hook: "ready" | "archive", exit: number): void => {
    const { hooks: number } = agentOf(world.state, agent);
    world.give({ type: "hook.end", agent, hook, number, end: { ...ended, exit } }, "system");
  };
  hookEnds("ready", 0);
  world.give({ type: "agent.archive", agent, force: false });
  hookEnds("archive", 1);
  world.give({ type: "agent.archive", agent, force: true });
  goDown(world, agent);
  world.give({ type: "agent.restore", agent, offered: [] });
  comeUp(world, agent);
}

/** A run works in an agent, and another one waits for it. */
function workIn(world: HistoryRecorder, project: string, agent: string): string {
  const run = world.submit(project, { agent });
  const waiting = world.submit(project, { agent });
  const left = { path: "web/cache.txt", base: null, work: entryOf("100644", hashOf("cache")) };
  world.give({ type: "run.enter", run, works: [left], commit: null }, "system");
  world.give({ type: "run.enter", run, works: [], commit: hashOf("entered") }, "system");
  world.start(run);
  world.complete(run);
  world.give({ type: "run.stopped", run, works: [] }, "system");
  const policy = { name: "again", priority: 0, enabled: true, scope: {}, rules: { reuse: ["shop-*"] } };
  world.give({ type: "policy.set", policy });
  world.give({ type: "run.terminate", select: { by: "run", run: waiting }, because: "not needed" });
  world.give({ type: "run.stopped", run: waiting, works: [] }, "system");
  const put = world.submit(project);
  world.give({ type: "run.terminate", select: { by: "run", run: put }, because: "not needed" });
  world.give({ type: "run.stopped", run: put, works: [] }, "system");
  world.give({ type: "policy.remove", name: "again" });
  return run;
}

function make(world: HistoryRecorder, project: string, offered: readonly number[]): string {
  const page = { name: "page", service: "web", port: "http", path: "/", kind: "web", title: "The shop" } as const;
  const env = { KEY: { generate: "hex", bytes: 16 }, STRIPE: { secret: "STRIPE_KEY" } } as const;
  const hook = { argv: ["npm", "run", "dump"], cwd: null, timeoutMs: 60_000 };
  const hooks = { ready: hook, archive: hook };
  const egress = { kind: "list", allow: ["developer"] } as const;
  const spec = { template: "shop", env, services: [db, web], faces: [page], egress, image: "none", hooks } as const;
  const answer = world.give({ type: "agent.create", name: null, project, node: "local", spec, offered });
  const [id] = answer.of === "ids" ? answer.ids : [];
  if (id === undefined) throw new Error("making an agent is answered by its id");
  return id;
}

function comeUp(world: HistoryRecorder, agent: string): void {
  world.give({ type: "agent.made", agent, life: agentOf(world.state, agent).life }, "system");
  began(world, agent, "db");
  const { life } = serviceOf(agentOf(world.state, agent), "db");
  world.give({ type: "service.judge", agent, service: "db", life, healthy: true, what: "it answers" }, "system");
  began(world, agent, "web");
}

function began(world: HistoryRecorder, agent: string, service: string): void {
  const { life } = serviceOf(agentOf(world.state, agent), service);
  world.give({ type: "service.began", agent, service, life }, "system");
}

function ended(world: HistoryRecorder, agent: string, service: string, exit: number): void {
  const { life } = serviceOf(agentOf(world.state, agent), service);
  const end = { exit, why: exit === 143 ? "stopped" : "ended", said: "" };
  world.give({ type: "service.ended", agent, service, life, end }, "system");
}

function goDown(world: HistoryRecorder, agent: string): void {
  const { life, wish, rung } = agentOf(world.state, agent);
  const session = wish === "run" && rung === "recreate" ? { session: true } : {};
  world.give({ type: "agent.ended", agent, life, cleared: wish === "remove", ...session }, "system");
}
