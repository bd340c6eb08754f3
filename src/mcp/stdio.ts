// MCP over a pipe: `signalbox mcp`. It is a client of the daemon like any other, and says that a model asks.

import net from "node:net";
import type { Readable, Writable } from "node:stream";
import { setImmediate, setTimeout } from "node:timers/promises";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { makeLinesTransport } from "../client/lines-transport.ts";
import { homePaths } from "../protocol/home.ts";
import { limits } from "../protocol/limits.ts";
import { type Ask, makeMcpServer } from "./mcp-server.ts";
import { MessageLines } from "./message-lines.ts";

export type McpStdioOptions = {
  readonly home: string;
  readonly version: string;
  readonly input?: Readable | undefined;
  readonly output?: Writable | undefined;
};

/** How long what is under way may still take when nobody will ask any more: `printf … | signalbox mcp` wants its answers. */
const lastAnswersMsMax = 5000;
/** A message goes from the pipe to its tool, and an answer back, in a few turns of the loop. */
const turnsOnTheWay = 20;

/** Serves until the other end closes the pipe, and what was asked by then is answered. */
export async function serveMcpOnStdio(options: McpStdioOptions): Promise<void> {
  const { home, version, input = process.stdin, output = process.stdout } = options;
  const { socket } = homePaths(home);
  const transport = makeLinesTransport({ open: () => net.connect(socket), where: home, face: "mcp" });
  // The library stops at the end of its input, whatever is under way. So that end comes a little later.
  const held = new MessageLines((line) => output.write(line));
  const pipe = new StdioServerTransport(held, output, { maxBufferSize: limits.requestBytesMax * 2 });
  const ended = new Promise<void>((resolve) => {
    input.once("end", resolve);
    input.once("close", resolve);
  });
  const underWay = new Set<Promise<unknown>>();
  const ask: Ask = (name, given, signal) => {
    const asked = transport.call(name, given, signal);
    const settled = asked.catch(() => undefined).finally(() => underWay.delete(settled));
    underWay.add(settled);
    return asked;
  };
  const server = serveStdio(() => makeMcpServer(ask, version), { transport: pipe });
  input.pipe(held, { end: false });
  await ended;
  await Promise.race([answered(underWay), setTimeout(lastAnswersMsMax, undefined, { ref: false })]);
  held.end();
  await server.close();
  transport.close();
}

async function answered(underWay: ReadonlySet<Promise<unknown>>): Promise<void> {
  do {
    await Promise.all(underWay);
    for (let turn = 0; turn < turnsOnTheWay; turn++) await setImmediate();
  } while (underWay.size > 0);
}
