import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { tryCli } from "../testing/try-cli.ts";

/** The number of a process that has ended, as the daemon will have. */
const { pid } = spawnSync("true");
const running = { pid, runs: { queued: 4, review: 1, running: 1, done: 7, failed: 2 } };
const agents = [{ state: "running" }, { state: "error" }, { state: "stopped" }];

test("down says what stays without the daemon, and how to end it", async () => {
  const { stdout, exitCode, calls } = await tryCli(["down"], {
    status: running,
    "agent.list": { agents },
    shutdown: {},
  });
  expect(stdout).toBe(`The daemon (pid ${pid}) has ended.
2 runs and 2 agents stay, with the processes that they have: signalbox up takes them up again. To end them as well: signalbox up -d, then signalbox stop --all and signalbox agent stop AGENT, then down.
`);
  expect([exitCode, calls.at(-1)]).toEqual([0, ["shutdown", {}]]);
});

test.each([
  [{ review: 1 }, [], "1 run stays, with the processes that it has", "signalbox stop --all, then"],
  [
    { done: 3 },
    agents.slice(0, 1),
    "1 agent stays, with the processes that it has",
    "signalbox agent stop AGENT, then",
  ],
])("only what there is: %j, %j", async (runs, some, what, how) => {
  const { stdout } = await tryCli(["down"], { status: { pid, runs }, "agent.list": { agents: some }, shutdown: {} });
  expect(stdout).toContain(what);
  expect(stdout).toContain(`signalbox up -d, then ${how} down.`);
});

test("where nothing stays, or nobody can say, it just ends", async () => {
  const quiet = `The daemon (pid ${pid}) has ended.\n`;
  const nothing = { status: { pid, runs: { done: 1, queued: 1 } }, "agent.list": { agents: [] }, shutdown: {} };
  expect((await tryCli(["down"], nothing)).stdout).toBe(quiet);
  expect((await tryCli(["down"], { status: { pid, runs: {} }, shutdown: {} })).stdout).toBe(quiet);
  const { stdout } = await tryCli(["down", "--json"], { status: running, "agent.list": { agents }, shutdown: {} });
  expect(JSON.parse(stdout)).toEqual({ ended: true, pid, left: { runs: 2, agents: 2 } });
});
