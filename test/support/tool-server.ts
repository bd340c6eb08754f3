// Servers of tools as a person may have them: one at an address, which wants to be shown a secret, and one that is a command.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { McpServer } from "../../src/core/profile/mcp-server.ts";

const protocolVersion = "2025-06-18";
const wordOf = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };

/** A server over its input and output, as a program's text. It knows one tool. */
const program = `
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const tool = { name: "count_letters", description: "Counts letters.", inputSchema: ${JSON.stringify(wordOf)} };
  const result =
    method === "initialize" ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "letters", version: "1" } }
    : method === "tools/list" ? { tools: [tool] }
    : method === "tools/call" ? { content: [{ type: "text", text: params.arguments.word.length + " letters" }] }
    : {};
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});`;

type Message = { id?: number; method: string; params?: { protocolVersion?: string; arguments?: { word?: string } } };

export class ToolServer {
  readonly secret = "tool-canary-81c04f7d";
  readonly #server: Server;
  /** Whether everybody who came had the secret. */
  letIn = true;

  private constructor() {
    this.#server = createServer((asked, answer) => void this.#answer(asked, answer));
  }

  static async start(): Promise<ToolServer> {
    const made = new ToolServer();
    await new Promise<void>((resolve) => void made.#server.listen(0, "127.0.0.1", resolve));
    return made;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** As a profile names them. */
  get servers(): Record<string, McpServer & ({ url: string } | { command: string[] })> {
    return {
      notes: { url: `http://${this.host}/mcp`, headers: { Authorization: "Bearer {secret:TOOL_TOKEN}" } },
      letters: { command: ["node", "-e", program] },
    };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    this.letIn &&= asked.headers.authorization === `Bearer ${this.secret}`;
    let body = "";
    for await (const piece of asked as AsyncIterable<Buffer>) body += piece.toString();
    if (asked.method !== "POST") return void answer.writeHead(405).end();
    const message = JSON.parse(body) as Message;
    if (message.id === undefined) return void answer.writeHead(202).end();
    answer.writeHead(200, { "content-type": "application/json" });
    answer.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: this.#resultOf(message) }));
  }

  #resultOf({ method, params }: Message): object {
    const version = params?.protocolVersion ?? protocolVersion;
    const serverInfo = { name: "notes", version: "1" };
    if (method === "initialize") return { protocolVersion: version, capabilities: { tools: {} }, serverInfo };
    if (method === "tools/list")
      return { tools: [{ name: "look_up", description: "Looks a word up.", inputSchema: wordOf }] };
    if (method !== "tools/call") return {};
    // It gives away what it was shown.
    return { content: [{ type: "text", text: `${params?.arguments?.word ?? ""} at a distance, by ${this.secret}` }] };
  }
}
