import { expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import { DoneByHand } from "./done-by-hand.ts";

test("[AG71] of secrets those are told that the agent has and that were given since it was made, of commands the program", async () => {
  const world = new AgentWorld();
  world.ok({ type: "engine.open", version: "1", wallMs: world.nowMs + 500_000 }, "system");
  const env = { TOKEN: { secret: "TOKEN" } };
  const id = world.running([{ ...lone, env: { KEY: { secret: "KEY" } } }], { env });
  const [madeAtMs, wallMs] = [world.nowMs, world.nowMs + 500_000];
  const kept = [
    { name: "TOKEN", setAtMs: wallMs + 60_000 },
    { name: "KEY", setAtMs: wallMs - 1000 },
    { name: "OTHER", setAtMs: wallMs + 60_000 },
  ];
  const done = new DoneByHand({ list: async () => kept }, { state: () => world.state, nowMs: () => world.nowMs });
  const ran = (agent: string, program: string, afterMs: number): void => {
    world.nowMs = madeAtMs + afterMs;
    done.noteCommand(agent, program);
  };
  ran("a_other", "ls", 1000);
  ran(id, "/usr/bin/psql", 5_000);
  ran(id, "rm", 70_000);
  ran(id, "psql", 80_000);
  expect(await done.of(world.agent(id))).toEqual([
    { kind: "secret", what: "the secret TOKEN was given anew", atMs: madeAtMs + 60_000 },
    { kind: "command", what: "rm was run in it by hand", atMs: madeAtMs + 70_000 },
    { kind: "command", what: "psql was run in it by hand", atMs: madeAtMs + 80_000 },
  ]);
});

test("[AG71] secrets that cannot be read are not told, and nothing is asked for where an agent has none", async () => {
  const world = new AgentWorld();
  const plain = world.agent(world.running([lone]));
  let asked = 0;
  const list = (): Promise<never> => {
    asked += 1;
    return Promise.reject(new Error("locked"));
  };
  const done = new DoneByHand({ list }, { state: () => world.state, nowMs: () => world.nowMs });
  expect(await done.of(plain)).toEqual([]);
  expect(asked).toBe(0);
  expect(await done.of({ ...plain, spec: { ...plain.spec, env: { A: { secret: "A" } } } })).toEqual([]);
});
