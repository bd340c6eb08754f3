// An assistant that lets another one work: in the same cage, under the same leases, and within limits.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { readFileSync, readlinkSync } from "node:fs";
import { constants } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAlive, listProcesses } from "../../src/node/supervisor/process-identity.ts";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry } from "../support/assistants.ts";
import { shellsWith } from "../support/halted.ts";
import { processesWith } from "../support/processes-with.ts";

const runners = ["claude", "codex"] as const;

/** In the command line of what a sub-run has started. */
const busy = `busy-${process.pid}`;

/** In the command lines of what is there for as long as nobody ends it: the command itself, and what it left behind. */
const deafIn = (who: string): string => `deaf-${who}-${process.pid}`;
const leftBy = (who: string): string => `left-${who}-${process.pid}`;

/** Runs a command that takes no notice of being asked to go, and has started another that nobody is the parent of. */
const atWork = (who: string): string => {
  const left = `(setsid sh -c 'while :; do sleep 1; done # ${leftBy(who)}' &)`;
  const command = `trap '' TERM INT HUP; ${left}; while :; do sleep 1; done # ${deafIn(who)}`;
  return `
  - name: ${who} at work
    match: { marker: "(${who} at work)" }
    turns: [ { call: { tool: run_command, with: { command: "${command}" } } } ]
`;
};

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
  - name: tree
    match: { marker: "(tree)" }
    turns:
      # First: a door does one call at a time, and the subagent's does not end.
      - { call: { tool: start_subrun, with: { title: Help me, task: "(child at work)", runner: codex } } }
      - expect: { toolResult: "wait_run waits for it" }
        call: { tool: Agent, with: { description: part, prompt: "(subagent at work)", subagent_type: general-purpose } }
      - { say: I wait., hold: never }
${["child", "subagent"].map(atWork).join("")}
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

  test("[RN10] [EN29] stopping a run with a subagent and a sub-run at work leaves nothing of either, once it says that it is stopped", async () => {
    const run = await rig.submit("claude", "Tree", "(tree)");
    const marks = ["child", "subagent"].flatMap((who) => [deafIn(who), leftBy(who)]);
    const found = (): readonly number[] => marks.map((mark) => shellsWith(mark).filter(isDeaf).length);
    // The one has the name of what it left behind in its own command, too.
    await expect.poll(found, { timeout: 60_000 }).toEqual([1, 2, 1, 2]);
    const cage = namespaceOf(shellsWith(marks[0] ?? "")[0] ?? 0);
    const inside = listProcesses().filter(({ pid }) => namespaceOf(pid) === cage);
    // The programs of both, their commands, and what those left behind.
    const isIn = (pid: number): boolean => inside.some((each) => each.pid === pid);
    expect(marks.flatMap(shellsWith).filter((pid) => !isIn(pid))).toEqual([]);
    const commandLines = inside.map(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, "utf8")).join("\n");
    for (const runner of runners) expect(commandLines).toContain(runner);
    const [child] = (await rig.client.call("run.list", { tree: run })).runs;
    const whenStopped = async (each: string): Promise<void> => {
      await rig.inState(each, "terminated");
      const types = async (): Promise<readonly string[]> =>
        (await rig.client.call("run.log", { run: each, limit: 1000 })).events.map(({ type }) => type);
      await expect.poll(types, { timeout: 60_000 }).toContain("run.stopped");
    };
    await rig.client.call("run.stop", { run });
    await whenStopped(run);
    // By then, not some time later.
    expect([inside.filter(isAlive), marks.flatMap(shellsWith)]).toEqual([[], []]);
    await whenStopped(child?.id ?? "");
    expect(rig.model.problems).toEqual([]);
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

/** Whether a process has shut its ears to being asked to go. */
function isDeaf(pid: number): boolean {
  try {
    const ignored = /^SigIgn:\t([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
    return (BigInt(`0x${ignored}`) >> BigInt(constants.signals.SIGTERM - 1)) % 2n === 1n;
  } catch {
    return false;
  }
}

async function connectTo(door: { readonly url: string; readonly token: string }): Promise<Client> {
  const client = new Client({ name: "somebody", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${door.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(door.url), { requestInit }));
  return client;
}
