import { expect, test } from "vitest";
import { AgentWorld, crashed, service } from "../../../test/support/agent-world.ts";
import { restartDefaults } from "./agent-spec.ts";

const watching = service("web", { watch: ["src/**"] });

function change(world: AgentWorld, id: string, count = 1): void {
  world.ok({ type: "service.change", agent: id, service: "web", paths: ["src/a.ts"], count }, "system");
}

function because(world: AgentWorld, id: string): string | null | undefined {
  return world.agent(id).services.get("web")?.because;
}

test("[SV42] who runs is begun anew, and the log says for which file", () => {
  const world = new AgentWorld();
  const id = world.running([watching]);
  change(world, id, 3);
  expect(world.last.find(({ type }) => type === "service.touched")).toMatchObject({ paths: ["src/a.ts"], count: 3 });
  expect(world.states(id)).toEqual({ web: "stopping" });
  expect(because(world, id)).toBe("src/a.ts and 2 more changed");
  world.ended(id, "web");
  world.began(id, "web");
  expect(world.states(id)).toEqual({ web: "up" });
  expect(world.agent(id)).toMatchObject({ state: "running", rung: null });
  expect(world.agent(id).services.get("web")?.restarts).toEqual([]);
});

test("[SV42] who is starting is begun anew when it is up", () => {
  const world = new AgentWorld();
  const id = world.create([watching]);
  world.made(id);
  change(world, id);
  expect(world.states(id)).toEqual({ web: "starting" });
  world.began(id, "web");
  expect(world.states(id)).toEqual({ web: "stopping" });
});

test("[SV42] who has failed is tried again, and who was stopped stays so", () => {
  const world = new AgentWorld();
  const never = { ...restartDefaults, policy: "never" } as const;
  const id = world.running([service("web", { watch: ["src/**"], restart: never })]);
  world.ended(id, "web", crashed);
  expect(world.agent(id)).toMatchObject({ state: "error" });
  change(world, id);
  expect(world.states(id)).toEqual({ web: "starting" });
  world.began(id, "web");
  expect(world.agent(id)).toMatchObject({ state: "running" });
  world.ok({ type: "service.stop", agent: id, service: "web" });
  world.ended(id, "web");
  change(world, id);
  expect(world.last).toEqual([]);
  expect(world.states(id)).toEqual({ web: "down" });
});
