import { expect, test } from "vitest";
import { readAsk } from "./ask.ts";
import { findRoute } from "./providers.ts";

const tool = { name: "look", description: "", parameters: {} };

const cases: readonly [path: string, body: object, turn: boolean][] = [
  ["/v1/messages", { model: "m", tools: [tool] }, true],
  ["/v1/messages", { model: "m", tools: [] }, false],
  ["/v1/messages", { model: "m" }, false],
  ["/v1/responses", { model: "m", tools: [tool], input: "Hi" }, true],
  ["/v1/responses", { model: "m", input: [{ type: "message" }, { type: "additional", tools: [tool] }] }, true],
  ["/v1/responses", { model: "m", input: [{ type: "message", content: "Hi" }, null] }, false],
  ["/v1/chat/completions", { model: "m", tools: [tool] }, true],
  ["/v1beta/models/m:generateContent", { tools: [{ functionDeclarations: [tool] }] }, true],
  ["/v1beta/models/m:generateContent", { contents: [] }, false],
  // What brings tools in another way, or may.
  ["/v1/messages", { model: "m", tools: { name: "look" } }, true],
  ["/v1/messages", { model: "m", mcp_servers: [{ url: "https://tools.example" }] }, true],
  ["/v1/messages", { model: "m", container: { skills: [] } }, true],
  ["/v1/responses", { model: "m", prompt: { id: "pmpt_1" }, input: "Hi" }, true],
  ["/v1/responses", { model: "m", previous_response_id: "resp_1", input: "Hi" }, true],
  ["/v1/chat/completions", { model: "m", functions: [tool] }, true],
  ["/v1/chat/completions", { model: "m", messages: [], something_new: 1 }, true],
  ["/v1beta/models/m:generateContent", { contents: [], cachedContent: "cachedContents/1" }, true],
  // Titles, summaries and probes, as the programs ask for them.
  ["/v1/messages", { model: "m", max_tokens: 1, messages: [{ role: "user", content: "quota" }], metadata: {} }, false],
  [
    "/v1/messages",
    { model: "m", system: [], messages: [], tools: [], thinking: {}, temperature: 1, stream: true },
    false,
  ],
  ["/v1/responses", { model: "m", instructions: "", input: [], tools: [], tool_choice: "auto", store: false }, false],
  ["/v1/chat/completions", { model: "m", messages: [], stream: true, stream_options: {}, max_tokens: 9 }, false],
  ["/v1beta/models/m:generateContent", { contents: [], systemInstruction: {}, generationConfig: {} }, false],
];

test.each(cases)(
  "[PF14] a request to %s is a step of the work unless it has a known form without tools: %j",
  (path, body, turn) => {
    const route = findRoute("POST", path, {});
    if (route === undefined || route.format === null) throw new Error("no such route");
    expect(readAsk({ ...route, format: route.format }, Buffer.from(JSON.stringify(body)))).toMatchObject({ turn });
  },
);

test.each([
  { generationConfig: { candidateCount: 2, maxOutputTokens: 1000 } },
  { generation_config: { candidate_count: 2, max_output_tokens: 1000 } },
])("[BG1] what an answer may cost at most is read in either spelling: %j", (settings) => {
  const route = findRoute("POST", "/v1beta/models/m:generateContent", {});
  if (route === undefined || route.format === null) throw new Error("no such route");
  const ask = readAsk({ ...route, format: route.format }, Buffer.from(JSON.stringify({ contents: [], ...settings })));
  expect(ask).toMatchObject({ outputTokens: 2000 });
});

test("[BG24] the second body of a streamed chat takes room like the first, and is not made where there is none", () => {
  const route = findRoute("POST", "/v1/chat/completions", {});
  if (route?.format !== "chat") throw new Error("no route of a chat");
  const body = Buffer.from(JSON.stringify({ model: "m", stream: true, messages: [] }));
  const taken: number[] = [];
  const withRoom = readAsk({ ...route, format: route.format }, body, (bytes) => taken.push(bytes) > 0);
  expect(withRoom).toMatchObject({ model: "m" });
  expect(taken).toEqual([body.length]);
  expect(readAsk({ ...route, format: route.format }, body, () => false)).toMatchObject({ body });
});

test("[BG11] a request with values without end is told so before anything is built of them", () => {
  const route = findRoute("POST", "/v1/messages", {});
  if (route === undefined || route.format === null) throw new Error("no such route");
  const read = (unit: string, count: number): unknown =>
    readAsk(
      { ...route, format: "anthropic" },
      Buffer.from(`{"model":"m","messages":[${Array(count).fill(unit).join(",")}]}`),
    );
  for (const unit of ["[]", "{}", "0", '{"a":{}}'])
    expect(read(unit, 200_000)).toBe("the body has more than 200000 values");
  expect(read("[]", 199_997)).toMatchObject({ model: "m" });
});

const deep = "[".repeat(100_000) + "]".repeat(100_000);

test.each(["/v1/messages", "/v1/responses", "/v1/chat/completions", "/v1beta/models/m:generateContent"])(
  "[BG11] a request to %s that is nested without bound is told so, and no stack runs out",
  (path) => {
    const route = findRoute("POST", path, {});
    if (route === undefined || route.format === null) throw new Error("no such route");
    const body = Buffer.from(`{"model":"m","stream":true,"messages":${deep},"tools":[${deep}]}`);
    expect(readAsk({ ...route, format: route.format }, body)).toBe("the body is nested deeper than 256");
    const flat = Buffer.from(JSON.stringify({ model: "m", stream: true, messages: [deep] }));
    expect(readAsk({ ...route, format: route.format }, flat)).toMatchObject({ model: "m" });
  },
);
