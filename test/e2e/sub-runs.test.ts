// An assistant that lets another one work: in the same cage, under the same leases, and within limits.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { readlinkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listProcesses } from "../../src/node/supervisor/process-identity.ts";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry } from "../support/assistants.ts";
import { processesWith } from "../support/processes-with.ts";

const runners = ["claude", "codex"] as const;

/** In the command line of what a sub-run has started. */
const busy = `busy-${process.pid}`;

const scenario = `
conversations:
  - name: parent
    match: { marker: "(parent)" }
    turns:
      - { call: { tool: write_file, with: { path: parent.txt, content: "mine\\n" } } }
      - expect: { toolResult: wrote }
        call: { tool: start_subrun, with: { title: Help me, task: "(child)", runner: codex } }
      - { expect: { toolResult: "wait_run waits for it" }, say: Now it works., hold: child }
      - { say: It is there. }
  - name: child
    match: { marker: "(child)" }
    turns:
      - { call: { tool: edit_file, with: { path: parent.txt, find: mine, replace: ours } } }
      - expect: { toolResult: edited }
        call: { tool: start_subrun, with: { title: Too deep, task: deeper, runner: claude } }
      - { expect: { toolResult: maxDepth }, say: I did it. }
  - name: stopped
    match: { marker: "(stopped)" }
    turns:
      - { call: { tool: start_subrun, with: { title: Help me, task: "(busy)", runner: codex } } }
      - { expect: { toolResult: "wait_run waits for it" }, say: Now it works., hold: never }
  - name: busy
    match: { marker: "(busy)" }
    turns:
      - { call: { tool: run_command, with: { command: "(trap '' TERM; while :; do sleep 1; done) & wait # ${busy}" } } }
  - name: beneath
    match: { marker: "(beneath)" }
    turns:
      - { call: { tool: write_file, with: { path: beneath.txt, content: "by a sub-run\\n" } } }
      - { expect: { toolResult: wrote }, say: It is there. }
`;

describe.skipIf(!runners.every(canTry))("an assistant and its sub-run", () => {
  let rig: AssistantRig;

  beforeAll(async () => {
    rig = await AssistantRig.open(scenario, { "a.txt": "a\n" });
    await rig.client.call("policy.set", { name: "shallow", rules: { maxDepth: 1 } });
  });
  afterAll(() => rig?.close());

  test("[RN19] [SC21] another assistant edits what its parent holds, is counted for itself and the tree, and goes no deeper", async () => {
    const run = await rig.submit("claude", "Parent", "(parent)");
    await rig.model.until(() => rig.model.begun.includes("child 0"));
    const { runs } = await rig.client.call("run.list", { tree: run });
    expect(runs.map(({ parent, sub, runner }) => ({ parent, sub, runner }))).toEqual([
      { parent: run, sub: true, runner: "codex" },
      { parent: null, sub: false, runner: "claude" },
    ]);
    const child = runs[0]?.id ?? "";
    await rig.inState(child, "done");
    rig.model.release("child");
    await rig.inState(run, "done");
    expect(rig.model.problems).toEqual([]);
    const { lines } = await rig.client.call("project.blame", { project: rig.project, path: "parent.txt" });
    expect(lines).toMatchObject([{ text: "ours" }]);
    const [parent, own] = await Promise.all([run, child].map((each) => rig.client.call("run.get", { run: each })));
    expect(own?.run.spend.requests).toBeGreaterThan(2);
    expect(parent?.run.treeSpend.requests).toBe((parent?.run.spend.requests ?? 0) + (own?.run.spend.requests ?? 0));
    expect((await rig.heard(child)).at(-1)).toMatchObject({ is: "turn", ok: true, text: "I did it." });
  });

  test("[RN10] stopping a run ends its sub-run, the programs of both, and what those started, also what will not end", async () => {
    const run = await rig.submit("claude", "Stopped", "(stopped)");
    await expect.poll(() => processesWith(busy).length, { timeout: 60_000 }).toBeGreaterThan(0);
    const cage = namespaceOf(processesWith(busy)[0] ?? 0);
    const [child] = (await rig.client.call("run.list", { tree: run })).runs;
    await rig.client.call("run.stop", { run });
    for (const each of [run, child?.id ?? ""]) await rig.inState(each, "terminated");
    const left = (): number[] => listProcesses().flatMap(({ pid }) => (namespaceOf(pid) === cage ? [pid] : []));
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  });

  test("[RN19] one works as the sub-run of a run that a person drives, and only where the profile lets it", async () => {
    const { project, client } = rig;
    const { run, door } = await client.call("run.submit", { project, title: "by hand", runner: "mcp" });
    if (door === null) throw new Error("the run has a door");
    const wish = { project, title: "help", description: "(beneath)", runner: "claude", parent: run, sub: true };
    const { run: sub } = await client.call("run.submit", wish);
    await rig.inState(sub, "done");
    expect((await client.call("run.get", { run })).run.treeSpend.requests).toBeGreaterThan(1);
    const model = await connectTo(door);
    await model.callTool({ name: "finish", arguments: { message: "done" } });
    await model.close();
    await rig.inState(run, "done");
    const { lines } = await client.call("project.blame", { project, path: "beneath.txt" });
    expect([lines.map(({ text }) => text), rig.model.problems]).toEqual([["by a sub-run"], []]);

    await client.call("profile.set", { name: "alone", settings: { runner: "mcp", deniedTools: ["start_subrun"] } });
    const { run: alone } = await client.call("run.submit", { project, title: "by hand", profile: "alone" });
    await expect(client.call("run.submit", { ...wish, parent: alone })).rejects.toThrow("start a separate run");
    await client.call("run.stop", { run: alone });
  });
});

/** The namespace of processes that a process is in; empty where it is not there any more. */
function namespaceOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return "";
  }
}

async function connectTo(door: { readonly url: string; readonly token: string }): Promise<Client> {
  const client = new Client({ name: "somebody", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${door.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(door.url), { requestInit }));
  return client;
}
