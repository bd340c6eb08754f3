// Calls of tools at a run's door, in their plain form and in one that goes the library's way: nobody can tell the difference.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client as Signalbox } from "../../src/client/client.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { SampleProject } from "../support/sample-project.ts";

let daemon: DaemonProcess;
let signalbox: Signalbox;
let sample: SampleProject;
let run: string;
let door: { readonly url: string; readonly token: string };

beforeAll(async () => {
  daemon = await DaemonProcess.start();
  signalbox = await daemon.connect();
  sample = new SampleProject({ "a.txt": "one\ntwo\n" });
  const { project } = await signalbox.call("project.add", { root: sample.root });
  const submitted = await signalbox.call("run.submit", { project, title: "calls", runner: "mcp" });
  if (submitted.door === null) throw new Error("the run has a door");
  ({ run, door } = { run: submitted.run, door: submitted.door });
});

afterAll(async () => {
  signalbox.close();
  await daemon.remove();
  sample.remove();
});

const plainHeaders = { "content-type": "application/json", accept: "application/json, text/event-stream" };
// As good as the plain one to everybody who reads headers, and not the same text.
const otherHeaders = { ...plainHeaders, "content-type": "application/json; charset=utf-8" };

async function send(body: unknown, more: Record<string, string> = {}): Promise<Response> {
  const headers = { ...plainHeaders, authorization: `Bearer ${door.token}`, ...more };
  return fetch(door.url, { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body) });
}

function callOf(name: string, args?: object): object {
  return { jsonrpc: "2.0", id: "c1", method: "tools/call", params: { name, ...(args && { arguments: args }) } };
}

/** What an answer says, whether it came whole or as a stream. */
async function said(response: Response): Promise<unknown> {
  const text = await response.text();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  return JSON.parse(isStream ? (/^data: (.*)$/m.exec(text)?.[1] ?? "") : text) as unknown;
}

test.each([
  ["a yes", callOf("read_file", { path: "a.txt" })],
  ["a no of the world", callOf("read_file", { path: "nothing.txt" })],
  ["bad arguments", callOf("read_file", { path: 7 })],
  ["no arguments", callOf("locks")],
  ["a tool that there is not", callOf("make_coffee", {})],
])("[EN44] a plain call says what the library says: %s", async (_, body) => {
  const plain = await send(body);
  expect(plain.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await said(plain)).toEqual(await said(await send(body, otherHeaders)));
});

test("[EN44] a plain call is answered as JSON, and anything else by the library", async () => {
  const call = callOf("read_file", { path: "a.txt" });
  expect((await send(call)).headers.get("content-type")).toBe("application/json");
  expect((await send(call, otherHeaders)).headers.get("content-type")).toBe("text/event-stream");
  expect(await said(await send({ jsonrpc: "2.0", id: 2, method: "ping" }))).toEqual({
    jsonrpc: "2.0",
    id: 2,
    result: {},
  });
  const listed = await said(await send({ jsonrpc: "2.0", id: 3, method: "tools/list", params: {} }));
  expect(JSON.stringify(listed)).toContain('"name":"read_file"');
});

test("[EN44, EN35] what would be refused is refused in the same words", async () => {
  const call = callOf("read_file", { path: "a.txt" });
  for (const more of [{ authorization: "Bearer wrong" }, { "mcp-protocol-version": "1999-01-01" }]) {
    const [plain, other] = [await send(call, more), await send(call, { ...otherHeaders, ...more })];
    expect([plain.status, await plain.json()]).toEqual([other.status, await other.json()]);
    expect(plain.status).toBeGreaterThanOrEqual(400);
  }
  for (const body of ['{"jsonrpc":"2.0"', '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call"}', "[]"]) {
    const [plain, other] = [await send(body), await send(body, otherHeaders)];
    expect([plain.status, await plain.json()]).toEqual([other.status, await other.json()]);
    expect(plain.status).toBe(400);
  }
});

test("[EN44] what takes long is answered in a stream, whose head comes first", async () => {
  const asked = await send(callOf("ask_user", { question: "which?" }));
  expect(asked.headers.get("content-type")).toBe("text/event-stream");
  await expect.poll(async () => (await signalbox.call("run.get", { run })).run.state).toBe("awaiting-input");
  await signalbox.call("run.answer", { run, text: "the left one" });
  expect(await said(asked)).toMatchObject({ id: "c1", result: { content: [{ text: "the left one" }] } });
});
