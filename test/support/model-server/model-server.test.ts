import { afterEach, describe, expect, test } from "vitest";
import { ModelServer } from "./model-server.ts";

let server: ModelServer | undefined;
afterEach(() => server?.close());

const scenario = `
conversations:
  - name: edit
    match: { marker: "[edit]" }
    turns:
      - say: I will look at the file.
        call: { tool: read_file, with: { path: a.txt } }
        expect: { offers: read_file }
        usage: { input: 100, output: 20, cacheRead: 50, cacheWrite: 7 }
      - expect: { toolResult: hello }
        say: Done, and nothing else to tell.
  - name: trouble
    match: { marker: "[trouble]" }
    turns:
      - error: { status: 429, type: rate_limit_error, message: slow down, retryAfter: 3 }
      - say: This will never be whole.
        cut: 2
      - say: well
  - name: unwilling
    match: { marker: "[unwilling]" }
    turns: [ { think: "This harms somebody.", say: "I will not do that.", refuses: true } ]
    repeat: true
  - name: child
    match: { marker: "[child]", model: small }
    repeat: true
    turns:
      - say: From the child.
`;

type Kind = "anthropic" | "responses" | "chat" | "gemini";

/** The same conversation as each kind of client would have it. */
function toBody(kind: Kind, said: string, result: string | undefined, stream: boolean): [path: string, body: object] {
  const schema = { type: "object", properties: {} };
  switch (kind) {
    case "anthropic": {
      const tools = [{ name: "read_file", input_schema: schema }];
      const after = [{ type: "tool_result", tool_use_id: "x", content: [{ type: "text", text: result }] }];
      const messages = [
        { role: "user", content: said },
        ...(result === undefined ? [] : [{ role: "user", content: after }]),
      ];
      return ["/v1/messages", { model: "m", max_tokens: 10, messages, tools, stream }];
    }
    case "responses": {
      const input = [
        { role: "user", content: [{ type: "input_text", text: said }] },
        ...(result === undefined ? [] : [{ type: "function_call_output", call_id: "x", output: result }]),
      ];
      return ["/v1/responses", { model: "m", input, tools: [{ type: "function", name: "read_file" }], stream }];
    }
    case "chat": {
      const messages = [
        { role: "user", content: said },
        ...(result === undefined ? [] : [{ role: "tool", tool_call_id: "x", content: result }]),
      ];
      const tools = [{ type: "function", function: { name: "read_file", parameters: schema } }];
      return ["/v1/chat/completions", { model: "m", messages, tools, stream }];
    }
    default: {
      const response = { name: "read_file", response: { output: result } };
      const contents = [
        { role: "user", parts: [{ text: said }] },
        ...(result === undefined ? [] : [{ role: "user", parts: [{ functionResponse: response }] }]),
      ];
      const tools = [{ functionDeclarations: [{ name: "read_file" }] }];
      const call = stream ? "streamGenerateContent?alt=sse" : "generateContent";
      return [`/v1beta/models/m:${call}`, { contents, tools }];
    }
  }
}

async function ask(kind: Kind, said: string, result?: string, stream = true): Promise<Response> {
  const [path, body] = toBody(kind, said, result, stream);
  return fetch(`${server?.url}${path}`, { method: "POST", body: JSON.stringify(body) });
}

/** What the pieces of a stream carry, put together again by the fields that each format has for it. */
function joined(text: string): string {
  const fields = /"(?:text|partial_json|arguments|content|delta)":("(?:[^"\\]|\\.)*")/g;
  return [...text.matchAll(fields)].map(([, value]) => JSON.parse(value ?? '""') as string).join("");
}

const kinds: readonly Kind[] = ["anthropic", "responses", "chat", "gemini"];

describe("a scripted model", () => {
  test.each(kinds)("%s: calls a tool, looks at its result, and speaks; streamed", async (kind) => {
    server = await ModelServer.start(scenario);
    const first = await (await ask(kind, "please [edit] it")).text();
    expect(first).toContain("read_file");
    expect(first.replaceAll(/\\|"|data: |\s/g, "")).toContain(kind === "gemini" ? "path:a.txt" : "read_file");
    expect(first).toMatch(/(output_tokens|completion_tokens|candidatesTokenCount)":20/);
    const second = await (await ask(kind, "please [edit] it", "hello world")).text();
    expect(joined(second)).toContain("Done, and nothing else to tell.");
    expect(server.problems).toEqual([]);
  });

  test.each(kinds)("%s: the same as a whole", async (kind) => {
    server = await ModelServer.start(scenario);
    const first = (await (await ask(kind, "please [edit] it", undefined, false)).json()) as object;
    expect(JSON.stringify(first)).toContain("I will look at the file.");
    const second = (await (await ask(kind, "please [edit] it", "hello", false)).json()) as object;
    expect(JSON.stringify(second)).toContain("Done, and nothing else to tell.");
    expect(server.problems).toEqual([]);
  });

  test.each([
    ["anthropic", '"thinking"', '"stop_reason":"refusal"'],
    ["responses", '"summary_text"', '"type":"refusal"'],
    ["chat", '"reasoning_content"', '"refusal"'],
    ["gemini", '"thought":true', '"finishReason":"SAFETY"'],
  ] as const)("%s: thinks, and refuses, as its format has it; streamed or not", async (kind, thought, refusal) => {
    server = await ModelServer.start(scenario);
    for (const isStreamed of [true, false]) {
      const text = await (await ask(kind, "[unwilling]", undefined, isStreamed)).text();
      for (const part of [thought, refusal, "This harms", "I will not"]) expect(text).toContain(part);
    }
    expect(server.problems).toEqual([]);
  });

  test.each(kinds)("%s: errors and broken streams come in turn", async (kind) => {
    server = await ModelServer.start(scenario);
    const refused = await ask(kind, "[trouble]");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
    expect(await refused.text()).toContain("slow down");
    await expect(ask(kind, "[trouble]").then((answer) => answer.text())).rejects.toThrow("terminated");
    expect((await ask(kind, "[trouble]")).status).toBe(200);
    expect(server.begun).toEqual(["trouble 0", "trouble 1", "trouble 2"]);
  });

  test("a client that does something else is a problem", async () => {
    server = await ModelServer.start(scenario);
    await ask("chat", "please [edit] it");
    const answer = await ask("chat", "please [edit] it", "goodbye");
    expect(answer.status).toBe(400);
    expect(server.problems).toEqual(['edit, turn 1: no tool result has "hello"; there was: goodbye']);
    await ask("chat", "please [edit] it", "hello");
    expect(server.problems).toHaveLength(2);
  });

  test("what nobody wrote down gets a plain answer, and everything is kept", async () => {
    server = await ModelServer.start(scenario);
    expect(joined(await (await ask("anthropic", "make a title")).text())).toContain("OK");
    const counted = await fetch(`${server.url}/v1/messages/count_tokens`, { method: "POST", body: "x".repeat(40) });
    expect(await counted.json()).toEqual({ input_tokens: 10 });
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(200);
    expect((await fetch(`${server.url}/elsewhere`, { headers: { "x-canary": "bird" } })).status).toBe(404);
    expect([server.wasSent("bird"), server.wasSent("title"), server.wasSent("fish")]).toEqual([true, true, false]);
  });

  test("a held turn waits for the test, and a client that hangs up is noticed", async () => {
    server = await ModelServer.start(
      "conversations: [{ name: held, match: { marker: hold }, repeat: true, turns: [{ say: now, hold: gate }] }]",
    );
    const leaving = new AbortController();
    const [path, body] = toBody("chat", "hold", undefined, true);
    const url = `${server.url}${path}`;
    const left = fetch(url, { method: "POST", body: JSON.stringify(body), signal: leaving.signal });
    await server.until(() => server?.begun.length === 1);
    await left;
    leaving.abort();
    await server.until(() => server?.hungUp === 1);
    server.release("gate");
    expect(joined(await (await ask("chat", "hold")).text())).toContain("now");
  });
});
