// What an agent keeps when its place is made anew, and when it is put away and brought back.

import { describe, expect, test } from "vitest";
import { AgentRig, serviceOf } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";
import { ViewerRig } from "../support/viewer-rig.ts";

const stack = `
template: kept
recovery: { rungs: [respawn], tries: 1, delay: 0ms }
external:
  db: { command: 'echo "a line" >> ~/data; wc -l < ~/data; echo ready; exec sleep 1000', health: { log: ready } }
services:
  web:
    command: 'if [ -e .git/mended ]; then echo up; exec sleep 1000; fi; touch .git/mended; sleep 0.5; exit 1'
    restart: { policy: on-failure, limit: 1, delay: 0ms }
    health: { log: up }
`;

describe.skipIf(noCages)("what agents keep", () => {
  const rig = AgentRig.forAll({ "a.txt": "hello\n" });

  test("[SV50, AG22, AG91] an external service comes back with its data where the place is made anew around the application", async () => {
    // Its only restart and its only rung are used up by one that begins badly twice, and not in the same way (AG90).
    const template = stack.replace(
      "touch .git/mended; sleep 0.5; exit 1",
      "echo x >> .git/tries; [ -e .git/more ] || echo more >> a.txt; touch .git/more; [ $(wc -l < .git/tries) = 2 ] && touch .git/mended; exit $(wc -l < .git/tries)",
    );
    const agent = await rig.up(template);
    expect(agent).toMatchObject({ life: 2, rung: "respawn" });
    expect(agent.services).toMatchObject([
      { name: "db", kind: "external", state: "up", healthy: true, life: 2 },
      { name: "web", state: "up", healthy: true },
    ]);
    expect(await rig.said(agent, "db")).toBe("2\nready\n");
    // What was changed in its files was kept before, and is where it was (AG91).
    const { items } = await rig.call("trash.list", {});
    const own = items.filter(({ agent: name }) => name === agent.name);
    expect(own.map(({ path, why }) => [path, why])).toEqual([["a.txt", "its agent's place was made anew"]]);
    expect(await rig.exec(agent, "cat a.txt")).toBe("hello\nmore\n");
    // The applications alone leave it up.
    await rig.call("agent.restart", { agent: agent.id, applications: true });
    expect(serviceOf(await rig.running(agent), "db")).toMatchObject({ state: "up", life: 2 });
    await rig.call("agent.remove", { agent: agent.id, force: true, discard: true });
    expect(await rig.settled(agent)).toBeNull();
  });

  test("[AW9, TM23] recordings of an agent that is put away and brought back are there all the time", async () => {
    const agent = await rig.up(stack.replace("limit: 1", "limit: 5"));
    const { terminal } = await rig.call("terminal.open", { agent: agent.id });
    const ann = new ViewerRig(rig.daemon.home, { terminal, size: { cols: 80, rows: 24 } });
    await ann.until(() => ann.hasKeyboard);
    ann.type("echo kept $((40 + 2))\r");
    await ann.sees("kept 42");
    await rig.call("agent.archive", { agent: agent.id });
    expect(await rig.settled(agent)).toMatchObject({ state: "stopped", archived: true });
    expect(await ann.line.done).toMatchObject({ why: "stopped" });
    const isFound = async (): Promise<void> => {
      const { terminals } = await rig.call("terminal.list", { agent: agent.id, all: true });
      expect(terminals).toMatchObject([{ id: terminal, removedAtMs: null, ended: { why: "stopped" } }]);
      const { matches } = await rig.call("terminal.search", { text: "kept 42", agent: agent.name });
      expect(matches).toMatchObject([{ terminal, line: "kept 42" }]);
      const { events } = await rig.call("terminal.recording", { terminal });
      expect(events.length).toBeGreaterThan(0);
    };
    await isFound();
    await rig.call("maintain", {});
    await rig.call("agent.restore", { agent: agent.id });
    expect(await rig.settled(agent)).toMatchObject({ state: "running", archived: false });
    expect(await rig.said(agent, "db")).toContain("ready");
    await isFound();
    const { terminal: next } = await rig.call("terminal.open", { agent: agent.id });
    const again = new ViewerRig(rig.daemon.home, { terminal: next, size: { cols: 80, rows: 24 } });
    await again.until(() => again.hasKeyboard);
    again.type("echo again $((40 + 2))\r");
    await again.sees("again 42");
    again.line.leave();
    expect((await rig.call("audit", {})).findings).toEqual([]);
  });
});
