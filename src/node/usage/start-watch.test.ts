import { expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { StartWatch } from "./start-watch.ts";
import { UseHistory } from "./use-history.ts";

test("[AU41] each start of an agent is kept as it went, the newest eight, also by the next daemon", async () => {
  const world = new AgentWorld();
  const file = `${makeTempFolder()}/history.json`;
  const history = new UseHistory(file, () => world.nowMs);
  const watch = new StartWatch((agent, start) => history.noteStart(agent, start));
  let heard = 0;
  const hear = (): void => {
    for (const event of world.log.slice(heard)) watch.hear(event);
    heard = world.log.length;
  };
  const id = world.create([lone]);
  for (let start = 1; start <= 10; start++) {
    world.pass(start * 100);
    world.made(id);
    hear();
    expect(history.starts(id)).toHaveLength(Math.min(start, 8));
    world.began(id, "web");
    hear();
    expect(history.starts(id).at(-1)).toMatchObject({
      ms: start * 100,
      phases: [{ phase: "place", ms: start * 100 }, {}],
    });
    world.ok({ type: "agent.stop", agent: id, force: false });
    world.ended(id, "web");
    world.gone(id);
    world.ok({ type: "agent.start", agent: id });
  }
  await history.save();
  const next = new UseHistory(file, () => world.nowMs);
  await next.load();
  expect(next.starts(id)).toEqual(history.starts(id));
  next.note([], new Set(), { diskFreeBytes: null, memory: null });
  expect(next.starts(id)).toEqual([]);
});
