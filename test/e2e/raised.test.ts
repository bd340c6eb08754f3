// A run that its profile's limit keeps from its model is given more by a person, and goes on where it stood.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AssistantRig } from "../support/assistant-rig.ts";
import { builtProgram } from "../support/built-program.ts";
import { noCages } from "../support/keeper-rig.ts";

const scenario = `
conversations:
  - name: held
    match: { marker: "(held)" }
    repeat: true
    turns: [ { say: Go on. } ]
`;

/**
 * An agent of the Agent Client Protocol that asks its model twice, writes a file after each answer, and asks again for as long as it is
 * turned away, as programs do that wait for their model.
 */
const agent = `
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
const [relay, token] = process.argv.slice(2);
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const ask = async (content) => {
  const headers = { "x-api-key": token, "content-type": "application/json" };
  const tools = [{ name: "write", input_schema: { type: "object" } }];
  const body = JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 1000, messages: [{ role: "user", content }], tools });
  for (;;) {
    const answer = await fetch(relay + "/v1/messages", { method: "POST", headers, body });
    await answer.text();
    if (answer.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === "session/new") say({ id, result: { sessionId: "s1" } });
  else if (method === "session/prompt") {
    for (const name of ["half", "whole"]) {
      await ask(name + " of: " + params.prompt.map(({ text }) => text).join(""));
      writeFileSync(process.env.WORK + "/" + process.env.HELD_BY + "-" + name + ".txt", name + "\\n");
    }
    say({ id, result: { stopReason: "end_turn" } });
  }
});
`;

describe.skipIf(noCages)("a run that its profile's limit keeps from its model", () => {
  let rig: AssistantRig;

  beforeAll(async () => {
    rig = await AssistantRig.open(scenario, { "a.txt": "a\n" });
    await rig.client.call("secret.set", { name: "OWN_KEY", value: "own-canary-2b7c" });
    await rig.client.call("runner.set", {
      ...{ name: "asker", command: ["node", "{home}/agent.mjs", "{relay}", "{token}"], format: "anthropic" },
      ...{ credential: "OWN_KEY", baseUrl: rig.model.url, files: [{ path: "agent.mjs", text: agent }] },
      env: { WORK: rig.sample.root },
    });
  });

  afterAll(() => rig?.close());

  const raise = async (...words: readonly string[]): Promise<string> => {
    const env = { ...process.env, SIGNALBOX_HOME: rig.daemon.home, NO_COLOR: "1" };
    const { stderr } = await promisify(execFile)(process.execPath, [builtProgram("cli"), "raise", ...words], { env });
    return stderr;
  };

  test.each([
    ["turns", { maxTurns: 1 }, "maxTurns goes from 1 turn to 2 turns"],
    ["cost", { maxCostMicros: 1 }, "maxCostMicros goes from $0.000001 to $5.00"],
  ])(
    "[PF21] is raised by its %s with one command, and finishes in the conversation that it had",
    async (name, limit, told) => {
      const { client, project } = rig;
      await client.call("profile.set", { name, settings: { runner: "acp:asker", env: { HELD_BY: name }, ...limit } });
      const run = await rig.submit("acp:asker", `Held by its ${name}`, "(held)", name);
      for await (const _ of client.events({ after: 0, run, types: ["model.refused"] })) break;
      const { items } = await client.call("inbox", { kind: "budget" });
      expect(items).toMatchObject([{ run, command: `signalbox raise ${run}` }]);
      expect(await raise(run, ...(name === "cost" ? ["--to", "5"] : []))).toContain(told);
      await rig.inState(run, "done");
      const { events } = await client.call("run.log", { run, limit: 1000 });
      expect(events.filter(({ type }) => type === "run.raised")).toMatchObject([
        { actor: expect.stringMatching(/^person:/) as string, run },
      ]);
      expect(events.some(({ type }) => type === "run.delayed" || type === "run.handed")).toBe(false);
      expect((await client.call("inbox", { kind: "budget" })).items).toEqual([]);
      for (const file of ["half", "whole"]) {
        const { lines } = await client.call("project.blame", { project, path: `${name}-${file}.txt` });
        expect(lines).toMatchObject([{ text: file, run }]);
      }
      expect((await client.call("profile.get", { name })).profile.settings).toMatchObject(limit);
      expect(rig.model.problems).toEqual([]);
    },
  );
});
