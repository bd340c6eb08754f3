import { expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import { actsOf } from "../acts.ts";
import { recoveryDefaults } from "./agent-spec.ts";

const work = (path: string, now: string | null = "b".repeat(40)) =>
  ({ path, base: `100644 ${"a".repeat(40)}`, work: now === null ? null : `100644 ${now}` }) as const;

function removing(aside: boolean): { readonly world: AgentWorld; readonly id: string } {
  const world = new AgentWorld();
  const id = world.running([lone]);
  world.ok({ type: "agent.remove", agent: id, force: false, ...(aside ? { aside: true } : {}) });
  return { world, id };
}

test("[AG87] what was changed in an agent that is removed is in the trash once, when its files go", () => {
  const { world, id } = removing(true);
  expect(world.lastOf("agent.wished")).toMatchObject([{ wish: "remove", aside: true }]);
  world.ended(id, "web");
  const unmake = world.log.flatMap((event) => actsOf(world.state, event)).find(({ type }) => type === "unmake");
  expect(unmake).toMatchObject({ how: "files", aside: true });
  const works = [work("a.txt"), work("gone.txt", null), { ...work("same.txt"), work: work("same.txt").base }];
  world.ok({ type: "agent.aside", agent: id, works }, "system");
  world.ok({ type: "agent.aside", agent: id, works: [...works, work("late.txt")] }, "system");
  expect([...world.state.trash.values()]).toMatchObject([
    { run: id, agent: "shop-1", path: "a.txt", why: "its agent was removed" },
    { run: id, path: "gone.txt", work: null },
    { run: id, path: "late.txt" },
  ]);
  world.ok({ type: "agent.ended", agent: id, life: 1, cleared: true }, "system");
  expect(world.state.agents.has(id)).toBe(false);
  expect(world.state.trash.size).toBe(3);
});

test("[AG87] nothing goes to the trash where nobody asked for it, and what was asked for stays so", () => {
  const { world, id } = removing(false);
  world.ok({ type: "agent.aside", agent: id, works: [work("a.txt")] }, "system");
  expect(world.state.trash.size).toBe(0);
  const other = removing(true);
  other.world.ok({ type: "agent.remove", agent: other.id, force: true });
  expect(other.world.agent(other.id)).toMatchObject({ force: true, aside: true });
});

test("[AG91] before the ladder makes a place anew what was changed in it is kept, each content once, and the agent comes back", () => {
  const world = new AgentWorld();
  const id = world.running([lone], { recovery: { ...recoveryDefaults, rungs: ["recreate", "respawn"] } });
  const unmake = (): unknown => world.pending().find(({ type }) => type === "unmake");
  world.wearOut(id, "web");
  // No file is touched where only processes are begun anew.
  expect(unmake()).toMatchObject({ how: "session" });
  expect(unmake()).not.toHaveProperty("aside");
  world.ok({ type: "agent.aside", agent: id, works: [work("a.txt")] }, "system");
  expect(world.state.trash.size).toBe(0);
  world.gone(id);
  world.made(id);
  world.began(id, "web");
  world.wearOut(id, "web");
  expect(unmake()).toMatchObject({ how: "place", aside: true });
  for (const _ of ["once", "after a crash"])
    world.ok({ type: "agent.aside", agent: id, works: [work("a.txt")] }, "system");
  expect([...world.state.trash.values()]).toMatchObject([{ path: "a.txt", why: "its agent's place was made anew" }]);
  world.ok({ type: "agent.aside", agent: id, works: [], failed: "no space" }, "system");
  expect(world.lastOf("agent.set-aside")).toMatchObject([{ works: [], failed: "no space" }]);
  world.gone(id);
  expect(world.agent(id)).toMatchObject({ state: "spawning", wish: "run" });
  // Whoever restarts it has the files as they are, and nothing is kept.
  world.made(id);
  world.began(id, "web");
  world.ok({ type: "agent.restart", agent: id });
  world.ended(id, "web");
  expect(unmake()).not.toHaveProperty("aside");
});

test("[AG87] who discards what was to be set aside is heard, and its files go without that", () => {
  const { world, id } = removing(true);
  world.ended(id, "web");
  const before = world.log.length;
  world.ok({ type: "agent.remove", agent: id, force: false, aside: false });
  expect(world.lastOf("agent.wished")).toMatchObject([{ wish: "remove", aside: false }]);
  const unmakes = world.log.flatMap((event) => actsOf(world.state, event)).filter(({ type }) => type === "unmake");
  expect(unmakes.at(-1)).not.toHaveProperty("aside");
  world.ok({ type: "agent.aside", agent: id, works: [work("a.txt")] }, "system");
  world.ok({ type: "agent.remove", agent: id, force: false, aside: false });
  expect(world.log.slice(before).map(({ type }) => type)).toEqual(["agent.wished"]);
  world.ok({ type: "agent.ended", agent: id, life: 1, cleared: true }, "system");
  expect([world.state.agents.has(id), world.state.trash.size]).toEqual([false, 0]);
});
