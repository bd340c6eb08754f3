// An MCP client that we did not write lists and calls the tools, over both transports.

import { PassThrough } from "node:stream";
import {
  Client,
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { serveMcpOnStdio } from "../../src/mcp/stdio.ts";
import { operations } from "../../src/protocol/operations.ts";
import { type FaceWorld, inFaceWorld } from "../support/faces/face-world.ts";

type Opened = { readonly client: Client; close(): Promise<void> };

async function overHttp(world: FaceWorld, headers: Record<string, string> = {}): Promise<Opened> {
  const client = new Client({ name: "somebody", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${world.token}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.server.url}/mcp`), { requestInit }));
  return { client, close: () => client.close() };
}

async function overPipe(world: FaceWorld): Promise<Opened> {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const served = serveMcpOnStdio({ home: world.home, version: "0.0.0", input: toServer, output: toClient });
  const client = new Client({ name: "somebody", version: "1.0.0" });
  await client.connect(makePipe(toClient, toServer));
  return {
    client,
    close: async () => {
      await client.close();
      toServer.end();
      await served;
    },
  };
}

function makePipe(from: PassThrough, to: PassThrough): Transport {
  const buffer = new ReadBuffer();
  const pipe: Transport = {
    start: () => {
      from.on("data", (chunk: Buffer) => {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage())
          pipe.onmessage?.(message);
      });
      return Promise.resolve();
    },
    send: (message: JSONRPCMessage) => {
      to.write(serializeMessage(message));
      return Promise.resolve();
    },
    close: () => {
      pipe.onclose?.();
      return Promise.resolve();
    },
  };
  return pipe;
}

describe.each([
  ["streamable HTTP", overHttp],
  ["stdio", overPipe],
] as const)("MCP over %s", (_, open) => {
  const withClient = (act: (client: Client, world: FaceWorld) => Promise<void>): Promise<void> =>
    inFaceWorld(async (world) => {
      const { client, close } = await open(world);
      try {
        await act(client, world);
        expect(world.defects).toEqual([]);
      } finally {
        await close();
      }
    });

  test("lists every tool of the table, each described for a model", () =>
    withClient(async (client) => {
      const { tools } = await client.listTools();
      const wanted = Object.values(operations).flatMap((operation) =>
        operation.mcp === null ? [] : [operation.mcp.tool],
      );
      expect(tools.map((tool) => tool.name).toSorted()).toEqual(wanted.toSorted());
      for (const tool of tools) {
        expect(`${tool.name}: ${tool.description ?? ""}`).toMatch(/^.{60,}$/);
        expect(tool.inputSchema.type).toBe("object");
      }
      // A model's client pays for the list with every request.
      expect(JSON.stringify(tools).length / tools.length).toBeLessThan(850);
    }));

  test("calls tools and gets structured answers", () =>
    withClient(async (client, world) => {
      await client.listTools();
      const added = await client.callTool({ name: "project_add", arguments: { root: world.folder, name: "demo" } });
      expect(added.structuredContent).toMatchObject({ name: "demo" });
      const claim = { project: "demo", units: ["file:a.ts"], as: "model" };
      const made = await client.callTool({ name: "claim_make", arguments: claim });
      expect(made.structuredContent).toMatchObject({ state: "granted", fence: 1, holder: "model" });
      const locks = await client.callTool({ name: "locks", arguments: {} });
      expect(locks.structuredContent).toMatchObject({ leases: [{ unit: "file:a.ts", holder: "model" }] });
      const events = await client.callTool({ name: "events_read", arguments: { types: ["lease."] } });
      expect(events.structuredContent).toMatchObject({ events: [{ type: "lease.granted", actor: "agent:mcp" }] });
    }));

  test("a refusal is a result with the code, the sentence and the ways out", () =>
    withClient(async (client, world) => {
      const wrong = await client.callTool({ name: "run_get", arguments: { run: "r_zz" } });
      expect(wrong.isError).toBe(true);
      expect(wrong.content[0]).toMatchObject({
        text: expect.stringMatching(/^not-found: There is no run "r_zz"/) as string,
      });
      const bad = await client.callTool({
        name: "claim_make",
        arguments: { project: "demo", units: [7], nonsense: 1 },
      });
      expect(bad.isError).toBe(true);
      expect(bad.content[0]).toMatchObject({ text: expect.stringMatching(/^bad-input: /) as string });
      await world.http.call("project.add", { root: world.folder, name: "demo" });
      const make = (as: string, unit: string) =>
        client.callTool({ name: "claim_make", arguments: { project: "demo", units: [unit], as } });
      await make("a", "file:x");
      await make("b", "file:y");
      await make("a", "file:y");
      const refused = await make("b", "file:x");
      expect(refused.structuredContent).toMatchObject({ state: "refused", code: "deadlock" });
      expect((refused.structuredContent as { ways: string[] }).ways.length).toBeGreaterThan(1);
    }));

  test("what is for people only is neither listed nor done", () =>
    withClient(async (client, world) => {
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).not.toContain("shutdown");
      await expect(client.callTool({ name: "run_approve", arguments: { run: "r_1" } })).rejects.toThrow(/run_approve/);
      expect(world.shutdowns).toEqual([]);
    }));
});

test("MCP over stdio answers what was asked before its input ended", () =>
  inFaceWorld(async (world) => {
    const input = new PassThrough();
    const output = new PassThrough();
    const served = serveMcpOnStdio({ home: world.home, version: "0.0.0", input, output });
    const clientInfo = { name: "printf", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const said = [
      { jsonrpc: "2.0", id: 1, method: "initialize", params },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "project_list", arguments: {} } },
    ];
    input.end(said.map((each) => `${JSON.stringify(each)}\n`).join(""));
    await served;
    const lines = String(output.read() ?? "")
      .trim()
      .split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2]);
  }));

test("MCP over stdio answers a message of 4 MB with an error, and goes on", () =>
  inFaceWorld(async (world) => {
    const { client, close } = await overPipe(world);
    try {
      const description = "x".repeat(4_194_304);
      const call = client.callTool({ name: "run_submit", arguments: { project: "demo", description } });
      await expect(call).rejects.toThrow(/too large.*Send less at a time/);
      expect((await client.callTool({ name: "project_list", arguments: {} })).isError).not.toBe(true);
    } finally {
      await close();
    }
  }));
