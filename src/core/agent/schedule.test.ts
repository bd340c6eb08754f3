import { expect, test } from "vitest";
import { AgentWorld, crashed, service } from "../../../test/support/agent-world.ts";
import { restartDefaults } from "./agent-spec.ts";

const never = { ...restartDefaults, policy: "never" } as const;
const job = service("job", { schedule: { cron: "*/5 * * * *", zone: "UTC", shifts: [] }, restart: never });
const fine = { exit: 0, why: "ended", said: "" } as const;
const fiveMs = 300_000;

function dayTime(world: AgentWorld): number {
  return world.nowMs + world.state.wallOffsetMs;
}

function nextOf(world: AgentWorld, id: string): number {
  return world.agent(id).services.get("job")?.nextAtMs ?? 0;
}

/** Lets its time come. */
function comes(world: AgentWorld, id: string): void {
  world.pass(nextOf(world, id) - dayTime(world));
}

function ready(world: AgentWorld): string {
  const id = world.create([job]);
  world.made(id);
  expect(world.agent(id).state).toBe("running");
  expect(world.states(id)).toEqual({ job: "scheduled" });
  expect(nextOf(world, id) % fiveMs).toBe(0);
  return id;
}

function skips(world: AgentWorld): number {
  return world.lastOf("service.skipped").length;
}

test("[SV31] comes at its time, ends, and waits for the next", () => {
  const world = new AgentWorld();
  const id = ready(world);
  const first = nextOf(world, id);
  world.pass(first - dayTime(world) - 1);
  expect(world.states(id)).toEqual({ job: "scheduled" });
  world.pass(1);
  expect(world.states(id)).toEqual({ job: "starting" });
  expect(nextOf(world, id)).toBe(first + fiveMs);
  world.began(id, "job");
  world.ended(id, "job", fine);
  expect(world.states(id)).toEqual({ job: "scheduled" });
  comes(world, id);
  expect(world.agent(id).services.get("job")).toMatchObject({ state: "starting", life: 2 });
});

test("[SV31] is not started while it still runs, and the log says so", () => {
  const world = new AgentWorld();
  const id = ready(world);
  comes(world, id);
  world.began(id, "job");
  comes(world, id);
  expect(world.agent(id).services.get("job")).toMatchObject({ state: "up", life: 1 });
  expect(skips(world)).toBe(1);
  expect(nextOf(world, id)).toBeGreaterThan(dayTime(world));
});

test("[SV32] what was missed while nobody was there comes once", () => {
  const world = new AgentWorld();
  const id = ready(world);
  const before = nextOf(world, id);
  // The engine was down for so long, and no time has passed for it.
  world.ok({ type: "engine.open", version: "1", wallMs: dayTime(world) + 10 * fiveMs }, "system");
  world.pass(1);
  expect(world.agent(id).services.get("job")).toMatchObject({ state: "starting", life: 1 });
  expect(nextOf(world, id)).toBeGreaterThan(before + 8 * fiveMs);
  expect(nextOf(world, id)).toBeGreaterThan(dayTime(world));
  expect(skips(world)).toBe(0);
});

test("[SV33] one that fails is tried again as its rule says, then at its next time; no ladder is climbed", () => {
  const world = new AgentWorld();
  const id = ready(world);
  comes(world, id);
  world.ended(id, "job", crashed);
  expect(world.agent(id).services.get("job")).toMatchObject({ state: "scheduled", because: "it ended with 1" });
  expect(world.agent(id)).toMatchObject({ state: "running", rung: null });
  const again = service("job", { ...job, restart: { ...restartDefaults, policy: "on-failure", limit: 1 } });
  const other = world.create([again], [7, 8]);
  world.made(other);
  world.pass((world.agent(other).services.get("job")?.nextAtMs ?? 0) - dayTime(world));
  world.ended(other, "job", crashed);
  expect(world.states(other)).toEqual({ job: "delayed" });
  world.pass(1000);
  world.ended(other, "job", crashed);
  expect(world.states(other)).toEqual({ job: "scheduled" });
});

test("[SV31] somebody may start it in between; stopped, it does not come", () => {
  const world = new AgentWorld();
  const id = ready(world);
  world.ok({ type: "service.start", agent: id, service: "job" });
  expect(world.states(id)).toEqual({ job: "starting" });
  world.began(id, "job");
  world.ended(id, "job", fine);
  world.ok({ type: "service.stop", agent: id, service: "job" });
  expect(world.states(id)).toEqual({ job: "down" });
  world.pass(3 * fiveMs);
  expect(world.states(id)).toEqual({ job: "down" });
  expect(skips(world)).toBe(0);
});
