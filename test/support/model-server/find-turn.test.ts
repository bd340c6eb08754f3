import { afterEach, describe, expect, test } from "vitest";
import { toFirstPrompt } from "../../../src/node/assistants/first-prompt.ts";
import { anthropicFormat } from "./anthropic-format.ts";
import { chatFormat } from "./chat-format.ts";
import { findConversation, firstTurn } from "./find-turn.ts";
import { geminiFormat } from "./gemini-format.ts";
import { ModelServer } from "./model-server.ts";
import { responsesFormat } from "./responses-format.ts";
import { readScenario } from "./scenario.ts";
import type { Read } from "./wire-format.ts";

const scenario = readScenario(`
conversations:
  - { name: small, match: { model: small }, turns: [{ say: a }] }
  - { name: hello, match: { marker: "[hello]" }, turns: [{ say: a }] }
  - { name: first, match: { marker: "[first]" }, turns: [{ say: a }] }
  - name: again
    match: { marker: "[again]" }
    repeat: true
    turns: [{ say: one }, { error: { status: 429 } }, { say: two }]
`);

const nothing = { acceptance: null, attachments: [], scope: null, plan: [], conventions: [], messages: [], parts: [] };
const promptOf = (title: string, held: readonly string[] = []): string =>
  toFirstPrompt({ ...nothing, title, description: "", before: null, services: [], held });

const readOf = (firstSaid: string, more: Partial<Read> = {}): Read => ({
  ...{ model: "m", firstSaid, lastSaid: firstSaid, toolResults: "", answers: 0, offers: [], stream: true },
  ...more,
});

describe("the conversation that a request belongs to", () => {
  test.each([
    [
      "what landed before stands before the task",
      `Recent commits: [hello] write a greeting\n${promptOf("[first] add")}`,
    ],
    ["what others do stands behind it", promptOf("[first] add", ["r_1 [hello] write a greeting: file:a.txt"])],
  ])("is that of its task: %s", (_, said) => {
    expect(findConversation(scenario, readOf(said))?.name).toBe("first");
  });

  test("is the first that fits by its model alone, and none where only others have its marker", () => {
    expect(findConversation(scenario, readOf("[first]", { model: "small-2" }))?.name).toBe("small");
    expect(findConversation(scenario, readOf(promptOf("add", ["r_1 [hello]"])))).toBeUndefined();
  });
});

test("a conversation that repeats goes on where its client is, past what no client keeps", () => {
  const again = scenario.conversations[3]!;
  const turns = [0, 1, 2, 3].map((answers) => firstTurn(again, readOf("[again]", { answers })));
  expect(turns).toEqual([0, 1, 3, 4]);
});

test("an answer of several items is one, in each format", () => {
  const said = { role: "user", content: "go" };
  const asked = { ...said, content: [{ type: "tool_result", content: "x" }] };
  const answer = { role: "assistant", content: "well" };
  const call = [{ type: "reasoning" }, answer, { type: "function_call" }, { type: "function_call" }];
  const output = { type: "function_call_output", output: "x" };
  const user = { role: "user", parts: [{ text: "go" }] };
  const model = { role: "model", parts: [{ text: "well" }] };
  expect(anthropicFormat.read({ messages: [said, answer, answer, asked, answer] }, "").answers).toBe(2);
  expect(chatFormat.read({ messages: [said, answer, { role: "tool" }, answer] }, "").answers).toBe(2);
  expect(responsesFormat.read({ input: [said, ...call, output, output, ...call] }, "").answers).toBe(2);
  expect(geminiFormat.read({ contents: [user, model, model, user, model] }, "").answers).toBe(2);
});

describe("several clients at once", () => {
  let server: ModelServer;
  afterEach(() => server.close());
  const start = (): Promise<ModelServer> =>
    ModelServer.start(`
conversations:
  - name: again
    match: { marker: "[again]" }
    repeat: true
    turns: [{ say: one, call: { tool: ask_user } }, { error: { status: 429 } }, { say: two }]
`);

  const ask = async (who: string, answers: number): Promise<string> => {
    const messages = [{ role: "user", content: `${who} [again]` }];
    for (let at = 0; at < answers; at++)
      messages.push({ role: "assistant", content: "one" }, { role: "user", content: "then" });
    const body = JSON.stringify({ model: "m", messages, tools: [{ name: "mcp_door_ask_person" }] });
    const answer = await fetch(`${server.url}/v1/messages`, { method: "POST", body });
    return answer.status === 200 ? await answer.text() : String(answer.status);
  };

  test("each hear a repeating conversation from its beginning to its end", async () => {
    server = await start();
    for (const who of ["claude", "codex"]) expect(await ask(who, 0)).toContain('"one"');
    for (const who of ["codex", "claude"]) expect(await ask(who, 1)).toBe("429");
    for (const who of ["claude", "codex"]) expect(await ask(who, 1)).toContain('"two"');
    expect(await ask("codex", 2)).toContain('"one"');
    expect(server.problems).toEqual([]);
  });

  test("who asks once more before it has heard the answer hears the same", async () => {
    server = await start();
    for (let time = 0; time < 2; time++) expect(await ask("claude", 0)).toContain('"one"');
  });

  test("a tool is named as the door names it, also where a program has it by another name", async () => {
    server = await start();
    expect(await ask("gemini", 0)).toContain('"name":"mcp_door_ask_person"');
  });
});
