// MCP over a pipe: `signalbox mcp`. It is a client of the daemon like any other, and says that a model asks.

import net from "node:net";
import type { Readable, Writable } from "node:stream";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { makeLinesTransport } from "../client/lines-transport.ts";
import { homePaths } from "../protocol/home.ts";
import { limits } from "../protocol/limits.ts";
import { makeMcpServer } from "./mcp-server.ts";

export type McpStdioOptions = {
  readonly home: string;
  readonly version: string;
  readonly input?: Readable | undefined;
  readonly output?: Writable | undefined;
};

/** Serves until the other end closes the pipe. */
export async function serveMcpOnStdio(options: McpStdioOptions): Promise<void> {
  const { home, version, input = process.stdin, output = process.stdout } = options;
  const { socket } = homePaths(home);
  const transport = makeLinesTransport({ open: () => net.connect(socket), where: home, face: "mcp" });
  const pipe = new StdioServerTransport(input, output, { maxBufferSize: limits.requestBytesMax * 2 });
  const ended = new Promise<void>((resolve) => {
    input.once("end", resolve);
    input.once("close", resolve);
  });
  const server = serveStdio(
    () => makeMcpServer((name, given, signal) => transport.call(name, given, signal), version),
    {
      transport: pipe,
    },
  );
  await ended;
  await server.close();
  transport.close();
}
