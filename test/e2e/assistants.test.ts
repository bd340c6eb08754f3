// The real assistants, side by side in one repository.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { costOf, priceOf, type Usage } from "../../src/core/budget/prices.ts";
import { contractScenario, describeAssistants, madeOf, type Tried } from "../contracts/assistant.contract.ts";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry } from "../support/assistants.ts";
import { tellRuns } from "../support/tell-runs.ts";

const made = (runner: string): string => `${madeOf(runner)}.txt`;
const touch = (runner: string): string => `touch ${made(runner)} ~/${made(runner)} /tmp/${made(runner)}`;

const tried: readonly Tried[] = [
  {
    ...{ runner: "claude", program: "claude", reckons: true, hearsBy: "program", keeps: true },
    own: [
      { tool: "Bash", with: { command: touch("claude"), description: "make it" } },
      { tool: "Write", with: { file_path: `/tmp/${made("claude")}`, content: "x" } },
    ],
  },
  {
    ...{ runner: "codex", program: "codex", reckons: false, hearsBy: "program", keeps: true },
    own: [
      { tool: "shell", with: { command: ["sh", "-c", touch("codex")] } },
      { tool: "exec_command", with: { cmd: touch("codex") } },
    ],
  },
  // Gemini writes down late what it did.
  {
    ...{ runner: "gemini", program: "gemini", reckons: false, hearsBy: "door", keeps: false },
    own: [
      { tool: "run_shell_command", with: { command: touch("gemini"), description: "make it" } },
      { tool: "invoke_agent", with: { agent_name: "generalist", prompt: "(nobody)" } },
    ],
  },
  {
    ...{ runner: "opencode", program: "opencode", reckons: true, hearsBy: "door", keeps: true },
    own: [
      { tool: "bash", with: { command: touch("opencode"), description: "make it" } },
      { tool: "write", with: { filePath: `/tmp/${made("opencode")}`, content: "x" } },
      { tool: "task", with: { description: "part", prompt: "(nobody)", subagent_type: "general" } },
    ],
  },
];
const runners = tried.map(({ runner }) => runner);

const together = (runner: string): string => `
  - name: ${runner} together
    match: { marker: "(${runner} together)" }
    turns:
      - { say: I begin., call: { tool: write_file, with: { path: words/${runner}.txt, content: "moin\\n" } } }
      - expect: { toolResult: wrote }
        call: { tool: edit_file, with: { path: index.txt, find: "# end", replace: "${runner}\\n# end" } }
      - { expect: { toolResult: edited }, call: { tool: finish, with: { message: added } } }
      - { say: Done. }
`;

/** Codex lets others of its kind work for it, or may not. */
const delegating = `
  - name: delegating
    match: { marker: "(delegating)" }
    turns:
      - { call: { tool: spawn_agent, with: { task_name: helper, message: "(a part of it)", fork_turns: none } } }
      - { call: { tool: wait_agent, with: {} } }
      - { expect: { said: The part is there. }, say: All of it is there. }
  - name: part
    match: { marker: "(a part of it)" }
    turns:
      - { call: { tool: write_file, with: { path: part.txt, content: "by another\\n" } } }
      - { expect: { toolResult: wrote }, say: The part is there. }
  - name: undelegated
    match: { marker: "(undelegated)" }
    turns:
      - { call: { tool: spawn_agent, with: { task_name: helper, message: "(a part of it)", fork_turns: none } } }
      - { say: Nobody is there. }
`;

/** For all of them at once. The first marker is in the title of something that has landed. */
const alike = `
  - { name: landed, match: { marker: "(landed)" }, turns: [ { say: Nobody may hear this. } ] }
  - name: alike
    match: { marker: "(all alike)" }
    repeat: true
    turns:
      - { say: I look., call: { tool: run_command, with: { command: "echo looked" } } }
      - { expect: { toolResult: looked }, say: I have looked. }
`;

const thinking = (runner: string): string => `
  - name: ${runner} thinks
    match: { marker: "(${runner} thinks)" }
    turns: [ { think: "The word is short, says ${runner}.", say: I have thought. } ]
`;

const scenario = `
conversations:
${tried.map((each) => contractScenario(each) + together(each.runner) + thinking(each.runner)).join("")}${delegating}${alike}`;

/** By the price list, to the token; nothing where the model has no price. */
function costBy(model: string, usage: Usage): number {
  const price = priceOf(new Map(), model);
  return price === undefined ? 0 : costOf(price, usage);
}

describe.skipIf(!tried.every(({ program }) => canTry(program)))("assistants", () => {
  let rig: AssistantRig;

  beforeAll(async () => {
    rig = await AssistantRig.open(scenario, { "index.txt": "# words\n# end\n", "AGENTS.md": "Greet politely.\n" });
  });

  afterEach(async ({ task }) => {
    if (task.result?.state !== "fail") return;
    await tellRuns(rig.client);
    console.error([...rig.model.begun, ...rig.model.problems].join("\n"));
  });

  afterAll(() => rig?.close());

  test("of several makers hear one conversation at once, each all of it, whatever landed before is called", async () => {
    rig.sample.git("commit", "--quiet", "--allow-empty", "--message", "(landed) before");
    const begun = (at: number): number => rig.model.begun.filter((turn) => turn === `alike ${at}`).length;
    const runs = await Promise.all(runners.map((runner) => rig.submit(runner, `Look, ${runner}`, "(all alike)")));
    await Promise.all(runs.map((run) => rig.inState(run, "done")));
    expect([begun(0), begun(1), begun(2)]).toEqual([runners.length, runners.length, 0]);
    expect(rig.model.wasSent("(landed) before")).toBe(true);
    expect(rig.model.problems).toEqual([]);
  });

  test("of several makers work on the same files at once, land one after the other, tested, and each is paid for", async () => {
    const check = "grep -v '^#' index.txt | while read -r word; do test -f words/$word.txt || exit 1; done";
    await rig.client.call("project.change", { project: rig.project, landingTest: ["/bin/sh", "-c", check] });
    const runs = await Promise.all(
      runners.map((runner) => rig.submit(runner, `Word of ${runner}`, `(${runner} together)`)),
    );
    await Promise.all(runs.map((run) => rig.inState(run, "done")));
    expect(rig.model.problems).toEqual([]);
    const { lines } = await rig.client.call("project.blame", { project: rig.project, path: "index.txt" });
    const words = lines.filter(({ text }) => !text.startsWith("#"));
    expect(words.map(({ text }) => text).toSorted()).toEqual(runners);
    expect(new Set(words.map(({ run }) => run))).toEqual(new Set(runs));
    const { rows } = await rig.client.call("cost", { by: "runner" });
    expect(rows.map(({ name }) => name).toSorted()).toEqual(runners);
    expect(rows.every(({ spend }) => spend.requests >= 3)).toBe(true);
    // One that would choose among several models by itself asks one that has a price.
    expect(rows.map(({ spend }) => spend.unpriced)).toEqual(rows.map(() => 0));
    const models = (await rig.client.call("cost", { by: "model" })).rows;
    // Each request is rounded up by itself.
    for (const { name, spend } of models) {
      expect(spend.costMicros).toBeGreaterThanOrEqual(costBy(name, spend));
      expect(spend.costMicros).toBeLessThan(costBy(name, spend) + spend.requests);
    }
    // What was broken off is reckoned from above; what was not is what the model said.
    const whole = rows.map(({ spend }) => spend).filter(({ partial }) => partial === 0);
    expect(whole.map(({ inputTokens, outputTokens }) => [inputTokens, outputTokens])).toEqual(
      whole.map(({ requests }) => [10 * requests, 5 * requests]),
    );
    expect(rig.model.wasSent("Greet politely.")).toBe(true);
  });

  test("[RN19, RN48] Codex lets others of its kind work for it, by the door, told apart and paid for; or may not", async () => {
    const run = await rig.submit("codex", "Delegate", "(delegating)");
    await rig.inState(run, "done");
    expect(rig.model.problems).toEqual([]);
    const heard = await rig.heard(run);
    const delegated = heard.find((item) => item.is === "tool" && item.tool === "spawn_agent");
    const parent = delegated?.is === "tool" ? delegated.call : "";
    expect(heard).toContainEqual({ is: "message", text: "The part is there.", parent });
    const written = heard.find((item) => item.is === "tool" && item.tool === "mcp__door__write_file");
    expect(written).toMatchObject({ parent });
    const { events } = await rig.client.call("run.log", { run, limit: 1000 });
    const atDoor = events.filter((event) => event.type === "call.queued" && event["tool"] === "write");
    expect(atDoor.flatMap(({ use }) => use ?? [])).toEqual([written?.is === "tool" ? written.call : ""]);
    const turns = heard.filter(({ is }) => is === "turn");
    expect(turns).toMatchObject([{ ok: true, text: "All of it is there.", usage: { inputTokens: 50 } }]);
    expect((await rig.client.call("run.get", { run })).run.spend).toMatchObject({ requests: 5, inputTokens: 50 });
    const { lines } = await rig.client.call("project.blame", { project: rig.project, path: "part.txt" });
    expect(lines).toMatchObject([{ text: "by another", run }]);
    await rig.client.call("profile.set", { name: "alone", settings: { deniedTools: ["start_subrun"] } });
    const alone = await rig.submit("codex", "Alone", "(undelegated)", "alone");
    await rig.inState(alone, "done");
    expect(rig.model.begun.filter((turn) => turn.startsWith("part "))).toHaveLength(2);
    expect((await rig.client.call("run.get", { run: alone })).run.spend.requests).toBe(2);
    const { runners: all } = await rig.client.call("runner.list", {});
    const can = all
      .filter(({ name }) => runners.includes(name))
      .map(({ name, can: { subagents } }) => [name, subagents]);
    expect(Object.fromEntries(can)).toEqual({ claude: true, codex: true, gemini: false, opencode: false });
  });

  test("[RN26] what they think is told apart from what they say", async () => {
    const found = await Promise.all(
      runners.map(async (runner) => {
        const run = await rig.submit(runner, `${runner} thinks`, `(${runner} thinks)`);
        await rig.inState(run, "done");
        const heard = await rig.heard(run);
        return heard.flatMap((item) => (item.is === "thinking" || item.is === "message" ? [[item.is, item.text]] : []));
      }),
    );
    // Gemini sets what it thinks out under a heading.
    const toSaid = (runner: string): unknown => [
      ["thinking", expect.stringContaining(`The word is short, says ${runner}.`)],
      ["message", "I have thought."],
    ];
    expect(found).toEqual(runners.map(toSaid));
  });

  describeAssistants(tried, () => rig);
});
