// An assistant's own MCP client, a real daemon, real processes: it starts `signalbox mcp`, or comes over HTTP, and has
// work done.

import { readFileSync } from "node:fs";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtProgram } from "../support/built-program.ts";
import { Sandbox } from "./cli-process.ts";

const main = builtProgram("cli");
const script =
  "task: greet\nplan: [file:hello.txt]\nsteps:\n  - write: { path: hello.txt, content: hello }\n  - say: done\n";

const box = new Sandbox();
let url: string;

beforeAll(async () => {
  ({ url } = await box.json<{ url: string }>("up", "-d", "--port", "0"));
  await box.ok("project", "add", box.project, "--name", "shop");
});

afterAll(() => box.close());

const overPipe = (): StdioClientTransport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [main, "mcp"],
    env: { SIGNALBOX_HOME: box.home, PATH: process.env["PATH"] ?? "" },
  });

const overHttp = (): StreamableHTTPClientTransport => {
  const token = readFileSync(path.join(box.home, "token"), "utf8").trim();
  return new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
};

test.each([
  ["the standard input of `signalbox mcp`", overPipe],
  ["streamable HTTP", overHttp],
] as const)("a model has a run done over %s", async (_, transport) => {
  const client = new Client({ name: "an-assistant", version: "1.0.0" });
  await client.connect(transport());
  try {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(
      expect.arrayContaining(["run_submit", "run_wait", "claim_make", "locks"]),
    );
    const submitted = await client.callTool({ name: "run_submit", arguments: { project: "shop", script } });
    const { run } = submitted.structuredContent as { run: string };
    const waited = await client.callTool({ name: "run_wait", arguments: { run, waitMs: 30_000 } });
    expect(waited.structuredContent).toMatchObject({ reached: true, run: { state: "done", filesChanged: 1 } });
    const log = await client.callTool({ name: "run_log", arguments: { run } });
    const { events } = log.structuredContent as { events: { type: string; actor: string }[] };
    expect(events[0]).toMatchObject({ type: "run.submitted", actor: "agent:mcp" });
    expect(events.map((event) => event.type)).toContain("run.said");
    const refused = await client.callTool({ name: "run_submit", arguments: { project: "shop", script: "steps: 7" } });
    expect(refused.isError).toBe(true);
    expect(refused.content[0]).toMatchObject({ text: expect.stringMatching(/^bad-script: /) as string });
  } finally {
    await client.close();
  }
});
