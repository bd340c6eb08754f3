// A living agent whose files are brought to mainline's newest commit, while a service of it runs on them.

import { beforeAll, describe, expect, test } from "vitest";
import type { AgentView } from "../../src/protocol/wire/agent.ts";
import { AgentRig } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

const template = `
template: shop
services:
  web: { command: 'cat app.js; exec sleep 1000', watch: [app.js] }
  other: { command: sleep 1000 }
`;

describe.skipIf(noCages)("agent.refresh", () => {
  const rig = AgentRig.forAll({ "app.js": "old", "page.html": "old", "gone.txt": "old" });
  let agent: AgentView;

  beforeAll(async () => {
    agent = await rig.up(template);
  });

  const lives = async (): Promise<readonly number[]> => (await rig.get(agent)).services.map(({ life }) => life);

  test("[AG82] brings what was committed since, leaves what was changed in it, and services notice", async () => {
    await rig.exec(agent, "echo mine > page.html; echo data > scratch.txt");
    rig.sample.write({ "app.js": "new", "page.html": "new", "added/b.txt": "new" });
    rig.sample.git("rm", "--quiet", "gone.txt");
    const commit = rig.sample.commit("the next");
    const before = await lives();
    const answer = await rig.call("agent.refresh", { agent: agent.id });
    expect(answer).toMatchObject({ commit, movedCount: 3, kept: ["page.html", "scratch.txt"], keptCount: 2 });
    expect(answer.moved).toEqual(["added/b.txt", "app.js", "gone.txt"]);
    expect(await rig.exec(agent, "cat app.js added/b.txt; ls gone.txt 2>&1 || cat page.html scratch.txt")).toMatch(
      /^newnew.*gone\.txt.*\nmine\ndata\n$/s,
    );
    // The one that watches has begun anew with what is there now, and nobody else has.
    const [web = 0, other = 0] = before;
    await expect.poll(lives).toEqual([web + 1, other]);
    await expect.poll(() => rig.said(agent, "web")).toBe("new");
    const { events } = await rig.call("events.read", { after: 0, limit: 1000, types: ["agent.refreshed"] });
    expect(events).toMatchObject([{ agent: agent.id, commit, count: 3 }]);
    const again = await rig.call("agent.refresh", { agent: agent.id });
    expect(again).toMatchObject({ from: commit, commit, movedCount: 0 });
  });

  test("[AG82] is refused while a run is in the agent, and where it is stopped", async () => {
    const script = "task: ask\nsteps:\n  - ask: go on?\n";
    const asked = await rig.call("run.submit", { project: "shop", script, agent: agent.name });
    await rig.client.waitForRun(asked.run, { states: ["awaiting-input"] });
    const refused = await rig.call("agent.refresh", { agent: agent.id }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "in-use", data: { by: asked.run } });
    await rig.call("run.stop", { run: asked.run });
    await rig.call("agent.stop", { agent: agent.id, force: true });
    await rig.settled(agent);
    const down = await rig.call("agent.refresh", { agent: agent.id }).catch((error: unknown) => error);
    expect(down).toMatchObject({ code: "agent-down" });
  });
});
