import { expect, test } from "vitest";
import { AgentWorld, db, service } from "../../../test/support/agent-world.ts";

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

test("[AG22] who has none runs into that of its agent, which is made anew", () => {
  const world = new AgentWorld();
  const id = world.running([db, service("web")]);
  eatAll(world, id, "web");
  expect(world.agent(id)).toMatchObject({ state: "stopping", rung: "respawn" });
});
