import { expect, test } from "vitest";
import { AgentWorld, db, lone, service } from "../../../test/support/agent-world.ts";

const limits = { memoryBytes: 64 * 1024 ** 2, cpu: null, processes: null, files: null };
const outOfMemory = { exit: 137, why: "out-of-memory", said: "" } as const;

/** Ends for want of memory until nothing is started again. */
function eatAll(world: AgentWorld, id: string, name: string): void {
  for (;;) {
    world.ended(id, name, outOfMemory);
    const { state, dueAtMs } = world.agent(id).services.get(name) ?? {};
    if (state !== "delayed") return;
    world.pass((dueAtMs ?? 0) - world.nowMs);
    world.began(id, name);
  }
}

test("[SV3, SV4] who runs into a limit of its own asks a person, and nobody else of its agent is ended", () => {
  const world = new AgentWorld();
  const id = world.running([db, service("web", { limits })]);
  eatAll(world, id, "web");
  expect(world.agent(id)).toMatchObject({ state: "error", rung: "ask" });
  expect(world.states(id)).toEqual({ db: "up", web: "failed" });
  expect(world.agent(id).services.get("web")?.because).toBe("it took more memory than it may");
});

test("[SV9] who says itself that it has no memory left is told of with its limit, or that of its agent", () => {
  const world = new AgentWorld();
  const said = { exit: 134, why: "ended", said: "FATAL ERROR: JavaScript heap out of memory" } as const;
  const id = world.running([db, service("web", { limits })]);
  world.ended(id, "web", said);
  world.ended(id, "db", said);
  expect(world.agent(id).services.get("web")?.because).toBe(
    "it ended with 134: for want of memory, of which it may have 64MiB",
  );
  expect(world.agent(id).services.get("db")?.because).toBe("it ended with 134: for want of memory");
});

test("[AG22] who has none runs into that of its agent, which is made anew", () => {
  const world = new AgentWorld();
  const id = world.running([db, service("web")]);
  eatAll(world, id, "web");
  expect(world.agent(id)).toMatchObject({ state: "stopping", rung: "respawn" });
});

test("[AW13] one that is begun anew because it cannot be told says so, and not that somebody did it", () => {
  const world = new AgentWorld();
  const id = world.running([lone]);
  const because = "its template has changed, and it cannot be told while it runs";
  world.ok({ type: "service.restart", agent: id, service: "web", because }, "system");
  expect(world.agent(id).services.get("web")).toMatchObject({ state: "stopping", because });
  world.ended(id, "web");
  world.began(id, "web");
  world.ok({ type: "service.restart", agent: id, service: "web" });
  expect(world.agent(id).services.get("web")?.because).toBe("somebody restarted it");
});
