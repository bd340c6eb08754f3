import { describe, expect, test } from "vitest";
import { AgentWorld, crashed, db, lone, web } from "../../../test/support/agent-world.ts";
import { type AlertRule, recoveryDefaults, type RecoveryRule, restartDefaults } from "./agent-spec.ts";
import { alertsOf } from "./alerts.ts";

const once = { ...lone, restart: { ...restartDefaults, limit: 1 } };

function worldWith(recovery: Partial<RecoveryRule>, alerts?: AlertRule): { world: AgentWorld; id: string } {
  const world = new AgentWorld();
  const more = { recovery: { ...recoveryDefaults, ...recovery }, ...(alerts === undefined ? {} : { alerts }) };
  return { world, id: world.running([once], more) };
}

/** Goes on until something else than restarts of the service is tried, and does that. */
function wearOut(world: AgentWorld, id: string): string | null {
  world.wearOut(id, "web");
  const { rung, state } = world.agent(id);
  if (state === "stopping") world.gone(id);
  if (world.agent(id).state === "spawning") {
    if (!world.agent(id).isMade) world.made(id);
    world.began(id, "web");
  }
  return rung;
}

describe("a template says of the ladder", () => {
  test("[AG75] which rungs there are, and how often each is tried", () => {
    const { world, id } = worldWith({ rungs: ["recreate", "respawn"], tries: 2 });
    const taken = [1, 2, 3, 4, 5].map(() => wearOut(world, id));
    expect(taken).toEqual(["recreate", "recreate", "respawn", "respawn", "ask"]);
    expect(world.agent(id).state).toBe("error");
  });

  test("[AG75] how long everything has to be well before it begins anew: waiting for a rung is not that", () => {
    const waits = { delayMs: 600_000, delayMsMax: 600_000, resetMs: 60_000 };
    const { world, id } = worldWith({ rungs: ["recreate", "respawn"], ...waits });
    world.wearOut(id, "web");
    world.gone(id);
    if (!world.agent(id).isMade) world.made(id);
    world.began(id, "web");
    expect(world.agent(id)).toMatchObject({ state: "running", rung: "recreate" });
    world.ended(id, "web", crashed);
    world.pass(100);
    world.began(id, "web");
    world.ended(id, "web", crashed);
    expect(world.states(id)).toEqual({ web: "delayed" });
    world.pass(300_000);
    expect(world.agent(id).rung).toBe("recreate");
    world.pass(300_000);
    expect(world.agent(id)).toMatchObject({ state: "stopping", rung: "respawn" });
  });

  test("[AG75] that a person is asked at once", () => {
    const { world, id } = worldWith({ rungs: [], delayMs: 5000 });
    expect(wearOut(world, id)).toBe("ask");
  });

  test("[AG75] how long a rung waits: the others go on meanwhile, and each further one waits twice as long", () => {
    const world = new AgentWorld();
    const recovery = { ...recoveryDefaults, delayMs: 5000, delayMsMax: 8000 };
    const id = world.running([db, { ...web, restart: once.restart }], { recovery });
    // Well for so long that it may be the place (AG90).
    world.pass(restartDefaults.windowMs);
    const fail = (): void => {
      world.ended(id, "web", crashed);
      world.pass(100);
      world.began(id, "web");
      world.ended(id, "web", crashed);
    };
    fail();
    expect(world.agent(id)).toMatchObject({ state: "running", rung: null });
    expect(world.states(id)).toEqual({ db: "up", web: "delayed" });
    world.pass(4999);
    expect(world.agent(id).state).toBe("running");
    world.pass(1);
    expect(world.agent(id)).toMatchObject({ state: "stopping", rung: "recreate" });
    world.ended(id, "db");
    world.gone(id);
    world.made(id);
    world.began(id, "db");
    world.judged(id, "db", true);
    world.began(id, "web");
    world.pass(restartDefaults.windowMs);
    fail();
    world.pass(7999);
    expect(world.agent(id).rung).toBe("recreate");
    world.pass(1);
    expect(world.agent(id).rung).toBe("respawn");
  });

  test("[AG75] whoever starts the service while a rung waits has no need of it", () => {
    const { world, id } = worldWith({ delayMs: 5000 });
    world.ended(id, "web", crashed);
    world.pass(100);
    world.began(id, "web");
    world.ended(id, "web", crashed);
    expect(world.states(id)).toEqual({ web: "delayed" });
    world.ok({ type: "service.start", agent: id, service: "web" });
    expect(world.states(id)).toEqual({ web: "starting" });
    world.began(id, "web");
    world.pass(10_000);
    expect(world.agent(id)).toMatchObject({ state: "running", rung: null });
  });

  test("[AG23, AG75] after how long it begins at the foot", () => {
    const { world, id } = worldWith({ resetMs: 60_000 });
    wearOut(world, id);
    world.pass(59_999);
    expect(world.agent(id).rung).toBe("recreate");
    world.pass(1);
    expect(world.agent(id)).toMatchObject({ rung: null, climbs: {}, climbed: null });
  });
});

describe("a person is told", () => {
  const none: AlertRule = { rung: null, restarts: null, unwellMs: null };
  const told = (world: AgentWorld, id: string): string[] =>
    alertsOf(world.agent(id), world.nowMs).map(({ what }) => what);

  test("[AG76] from the rung on that the template names, until the agent was well", () => {
    const { world, id } = worldWith({ resetMs: 60_000 }, { ...none, rung: "respawn" });
    wearOut(world, id);
    expect(told(world, id)).toEqual([]);
    wearOut(world, id);
    expect(told(world, id)).toEqual(["respawn was tried: web: it ended with 1"]);
    world.pass(60_000);
    expect(told(world, id)).toEqual([]);
  });

  test("[AG76] of restarts within an hour, also where they are too far apart for the ladder", () => {
    const { world, id } = worldWith({}, { ...none, restarts: 2 });
    for (const expected of [[], ["web was started again 2 times within an hour"]]) {
      world.pass(600_000);
      world.ended(id, "web", crashed);
      world.pass(100);
      world.began(id, "web");
      expect(told(world, id)).toEqual(expected);
    }
    world.pass(3_600_000);
    expect(told(world, id)).toEqual([]);
  });

  test("[AG76] of what has not been well for so long, whatever was tried meanwhile", () => {
    const { world, id } = worldWith({ delayMs: 60_000 }, { ...none, unwellMs: 30_000 });
    world.ended(id, "web", crashed);
    world.pass(100);
    expect(told(world, id)).toEqual([]);
    world.began(id, "web");
    world.ended(id, "web", crashed);
    world.pass(30_000);
    expect(told(world, id)).toEqual(["web has not been well for 30 s: it ended with 1"]);
    world.ok({ type: "service.start", agent: id, service: "web" });
    world.began(id, "web");
    expect(told(world, id)).toEqual([]);
  });

  test("[AG76] of nothing where the template says nothing, nobody wants the agent, or everything was tried", () => {
    const { world, id } = worldWith({ rungs: [] }, { rung: null, restarts: 1, unwellMs: 1000 });
    wearOut(world, id);
    world.pass(5000);
    expect(world.agent(id).state).toBe("error");
    expect(told(world, id)).toEqual([]);
    const other = new AgentWorld();
    const quiet = other.running([once]);
    wearOut(other, quiet);
    expect(told(other, quiet)).toEqual([]);
  });
});
