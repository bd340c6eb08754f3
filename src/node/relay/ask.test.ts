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
];

test.each(cases)("[PF14] a request to %s is a step of the work where it offers tools: %j", (path, body, turn) => {
  const route = findRoute("POST", path, {});
  if (route === undefined) throw new Error("no such route");
  expect(readAsk(route, Buffer.from(JSON.stringify(body)))).toMatchObject({ turn });
});
