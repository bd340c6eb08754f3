// A real agent of the Agent Client Protocol that a person has defined, and one of ours by its other name.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry } from "../support/assistants.ts";

const work = (runner: string): string => `
  - name: ${runner}
    match: { marker: "(${runner} work)" }
    turns:
      - { call: { tool: write_file, with: { path: ${runner}.txt, content: "moin\\n" } } }
      - { expect: { toolResult: wrote }, say: Done. }
`;

const scenario = `
conversations:
  - name: router
    match: { model: gemini-3.5-flash-lite }
    repeat: true
    turns: [ { say: '{"reasoning":"it is small","model_choice":"pro"}' } ]
${work("own")}${work("ours")}`;

const settings = {
  security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
  tools: { core: ["mcp_*"] },
};

describe.skipIf(!canTry("gemini"))("agents of the protocol", () => {
  const ownKey = "own-canary-77f1";
  let rig: AssistantRig;

  beforeAll(async () => {
    rig = await AssistantRig.open(scenario, { "a.txt": "a\n" });
  });

  afterAll(() => rig?.close());

  test("[PF10][PF11] one of a person's own is paid by its own credential; ours go by two names", async () => {
    await rig.client.call("secret.set", { name: "OWN_KEY", value: ownKey });
    await rig.client.call("runner.set", {
      ...{
        name: "mine",
        command: ["gemini", "--acp"],
        format: "gemini",
        credential: "OWN_KEY",
        baseUrl: rig.model.url,
      },
      env: { GEMINI_CLI_NO_RELAUNCH: "true", NO_BROWSER: "true" },
      files: [{ path: ".gemini/settings.json", text: JSON.stringify(settings) }],
    });
    const { runners } = await rig.client.call("runner.list", {});
    expect(runners.find(({ name }) => name === "acp:mine")).toMatchObject({
      ...{ missing: null, warning: null, provider: "gemini" },
      credential: { name: "OWN_KEY", from: "store" },
    });
    const own = await rig.submit("acp:mine", "Word of its own", "(own work)");
    const ours = await rig.submit("acp:gemini", "Word of ours", "(ours work)");
    await Promise.all([own, ours].map((run) => rig.inState(run, "done")));
    expect(rig.model.problems).toEqual([]);
    const runnerOf = async (run: string): Promise<string> => (await rig.client.call("run.get", { run })).run.runner;
    expect([await runnerOf(own), await runnerOf(ours)]).toEqual(["acp:mine", "gemini"]);
    const keysFor = (marker: string): Set<unknown> =>
      new Set(
        rig.model.received.flatMap(({ body, headers }) => (body.includes(marker) ? [headers["x-goog-api-key"]] : [])),
      );
    expect(keysFor("(own work)")).toEqual(new Set([ownKey]));
    expect(keysFor("(ours work)")).toEqual(new Set([rig.key]));
  });

  test("[PF11] a policy about one name holds for the other, and nobody takes the name of ours", async () => {
    const rules = { deniedRunners: ["acp:gemini"] };
    await rig.client.call("policy.set", { name: "none", rules });
    const submitted = rig.submit("gemini", "Denied", "(denied)");
    await expect(submitted).rejects.toMatchObject({ code: "policy-denied" });
    await rig.client.call("policy.remove", { name: "none" });
    const taken = rig.client.call("runner.set", { name: "gemini", command: ["x"], format: "gemini" });
    await expect(taken).rejects.toMatchObject({ code: "already-there" });
  });
});
