import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { systemClock } from "../../adapters/clock/system-clock.ts";
import { HeldBytes } from "./held-bytes.ts";
import { readBody } from "./read-body.ts";

/** How reading the body of a raw request ends, and what is held after it. */
async function end(head: string, body: string, leave: boolean): Promise<[string, number]> {
  const held = new HeldBytes({ clock: systemClock });
  const came = Promise.withResolvers<IncomingMessage>();
  const server = createServer((request) => came.resolve(request));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n${body}`);
  const room = held.take.bind(held, "a");
  const reading = readBody(await came.promise, { bytesMax: 100, msMax: leave ? 600_000 : 1, room });
  if (leave) socket.destroy();
  const outcome = await reading.then(String, (error: Error & { code?: string }) => error.code ?? error.message);
  socket.destroy();
  server.close();
  return [outcome, held.bytes];
}

test.each([
  ["that never becomes whole", "content-length: 50", "x", false, "connection-lost"],
  ["that never becomes whole, in pieces", "transfer-encoding: chunked", "1\r\nx\r\n", false, "connection-lost"],
  ["whose sender leaves", "content-length: 50", "x", true, "connection-lost"],
  ["that says it is too long", "content-length: 101", "", false, "too-large"],
  ["that becomes too long", "transfer-encoding: chunked", `65\r\n${"x".repeat(101)}\r\n`, true, "too-large"],
])("[BG24] a body %s keeps no room", async (_, head, body, leave, code) => {
  const [outcome, bytes] = await end(head, body, leave);
  // What is too long may show only after its sender has left.
  expect([code, "connection-lost"]).toContain(outcome);
  expect(bytes).toBe(0);
});
