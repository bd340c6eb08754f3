// What becomes of runs whose real assistants get nowhere: they go round in circles, only fail, hang, are refused, or have said too
// much for their model.

import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry } from "../support/assistants.ts";
import { processesWith } from "../support/processes-with.ts";

const mark = `hangs-${process.pid}`;
const readAgain = "{ call: { tool: read_file, with: { path: a.txt } } }";
const missing = (at: number): string => `{ call: { tool: read_file, with: { path: none-${at}.txt } } }`;

const hangs = (where: string): string => `
  - name: hangs, ${where}
    match: { marker: "(hangs, ${where})" }
    turns:
      - { call: { tool: write_file, with: { path: ${where}.txt, content: "began\\n" } } }
      - { expect: { toolResult: wrote }, call: { tool: ask_user, with: { question: "Go on?" } } }
      - { say: I am back. }
`;

const scenario = `
conversations:
  - name: circles
    match: { marker: "(circles)" }
    turns:
      - ${readAgain}
      - ${readAgain}
      - ${readAgain}
      - { call: { tool: write_file, with: { path: circles.txt, content: "out of it\\n" } } }
      - { say: I have left the circle. }
      # Where the word came after that turn, it is one of its own.
      - { say: I know. }
  - name: stormy
    match: { marker: "(stormy)", model: claude }
    turns: [ ${[1, 2, 3, 4, 5, 6].map(missing).join(", ")} ]
  - name: calm
    match: { marker: "(stormy)" }
    turns:
      - { call: { tool: write_file, with: { path: stormy.txt, content: "calm\\n" } } }
      - { say: It is written. }
  - name: too long
    match: { marker: "(too long)", model: claude }
    turns: [ { error: { status: 400, type: invalid_request_error, message: "prompt is too long: 208310 tokens > 200000 maximum", until: never } } ]
  - name: short
    match: { marker: "(too long)" }
    turns:
      - { call: { tool: write_file, with: { path: short.txt, content: "short\\n" } } }
      - { say: It is short. }
  - name: refused
    match: { marker: "(refused)" }
    turns: [ { say: "I will not do that.", refuses: true } ]
    # It tries once more by itself, and is refused again.
    repeat: true
${hangs("there")}
${hangs("gone")}
`;

/** The files in which a program writes down its conversations, where it has them: inside its cage. */
function conversationsOf(pid: number): string[] {
  const [, config = ""] = /CLAUDE_CONFIG_DIR=([^\0]+)/.exec(readFileSync(`/proc/${pid}/environ`, "utf8")) ?? [];
  const folder = `/proc/${pid}/root${config}/projects`;
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  return files.filter((file) => file.endsWith(".jsonl")).map((file) => join(folder, file));
}

const readText = (file: string): string => readFileSync(file, "utf8");

describe.skipIf(!canTry("claude") || !canTry("codex"))("an assistant that gets nowhere", () => {
  let rig: AssistantRig;

  beforeAll(async () => {
    rig = await AssistantRig.open(scenario, { "a.txt": "a\n" });
    const settings = { runner: "claude", fallbacks: ["codex"] };
    await rig.client.call("profile.set", { name: "two", settings });
    const rules = { stuckAfterRepeats: 3, stuckAfterToolErrors: 2, retryWaitMs: 1000 };
    await rig.client.call("policy.set", { name: "strict", rules });
  });

  afterAll(() => rig?.close());

  const eventsOf = async (run: string, type: string): Promise<readonly Record<string, unknown>[]> => {
    const { events } = await rig.client.call("run.log", { run, limit: 1000 });
    return events.filter((event) => event.type === type);
  };

  test("[RN29, RN35] in circles is told so in its conversation, and finds out of them", async () => {
    const run = await rig.submit("claude", "circles", "(circles)");
    await rig.inState(run, "done");
    expect(await eventsOf(run, "run.stuck")).toMatchObject([{ why: "loop", act: "nudge", policy: "strict" }]);
    expect(await eventsOf(run, "run.messaged")).toMatchObject([{ actor: "system", nudge: true }]);
    expect(rig.model.received.filter(({ body }) => body.includes("try something else"))).not.toEqual([]);
    expect((await rig.client.call("run.get", { run })).run).toMatchObject({ stuck: null, filesChanged: 1 });
  });

  test.each([
    ["whose calls only fail is ended", "stormy", "tool-errors"],
    ["that has said too much for its model is given up", "too long", "context"],
  ])("[RN31, RN33] %s, and another one takes over", async (_, name, failure) => {
    const about = { project: rig.project, title: name, description: `(${name})`, profile: "two" };
    const { run } = await rig.client.call("run.submit", about);
    await rig.inState(run, "done");
    expect(await eventsOf(run, "run.handed")).toMatchObject([{ from: "claude", to: "codex", failure }]);
  });

  test("[RN31] that is refused by its model is handed to nobody", async () => {
    const about = { project: rig.project, title: "refused", description: "(refused)", profile: "two" };
    const { run } = await rig.client.call("run.submit", about);
    await rig.inState(run, "failed");
    expect((await rig.client.call("run.get", { run })).run).toMatchObject({ runner: "claude", failure: "refused" });
    expect(await eventsOf(run, "run.handed")).toEqual([]);
  });

  test.each(["there", "gone"])(
    "[RN32, RN34] that hangs is ended and taken up again, its conversation %s",
    async (where) => {
      const settings = { runner: "claude", env: { MARK: `${mark}-${where}` } };
      await rig.client.call("profile.set", { name: where, settings });
      const run = await rig.submit("claude", "hangs", `(hangs, ${where})`, where);
      await rig.inState(run, "awaiting-input");
      const programs = processesWith(`${mark}-${where}`).filter((pid) =>
        readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("claude"),
      );
      expect(programs).toHaveLength(1);
      const [program = 0] = programs;
      // It writes its conversation down a moment after it had it.
      await expect.poll(() => conversationsOf(program).map(readText).join(), { timeout: 20_000 }).toContain("Go on?");
      // From now on it does nothing any more, whatever is answered.
      process.kill(program, "SIGSTOP");
      await rig.client.call("policy.set", { name: "strict", rules: { stuckAfterMs: 1000, retryWaitMs: 5000 } });
      if (where === "gone") for (const file of conversationsOf(program)) rmSync(file);
      await rig.client.call("run.answer", { run, text: "yes" });
      const delays = (): Promise<readonly object[]> => eventsOf(run, "run.delayed");
      await expect.poll(delays, { timeout: 20_000 }).toMatchObject([{ failure: "hung" }]);
      // A program that is just starting is not hung after a second.
      await rig.client.call("policy.set", { name: "strict", rules: { stuckAfterMs: null } });
      await rig.inState(run, "done");
      const sessions = (await rig.heard(run)).flatMap((item) => (item.is === "session" ? [item.session] : []));
      expect(new Set(sessions).size).toBe(where === "there" ? 1 : 2);
      const isToldAll = rig.model.received.some(({ body }) =>
        body.includes("in a conversation that is not there any more"),
      );
      expect(isToldAll).toBe(where === "gone");
    },
  );
});
