// Runs in living agents: on the files that a real server serves, beside it in its cage, one after the other, and across the
// death of the daemon.

import { beforeAll, describe, expect, test } from "vitest";
import { isOver } from "../../src/core/run/run-states.ts";
import { outerHost } from "../../src/protocol/keeper/outer-host.ts";
import type { AgentView } from "../../src/protocol/wire/agent.ts";
import type { Run } from "../../src/protocol/wire/run.ts";
import { AgentRig, portOf } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

/** Serves a file as it is at that moment, and writes one down where it is asked to. */
const server = `
const { createServer } = require("http");
const { readFileSync, writeFileSync } = require("fs");
createServer((asked, answer) => {
  if (asked.url === "/pid") return answer.end(String(process.pid));
  if (asked.url === "/die") return process.exit(3);
  if (asked.url === "/write") writeFileSync("written.txt", "by the server");
  answer.end(readFileSync("index.html"));
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("listening"));
`;

const template = `
template: shop
env: { GREETING: hello }
services:
  web:
    command: node web.js
    ports: [http]
    health: { http: /, interval: 200ms, timeout: 150ms }
    restart: { delay: 10ms, limit: 1 }
`;

const page = (text: string): string => `- write: { path: index.html, content: "${text}" }`;
const shell = (line: string): string => `- run: ${JSON.stringify(line)}`;
const served = (text: string): string => shell(`test "$(curl -s $WEB_URL)" = "${text}"`);
const script = (...steps: readonly string[]): string => `task: work in the shop\nsteps:\n${steps.join("\n")}\n`;

describe.skipIf(noCages)("runs in living agents", () => {
  const rig = AgentRig.forAll({
    ".gitignore": "built\n",
    "web.js": server,
    "index.html": "old",
    "written.txt": "by a person",
  });
  let agent: AgentView;

  beforeAll(async () => {
    agent = await rig.up(template);
  });

  const submit = async (text: string, more: object = {}): Promise<string> =>
    (await rig.call("run.submit", { project: "shop", script: text, agent: agent.name, ...more })).run;

  async function inState(run: string, state: Run["state"]): Promise<Run> {
    for (;;) {
      const answer = await rig.call("run.wait", { run, states: [state], waitMs: 20_000 });
      if (answer.reached) return answer.run;
      if (isOver(answer.run.state)) throw new Error(`${run} is ${answer.run.state}: ${answer.run.because}`);
    }
  }

  /** What the person's checkout has. */
  const published = (name: string): string => rig.sample.read(name);
  const get = async (run: string): Promise<Run> => (await rig.call("run.get", { run })).run;
  const look = (): Promise<AgentView> => rig.get(agent);
  const ask = async (path = "/"): Promise<string> =>
    (await fetch(`http://${outerHost}:${portOf(agent, "web")}${path}`)).text();

  test("[AG41, AG47, AG49] reach its services, change what they serve and land, one after the other, whatever becomes of the daemon", async () => {
    const server1 = await ask("/pid");
    const first = await submit(
      script(
        served("old"),
        shell('test "$GREETING $SIGNALBOX_AGENT" = "hello shop-1"'),
        page("new"),
        served("new"),
        "- output: { name: web }",
        "- ask: go on?",
        served("new"),
      ),
    );
    await inState(first, "awaiting-input");
    expect(await ask()).toBe("new");
    expect(await look()).toMatchObject({ activity: "awaiting-input", run: first });
    const second = await submit(script(served("new"), page("newer"), served("newer")));
    expect(await get(second)).toMatchObject({
      ...{ state: "queued", agent: "shop-1", waitsForAgent: { agent: "shop-1", run: first } },
    });
    await rig.restartDaemon(async () => {
      expect(await ask()).toBe("new");
    });
    expect((await get(second)).state).toBe("queued");
    await rig.call("run.answer", { run: first, text: "yes" });
    await inState(first, "done");
    await inState(second, "done");
    await expect.poll(() => published("index.html")).toBe("newer");
    expect(await ask()).toBe("newer");
    // It is the same server all along.
    expect(await ask("/pid")).toBe(server1);
    await expect.poll(look).toMatchObject({ state: "running", activity: "ready", run: null });
  });

  test("[AG44, AG49] what a run leaves behind, and what services write between runs, is set aside and not in the next one's way", async () => {
    const rejected = await submit(script(page("unwanted"), served("unwanted"), "- fail: it does not look good"));
    await inState(rejected, "failed");
    await expect.poll(() => ask()).toBe("newer");
    await ask("/write");
    const isClean = 'test "$(cat written.txt) $(cat index.html)" = "by a person newer"';
    const next = await submit(script(shell(isClean)));
    await inState(next, "done");
    const { items } = await rig.call("trash.list", {});
    expect(items.map(({ path, run, why }) => [path, run, why])).toEqual([
      ["index.html", rejected, "its run is failed"],
      ["written.txt", next, "it was changed in the agent between runs"],
    ]);
  });

  test("[AG48] what a service writes while a run is in the agent is swept as what its commands write", async () => {
    const run = await submit(script(shell("curl -s $WEB_URL/write")));
    await inState(run, "done");
    await expect.poll(() => published("written.txt")).toBe("by the server");
  });

  test("[AG47, AG49] a command outlives the daemon beside the services, a terminal reaches them, and both end with the run", async () => {
    const waits = "while ! test -e /tmp/go; do sleep 0.1; done";
    const run = await submit(script(shell(`${waits}; test "$(curl -s $WEB_URL)" = newer`), "- ask: go on?"));
    await expect.poll(async () => (await get(run)).call).toMatchObject({ tool: "run", started: true });
    await rig.restartDaemon();
    expect((await rig.call("agent.exec", { agent: agent.id, argv: ["touch", "/tmp/go"] })).exit).toBe(0);
    await inState(run, "awaiting-input");
    const argv = ["sh", "-c", "curl -s $WEB_URL; exec sleep 1000"];
    const { terminal } = await rig.call("terminal.open", { run, argv });
    const seen = (): Promise<unknown> => rig.call("terminal.get", { terminal });
    await expect.poll(async () => JSON.stringify(await seen())).toContain("newer");
    await rig.call("run.answer", { run, text: "yes" });
    await inState(run, "done");
    await expect.poll(seen).toMatchObject({ terminal: { ended: { why: "stopped" } } });
    expect(await ask()).toBe("newer");
  });

  test("[AG50] a run in it that is paused halts no service", async () => {
    const run = await submit(
      script("- start: { name: tick, command: while :; do date > ticks; sleep 0.1; done }", "- ask: go on?"),
    );
    await inState(run, "awaiting-input");
    await rig.call("run.pause", { run });
    expect(await look()).toMatchObject({ state: "running", activity: "awaiting-input" });
    expect(await ask()).toBe("newer");
    await rig.call("run.resume", { run });
    await rig.call("run.answer", { run, text: "yes" });
    await inState(run, "done");
  });

  test("[AG45] a run goes on when its agent was begun anew around it, and one that is in it is not left alone with it", async () => {
    const run = await submit(script(page("anew"), "- ask: go on?", served("anew")));
    await inState(run, "awaiting-input");
    await expect(rig.call("agent.stop", { agent: agent.id })).rejects.toThrow(`is still used by ${run}`);
    await rig.call("agent.restart", { agent: agent.id });
    await expect.poll(async () => (await look()).life).toBe(2);
    agent = await rig.running(agent);
    expect(await ask()).toBe("anew");
    await rig.call("run.answer", { run, text: "yes" });
    await inState(run, "done");
    await expect.poll(() => published("index.html")).toBe("anew");
  });

  test("[AG42, AG45] a run whose doings bring its services down waits for the ladder, and its command goes on", async () => {
    const die = "until curl -s $WEB_URL; do sleep 0.1; done; curl -s $WEB_URL/die";
    const run = await submit(script(shell(`${die}; ${die}; until curl -s $WEB_URL; do sleep 0.1; done`)));
    await inState(run, "done");
    const { events } = await rig.call("run.log", { run, limit: 1000 });
    const moves = events.filter(({ type }) => type === "run.moved").map((event) => event["to"]);
    expect(moves.slice(0, 4)).toEqual(["starting", "running", "parked", "running"]);
    await expect.poll(look).toMatchObject({ state: "running", rung: "recreate" });
  });

  test("[AG46] an agent that is stopped by force ends its run, and the work is saved", async () => {
    const run = await submit(script(page("lost?"), "- ask: go on?"));
    await inState(run, "awaiting-input");
    await rig.call("agent.stop", { agent: agent.id, force: true });
    expect(await rig.settled(agent)).toMatchObject({ state: "stopped", run: null });
    expect(await get(run)).toMatchObject({ state: "terminated" });
    const { items } = await rig.call("trash.list", {});
    expect(items.find((item) => item.run === run)).toMatchObject({ path: "index.html" });
    await expect(submit(script(page("x")))).rejects.toThrow(/stopped/);
  });

  test("[AG52] a run that names none is put into it by a policy, and finds there what earlier ones have built", async () => {
    await rig.call("agent.start", { agent: agent.id });
    await rig.settled(agent);
    await rig.call("policy.set", { name: "again", scope: { project: "shop" }, rules: { reuse: ["shop-*"] } });
    const work = (line: string): Promise<string> => submit(script(shell(line)), { agent: undefined });
    await inState(await work("echo ready > built"), "done");
    // It is free when nothing of the run before is left.
    await expect.poll(look).toMatchObject({ run: null });
    const next = await inState(await work("grep ready built"), "done");
    expect(next).toMatchObject({ agent: agent.name, reuse: "again" });
    await rig.call("policy.remove", { name: "again" });
    const alone = await inState(await work("test ! -e built"), "done");
    expect(alone).toMatchObject({ agent: null, reuse: null });
  });

  test("[AG44, LD17] what earlier ones have built gives way where the project tracks it by now, and is set aside", async () => {
    const work = (line: string, more?: object): Promise<string> => submit(script(shell(line)), more);
    await inState(await work("echo own > built"), "done");
    const track = script(
      '- write: { path: .gitignore, content: "none\\n" }',
      "- write: { path: built, content: ours }",
    );
    await inState(await submit(track, { agent: undefined }), "done");
    await expect.poll(look).toMatchObject({ run: null });
    const next = await work('test "$(cat built)" = ours');
    await inState(next, "done");
    const { items } = await rig.call("trash.list", {});
    expect(items.filter(({ path }) => path === "built").map(({ run }) => run)).toEqual([next]);
  });
});
