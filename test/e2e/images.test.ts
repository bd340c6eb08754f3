// Agents in an image, from the command to the landing, with a real daemon and a podman that has images of its own.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry } from "../support/assistants.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents, settledAgent } from "../support/living-agents.ts";
import { noPodman, Podman } from "../support/podman.ts";

const name = "localhost/box:1";
const assistants = ["claude", "codex", "gemini"];
const look = "cat /opt/of-the-image; echo $OF; ls /usr/bin/node /usr/bin/setpriv";

const scenario = `
conversations:
  - name: router
    match: { model: gemini-3.5-flash-lite }
    repeat: true
    turns: [ { say: '{"reasoning":"it is small","model_choice":"pro"}' } ]
${assistants.map(conversationOf).join("")}`;

function conversationOf(runner: string): string {
  return `
  - name: ${runner} look
    match: { marker: "(${runner} look)" }
    turns:
      - { call: { tool: run_command, with: { command: "${look}; echo made > ${runner}.txt" } } }
      - { expect: { toolResult: of-the-box }, say: I looked. }
`;
}

describe.skipIf(noPodman || noCages)("an agent in an image", () => {
  let podman: Podman;
  let rig: AssistantRig;

  beforeAll(async () => {
    podman = new Podman();
    podman.make(name, ["ENV OF=of-the-box"], ["sh", "cat", "ls"]);
    rig = await AssistantRig.open(scenario, { "a.txt": "a\n" }, podman.own);
    await rig.client.call("project.change", { project: rig.project, image: { name } });
  });
  afterAll(async () => {
    await rig?.close();
    podman?.end();
  });

  const landed = async (path: string): Promise<string[]> =>
    (await rig.client.call("project.blame", { project: rig.project, path })).lines.map(({ text }) => text);
  const logOf = async (run: string): Promise<string> =>
    JSON.stringify((await rig.client.call("run.log", { run, limit: 1000 })).events);

  test("[IM2] is also a command that is a whole run", async () => {
    const about = { project: rig.project, title: "Look", runner: "command", command: ["sh", "-c", look] };
    const { run } = await rig.client.call("run.submit", about);
    await rig.inState(run, "failed");
    expect(await logOf(run)).toMatch(/of-the-box.*\/usr\/bin\/setpriv.*No such file/);
  });

  test("[AW5] is also a living one, by its template", async () => {
    const template = `{ template: boxed, image: "${name}", services: { look: { command: "${look}", restart: never } } }`;
    const { agent } = await rig.client.call("agent.create", { project: rig.project, template });
    expect(agent).toMatchObject({ image: { name } });
    const { id } = agent;
    expect((await settledAgent(rig.client, id))?.services[0]?.end?.said).toMatch(/of-the-box[^]*setpriv.*No such file/);
    await removeAgents(rig.client);
  });

  test.skipIf(!assistants.every(canTry))(
    "[IM2] is a real assistant, and the image has nothing for it but a shell",
    async () => {
      const runs = await Promise.all(assistants.map((runner) => rig.submit(runner, "Look around", `(${runner} look)`)));
      await Promise.all(runs.map((run) => rig.inState(run, "done")));
      expect(rig.model.problems).toEqual([]);
      for (const [at, runner] of assistants.entries()) {
        expect(await landed(`${runner}.txt`)).toEqual(["made"]);
        expect(await logOf(runs[at] ?? "")).toMatch(/\/usr\/bin\/setpriv.*No such file/);
      }
    },
  );

  test("[IM3] has it also after the daemon was killed, and what is in use is not taken away", async () => {
    const { project } = rig;
    const [first, last] = [{ run: "cat /opt/of-the-image > seen.txt" }, { run: "cat /opt/of-the-image >> seen.txt" }];
    const script = JSON.stringify({ task: "look", steps: [first, { ask: "go on?" }, last] });
    const { run } = await rig.client.call("run.submit", { project, script });
    await rig.inState(run, "awaiting-input");
    podman.run("rmi", name);
    await rig.restart();
    expect((await rig.client.call("image.list", {})).images).toMatchObject([{ name, inUse: true }]);
    expect((await rig.client.call("image.prune", {})).images).toEqual([]);
    await rig.client.call("run.answer", { run, text: "yes" });
    await rig.inState(run, "done");
    expect(await landed("seen.txt")).toEqual(["yes", "yes"]);
  });
});
