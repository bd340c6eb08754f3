// What happens to a run when its model's maker refuses, with the real assistants.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AssistantRig } from "../support/assistant-rig.ts";
import type { Stats } from "../../src/protocol/wire/stats.ts";
import { canTry } from "../support/assistants.ts";

/** It begins, is kept waiting until the test says otherwise, and is in order after that. */
const waits = (runner: string): string => `
  - name: ${runner} waits
    match: { marker: "(${runner} waits)" }
    turns:
      - { say: I begin., call: { tool: write_file, with: { path: ${runner}.txt, content: "moin\\n" } } }
      - { error: { status: 429, type: rate_limit_error, message: slow down, retryAfter: 1, until: ${runner} limit } }
      - { say: I am done. }
`;

const scenario = `
conversations:
${waits("claude")}
${waits("codex")}
  - name: handed
    match: { marker: "(handed)", model: claude }
    turns:
      - { say: Half of it is there., call: { tool: write_file, with: { path: half.txt, content: "half\\n" } } }
      - { error: { status: 401, type: authentication_error, message: no such key, until: never } }
  - name: taken over
    match: { marker: "(handed)" }
    turns:
      - { say: I go on., call: { tool: read_file, with: { path: half.txt } } }
      - { expect: { toolResult: half }, call: { tool: write_file, with: { path: whole.txt, content: "whole\\n" } } }
      - { say: It is whole. }
  - name: claude continued
    match: { marker: "(claude continued)" }
    turns:
      - { call: { tool: write_file, with: { path: c.txt, content: "one\\n" } } }
      - { say: The word is one. }
      - { expect: { said: "and two" }, call: { tool: write_file, with: { path: c.txt, content: "two\\n" } } }
      - { say: The word is two. }
  - name: codex continued
    match: { marker: "(codex continued)" }
    turns:
      - { say: The word is one. }
      - { expect: { said: "and two" }, say: The word is two. }
  - name: claude reviewed
    match: { marker: "(claude reviewed)" }
    turns:
      - { call: { tool: write_file, with: { path: shared.txt, content: "from claude\\n" } } }
      - { expect: { toolResult: wrote }, call: { tool: ask_user, with: { question: "Is that all?" } } }
      - { say: The first line is there. }
  - name: codex reviewed
    match: { marker: "(codex reviewed)" }
    turns:
      - { call: { tool: edit_file, with: { path: shared.txt, find: "claude\\n", replace: "claude\\nand codex\\n" } } }
      # Where it had to wait so long that its program was let go, it does it now.
      - { call: { tool: write_file, with: { path: shared.txt, content: "from claude\\nand codex\\n" } } }
      - { expect: { toolResult: wrote }, say: The second line is there. }
  - name: retried
    match: { marker: "(retried)" }
    turns:
      - { error: { status: 500, type: api_error, message: oops } }
      - { say: This is cut off in the middle., cut: 4 }
      - { call: { tool: write_file, with: { path: retried.txt, content: "once\\n" } } }
      - { say: This is cut off too., cut: 4 }
      - { say: It is written. }
  - name: down
    match: { marker: "(down)" }
    turns: [ { error: { status: 529, type: overloaded_error, message: too many, until: never } } ]
`;

describe.skipIf(!canTry("claude") || !canTry("codex"))("a model's maker that refuses", () => {
  let rig: AssistantRig;

  beforeAll(async () => {
    rig = await AssistantRig.open(scenario, { "a.txt": "a\n" });
    const settings = { runner: "claude", fallbacks: ["codex"] };
    await rig.client.call("profile.set", { name: "two", settings });
  });

  afterAll(() => rig?.close());

  const eventsOf = async (run: string, type: string): Promise<readonly Record<string, unknown>[]> => {
    const { events } = await rig.client.call("run.log", { run, limit: 1000 });
    return events.filter((event) => event.type === type);
  };

  test("[RN32] keeps a run waiting, which costs nothing, is seen, and goes on in its conversation", async () => {
    await Promise.all(
      ["claude", "codex"].map(async (runner) => {
        const run = await rig.submit(runner, `${runner} waits`, `(${runner} waits)`);
        await rig.inState(run, "parked");
        rig.model.release(`${runner} limit`);
        await rig.inState(run, "done");
        const [delayed] = await eventsOf(run, "run.delayed");
        expect(delayed).toMatchObject({ failure: "rate-limit", attempt: 1, policy: "built-in" });
        const sessions = (await rig.heard(run)).flatMap((item) => (item.is === "session" ? [item.session] : []));
        expect(new Set(sessions).size).toBe(1);
        const { lines } = await rig.client.call("project.blame", { project: rig.project, path: `${runner}.txt` });
        expect(lines).toMatchObject([{ text: "moin", run }]);
      }),
    );
    expect(rig.model.problems).toEqual([]);
  });

  test("[RN33] has another one take over in the same workspace, told what had been done", async () => {
    const { project } = rig;
    const about = { project, title: "handed", description: "(handed)", profile: "two" };
    const { run } = await rig.client.call("run.submit", about);
    await rig.inState(run, "done");
    expect(await eventsOf(run, "run.handed")).toMatchObject([{ from: "claude", to: "codex", failure: "auth" }]);
    const told = rig.model.received.find(({ body }) => body.includes("worked on this before you"))?.body ?? "";
    expect(["half.txt", "Half of it is there."].filter((each) => !told.includes(each))).toEqual([]);
    expect((await rig.client.call("run.get", { run })).run).toMatchObject({
      runner: "codex",
      handed: { from: "claude" },
    });
    for (const path of ["half.txt", "whole.txt"])
      expect((await rig.client.call("project.blame", { project, path })).lines).toMatchObject([{ run }]);
  });

  test("[PF14] what Codex asks again by itself, after an error or where an answer broke off, is no turn of its run", async () => {
    await rig.client.call("profile.set", { name: "two-turns", settings: { runner: "codex", maxTurns: 2 } });
    const run = await rig.submit("codex", "retried", "(retried)", "two-turns");
    await rig.inState(run, "done");
    const asked = await eventsOf(run, "model.answered");
    expect(asked.map(({ extent }) => extent)).toEqual(["none", "partial", "whole", "partial", "whole"]);
    expect(rig.model.problems).toEqual([]);
  });

  test("[RN16] a run that is done is continued in its conversation, in the workspace that it left, and is told", async () => {
    await Promise.all(
      ["claude", "codex"].map(async (runner) => {
        const run = await rig.submit(runner, `${runner} continued`, `(${runner} continued)`);
        await rig.inState(run, "done");
        await rig.client.call("run.continue", { run, message: "and two" });
        await rig.model.until(() => rig.model.begun.includes(`${runner} continued ${runner === "claude" ? 3 : 1}`));
        await rig.inState(run, "done");
        const heard = await rig.heard(run);
        expect(heard.at(-1)).toMatchObject({ is: "turn", ok: true, text: "The word is two." });
        expect(new Set(heard.flatMap((item) => (item.is === "session" ? [item.session] : []))).size).toBe(1);
        expect(await eventsOf(run, "run.placed")).toMatchObject([{ run }]);
        const isTold = ({ body }: { readonly body: string }): boolean =>
          body.includes(`(${runner} continued)`) && body.includes("This is the workspace as it was left");
        expect(rig.model.received.some(isTold)).toBe(true);
      }),
    );
    expect(rig.model.problems).toEqual([]);
    const { lines } = await rig.client.call("project.blame", { project: rig.project, path: "c.txt" });
    expect(lines).toMatchObject([{ text: "two" }]);
  });

  test("two of different makers on one file: one waits, gets it when the other's work was reviewed and has landed, and lands too", async () => {
    const { client, project } = rig;
    await client.call("policy.set", { name: "look", rules: { approvalRequired: true } });
    const first = await rig.submit("claude", "First line", "(claude reviewed)");
    await rig.inState(first, "awaiting-input");
    const second = await rig.submit("codex", "Second line", "(codex reviewed)");
    const waits = async (): Promise<readonly string[]> => (await client.call("run.get", { run: second })).run.behind;
    await expect.poll(waits, { timeout: 60_000 }).toEqual([first]);
    await client.call("run.answer", { run: first, text: "yes" });
    await rig.inState(first, "review");
    expect(await waits()).toEqual([first]);
    await client.call("run.approve", { run: first });
    await rig.inState(first, "done");
    await rig.inState(second, "review");
    await client.call("run.approve", { run: second });
    await rig.inState(second, "done");
    await client.call("policy.remove", { name: "look" });
    const { lines } = await client.call("project.blame", { project, path: "shared.txt" });
    expect(lines.map(({ text, run }) => [text, run])).toEqual([
      ["from claude", first],
      ["and codex", second],
    ]);
  });

  test("[RN30, RN32] while it waits, the run and its end are shown; a restart changes nothing", async () => {
    await rig.client.call("policy.set", { name: "slow", rules: { retryWaitMs: 3_600_000 } });
    const run = await rig.submit("claude", "down", "(down)");
    await rig.inState(run, "parked");
    await rig.restart();
    const shown = (await rig.client.call("run.get", { run })).run;
    expect(shown).toMatchObject({ state: "parked", delay: { failure: "outage", attempt: 1, policy: "built-in" } });
    const { items } = await rig.client.call("inbox", {});
    expect(items).toMatchObject([{ kind: "delayed", run }]);
    const asked = rig.model.received.length;
    await rig.client.call("policy.set", { name: "slow", rules: { maxRetries: 0 } });
    await rig.client.call("run.pause", { run });
    await rig.client.call("run.resume", { run });
    await rig.inState(run, "failed");
    expect(rig.model.received.length).toBeGreaterThan(asked);
    expect((await rig.client.call("run.get", { run })).run.failure).toBe("outage");
    const of = async (by: "runner" | "model" | "tool" | "error"): Promise<Stats> => rig.client.call("stats", { by });
    expect((await of("error")).rows).toMatchObject([{ name: "outage", count: 1, statuses: { failed: 1 } }]);
    const byRunner = await of("runner");
    expect(byRunner.rows.map(({ name, count }) => [name, count])).toEqual([
      ["codex", 5],
      ["claude", 4],
    ]);
    expect(byRunner.total).toMatchObject({ count: 9, statuses: { done: 8, failed: 1 }, successRate: 8 / 9 });
    expect((await of("model")).total).toMatchObject({ count: 9, statuses: { done: 8, failed: 1 } });
    const write = (await of("tool")).rows.find(({ name }) => name === "write");
    expect(write).toMatchObject({ statuses: { ok: 9 }, successRate: 1, costMicros: null });
  });
});
