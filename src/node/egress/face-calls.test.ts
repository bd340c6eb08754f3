// Calls of faces as a run in a cage makes them, honest or not, before a server that stands for the daemon's own port.

import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { connect, createServer as createPlain, type Server as PlainServer, type Socket } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { TestClock } from "../../../test/support/test-clock.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import type { EgressInput } from "../../core/egress/egress-events.ts";
import { type CallableFace, FaceCalls } from "./face-calls.ts";
import { Ledger } from "./ledger.ts";

async function portOf(server: Server | PlainServer): Promise<number> {
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as { port: number }).port;
}

/** The forwarder's side of calls of one run, whose face is behind that port. */
function callsTo(port: number): Promise<number> {
  const ledger = new Ledger({ run: "r_1" }, async () => true, new TestClock());
  const face = { agent: {} as Agent, face: "page", port, host: "shop-1-page.localhost", key: "the key" };
  const calls = new FaceCalls({ name: "r_1", find: () => face, ledger });
  const target = { host: "shop-1-page.faces", port: 80 };
  const server = createServer((asked, answer) => void calls.call(asked, answer, target, asked.url ?? "/"));
  server.on(
    "upgrade",
    (asked: IncomingMessage, inside: Socket, head: Buffer) =>
      void calls.upgrade(asked, { inside, head }, target, asked.url ?? "/"),
  );
  return portOf(server);
}

const upgrading = "GET /live HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n";
const agreed = "HTTP/1.1 101 Yes\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n";

/** A server behind the face that agrees to everything, and what is done with each connection then. */
function agreeing(then: (socket: Socket) => void): Promise<number> {
  return portOf(
    createPlain((socket) => {
      socket
        .on("error", () => undefined)
        .once("data", () => {
          socket.write(agreed);
          then(socket);
        });
    }),
  );
}

/** Answers everything, and tells what it was asked and over which connection. */
async function daemon(): Promise<{ readonly port: number; readonly heard: string[]; readonly ways: Set<number> }> {
  const heard: string[] = [];
  const ways = new Set<number>();
  const port = await portOf(
    createServer((asked, answer) => {
      ways.add(asked.socket.remotePort ?? 0);
      void text(asked).then((body) => {
        heard.push(`${asked.method} ${asked.url} ${body}`);
        answer.end(`to ${asked.url}`);
      });
    }),
  );
  return { port, heard, ways };
}

async function ask(port: number, path: string): Promise<string> {
  const asked = request({ host: "127.0.0.1", port, path, agent: false }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return `${answer.statusCode} ${await text(answer)}`;
}

test("[FC16] what may not be called any more is cut off, and what may goes on", async () => {
  const told: EgressInput[] = [];
  const ledger = new Ledger({ agent: "a_1" }, async (input) => told.push(input) > 0, new TestClock());
  let tenant: string | undefined = "r_1";
  const begun = new EventEmitter();
  const port = await agreeing(() => void begun.emit("socket"));
  const silent = await portOf(createServer(() => void begun.emit("call")));
  const own = { agent: {} as Agent, face: "page", host: "shop-1-page.localhost", key: "the key" };
  const find = (label: string): CallableFace | undefined =>
    tenant === undefined ? undefined : { ...own, port: label === "silent" ? silent : port, tenant };
  const calls = new FaceCalls({ name: "house-1", find, ledger });
  const server = createServer(
    (asked, answer) => void calls.call(asked, answer, { host: "silent.faces", port: 80 }, "/"),
  ).on(
    "upgrade",
    (asked: IncomingMessage, inside: Socket, head: Buffer) =>
      void calls.upgrade(asked, { inside, head }, { host: "live.faces", port: 80 }, "/live"),
  );
  const inner = await portOf(server);
  const open = async (): Promise<{ socket: Socket; call: Promise<unknown> }> => {
    const both = Promise.all([once(begun, "socket"), once(begun, "call")]);
    const socket = connect(inner, "127.0.0.1").on("error", () => undefined);
    socket.write(upgrading);
    socket.resume();
    const asked = request({ host: "127.0.0.1", port: inner, path: "/", agent: false });
    const call = once(asked, "response").catch((error: unknown) => error);
    asked.end();
    await both;
    return { socket, call };
  };
  const first = await open();
  calls.recheck();
  expect([first.socket.destroyed, first.socket.readableEnded]).toEqual([false, false]);
  tenant = "r_2";
  const gone = once(first.socket, "close");
  calls.recheck();
  await gone;
  expect(await first.call).toBeInstanceOf(Error);
  const second = await open();
  tenant = undefined;
  const away = once(second.socket, "close");
  calls.recheck();
  await away;
  expect(await second.call).toBeInstanceOf(Error);
  const tried = told.filter(({ type }) => type === "egress.try");
  expect(tried.map(({ tenant: by }) => by)).toEqual(["r_1", "r_1", "r_2", "r_2"]);
});

test("[FC15] a body that looks like a request is a body, whatever the method, and no two calls share a connection", async () => {
  const { port, heard, ways } = await daemon();
  const calls = await callsTo(port);
  const smuggled = "POST /run/r_1/mcp HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-length: 0\r\n\r\n";
  const thief = connect(calls, "127.0.0.1");
  const chunked = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
  thief.write(`GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`);
  expect(await text(thief)).toContain("to /x");
  expect(await ask(calls, "/mine")).toBe("200 to /mine");
  expect(heard).toEqual([`GET /x ${smuggled}`, "GET /mine "]);
  expect(ways.size).toBe(2);
});

test.each([
  ["a status that nobody may repeat", "HTTP/1.1 200 O\x01K\r\ncontent-length: 2\r\n\r\nhi", "200 hi"],
  ["a trailer for a body that has none", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntrailer: x\r\n\r\nhi", "200 hi"],
  ["no HTTP at all", "hello\r\n\r\n", "502 signalbox: shop-1-page broke off\n"],
])("[FC15] %s ends no more than the call", async (_, said, expected) => {
  const port = await portOf(createPlain((socket) => void socket.on("error", () => undefined).end(said)));
  expect(await ask(await callsTo(port), "/")).toBe(expected);
});

test("[FC15] what comes with and after the request is carried both ways, every byte of it, until one has left", async () => {
  const calls = await callsTo(await agreeing((socket) => void socket.pipe(socket)));
  const inside = connect(calls, "127.0.0.1");
  const bytes = Buffer.alloc(3_000_000, "0123456789abcdef");
  inside.write(Buffer.concat([Buffer.from(upgrading), bytes]));
  inside.end();
  const heard = await buffer(inside);
  const head = heard.indexOf("\r\n\r\n") + 4;
  expect(heard.subarray(0, head).toString()).toMatch(/^HTTP\/1\.1 101 /);
  expect(heard.subarray(head).equals(bytes)).toBe(true);
});

test("[FC15] whoever leaves a WebSocket ends it for the other", async () => {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const calls = await callsTo(await agreeing((socket) => void socket.once("close", () => resolve())));
  const inside = connect(calls, "127.0.0.1");
  inside.write(upgrading);
  await once(inside, "data");
  inside.destroy();
  await expect(left).resolves.toBeUndefined();
  const broken = connect(await callsTo(await agreeing((socket) => socket.destroy())), "127.0.0.1");
  broken.on("error", () => undefined).write(upgrading);
  broken.resume();
  await once(broken, "close");
  expect(broken.bytesRead).toBeGreaterThan(0);
});

test.each([
  ["no HTTP at all", "hello\r\n\r\n", /^HTTP\/1\.1 502 [^]*shop-1-page broke off/],
  ["an answer in plain HTTP", "HTTP/1.1 404 No\r\ncontent-length: 2\r\n\r\nno", /^HTTP\/1\.1 404 Not Found[^]*no$/],
])("[FC15] where a WebSocket gets %s, that is said", async (_, said, expected) => {
  const calls = await callsTo(
    await portOf(createPlain((socket) => void socket.on("error", () => undefined).end(said))),
  );
  const inside = connect(calls, "127.0.0.1");
  inside.write(upgrading);
  expect(await text(inside)).toMatch(expected);
});

test("[FC15, EG8] however many a face answers plainly, and whatever is said after that, the next call has its turn", async () => {
  const port = await portOf(createServer((_asked, answer) => void answer.writeHead(404).end("none here")));
  const calls = await callsTo(port);
  for (let call = 0; call < 70; call++) {
    const wire = connect({ port: calls, host: "127.0.0.1", allowHalfOpen: true });
    wire.on("error", () => undefined).write(upgrading);
    expect(await text(wire)).toMatch(/^HTTP\/1.1 404/);
    wire.end("one thing more");
  }
});
