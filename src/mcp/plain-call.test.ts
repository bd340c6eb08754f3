import { expect, test } from "vitest";
import { mayBePlain, readPlainCall, toPlainAnswer } from "./plain-call.ts";

const headers = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
  "content-length": "100",
};
const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "read_file", arguments: { path: "a" } } };

test("[EN44] a call of a tool is plain as most clients send it", () => {
  expect(mayBePlain(headers)).toBe(true);
  expect(mayBePlain({ ...headers, "mcp-protocol-version": "2025-06-18" })).toBe(true);
  expect(readPlainCall(body)).toEqual({ id: 1, tool: "read_file", args: { path: "a" } });
  const params = { name: "locks", _meta: { progressToken: 4, "claudecode/toolUseId": "t" } };
  expect(readPlainCall({ ...body, id: "x", params })).toEqual({
    ...{ id: "x", tool: "locks", args: undefined },
    use: "t",
  });
});

test.each([
  ["another type", { "content-type": "application/json; charset=utf-8" }],
  ["no streams", { accept: "application/json" }],
  ["no length", { "content-length": undefined }],
  ["too much", { "content-length": "9999999" }],
  ["a version that nobody knows", { "mcp-protocol-version": "1999-01-01" }],
  ["a later version", { "mcp-protocol-version": "2026-07-28" }],
  ["a header of a later version", { "mcp-method": "tools/call" }],
  ["a session", { "mcp-session-id": "s" }],
  ["a body in another form", { "content-encoding": "gzip" }],
])("[EN44] by its headers it is not plain: %s", (_, more) => {
  expect(mayBePlain({ ...headers, ...more })).toBe(false);
});

test.each([
  ["nothing", null],
  ["several", [body]],
  ["another method", { ...body, method: "tools/list" }],
  ["no version", { ...body, jsonrpc: "1.0" }],
  ["no name to answer to", { ...body, id: null }],
  ["half a number", { ...body, id: 0.5 }],
  ["a field that nobody knows", { ...body, more: 1 }],
  ["no tool", { ...body, params: { arguments: {} } }],
  ["arguments in a list", { ...body, params: { name: "read_file", arguments: [] } }],
  ["a task", { ...body, params: { name: "read_file", task: {} } }],
  [
    "a later version",
    { ...body, params: { name: "locks", _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } } },
  ],
])("[EN44] by its body it is not plain: %s", (_, given) => {
  expect(readPlainCall(given)).toBeUndefined();
});

test("[EN44] its answer is one of JSON-RPC", () => {
  expect(JSON.parse(toPlainAnswer(1, { text: "yes", isError: false }))).toEqual({
    ...{ jsonrpc: "2.0", id: 1 },
    result: { content: [{ type: "text", text: "yes" }] },
  });
  expect(JSON.parse(toPlainAnswer("x", { text: "no", isError: true }))).toMatchObject({
    id: "x",
    result: { isError: true },
  });
});
