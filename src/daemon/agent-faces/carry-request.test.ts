import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createPlain } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { TestClock } from "../../../test/support/test-clock.ts";
import { outerHost } from "../../protocol/keeper/outer-host.ts";
import { carryRequest, type NoAnswer } from "./carry-request.ts";
import { toServiceHeaders } from "./face-headers.ts";

const open: { close: () => unknown }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function listen(server: Server | ReturnType<typeof createPlain>, host: string): Promise<number> {
  open.push(server);
  server.listen(0, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** A server that carries everything to a service, and says why there was no answer. */
async function carrier(service: number, clock = new TestClock()): Promise<{ port: number; clock: TestClock }> {
  const answer =
    (expects: boolean): RequestListener =>
    (request, response) => {
      const headers = toServiceHeaders(request.rawHeaders, { host: "a.localhost", origin: true, isOurs: () => false });
      const onNoAnswer = (why: NoAnswer): void => void response.writeHead(502).end(why);
      carryRequest(request, response, { port: service, headers, clock, answerMsMax: 2000, onNoAnswer }, expects);
    };
  const server = createServer(answer(false)).on("checkContinue", answer(true));
  return { port: await listen(server, "127.0.0.1"), clock };
}

/** Sends bytes, and answers with what came until the other side closed, or until it matched. */
async function send(port: number, bytes: string, until: RegExp, meanwhile?: () => unknown): Promise<string> {
  const wire = connect(port, "127.0.0.1", () => wire.write(bytes, "latin1"));
  let heard = "";
  wire.on("data", (part) => {
    heard += part.toString("latin1");
    if (until.test(heard)) wire.destroy();
  });
  wire.on("error", () => undefined);
  await meanwhile?.();
  await once(wire, "close");
  return heard;
}

const head = (line: string, ...headers: string[]): string => `${[line, "Host: a", ...headers].join("\r\n")}\r\n\r\n`;

describe("a request that is carried", () => {
  test("[FC11] a service that takes it and says nothing is given up", async () => {
    const asked = Promise.withResolvers<void>();
    const service = await listen(
      createServer(() => asked.resolve()),
      outerHost,
    );
    const { port, clock } = await carrier(service);
    const heard = await send(port, head("GET / HTTP/1.1"), /slow$/m, async () => {
      await asked.promise;
      clock.advance(1999);
      expect(clock.nextMs).toBe(1);
      clock.advance(1);
    });
    expect(heard).toContain("slow");
  });

  test("[FC10, FC11] a body that moves on is waited for, however long it takes", async () => {
    let seen = "";
    const parts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const service = await listen(
      createServer((asked, answer) => {
        asked.on("data", (part) => {
          seen += String(part);
          parts[seen.length - 1]?.resolve();
        });
        asked.on("end", () => answer.end(`got ${seen}`));
      }),
      outerHost,
    );
    const { port, clock } = await carrier(service);
    const wire = connect(port, "127.0.0.1");
    wire.write(head("POST / HTTP/1.1", "Content-Length: 2") + "a");
    await parts[0]?.promise;
    clock.advance(1900);
    wire.write("b");
    await parts[1]?.promise;
    clock.advance(1900);
    const [answer] = (await once(wire, "data")) as [Buffer];
    expect(String(answer)).toContain("200 OK");
    wire.destroy();
  });

  test("[FC10] a service that knows no leave to send gets the body after a moment", async () => {
    const asked = Promise.withResolvers<void>();
    const old = createPlain((wire) => {
      let heard = "";
      wire.on("data", (part) => {
        heard += String(part);
        if (heard.includes("\r\n\r\n")) asked.resolve();
        if (heard.endsWith("body")) wire.end("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\ngot");
      });
    });
    const { port, clock } = await carrier(await listen(old, outerHost));
    const wire = connect(port, "127.0.0.1");
    wire.write(head("POST / HTTP/1.1", "Content-Length: 4", "Expect: 100-continue"));
    await asked.promise;
    clock.advance(1000);
    expect(String(((await once(wire, "data")) as [Buffer])[0])).toContain("100 Continue");
    wire.write("body");
    expect(String(((await once(wire, "data")) as [Buffer])[0])).toContain("200 OK");
    wire.destroy();
  });

  test.each([
    ["two lengths", ["Content-Length: 4", "Content-Length: 5"]],
    ["a length and parts", ["Content-Length: 4", "Transfer-Encoding: chunked"]],
    ["parts that are no parts", ["Transfer-Encoding: xchunked"]],
    ["parts twice", ["Transfer-Encoding: chunked, identity"]],
    ["a length in letters", ["Content-Length: 0x4"]],
    ["a header that goes on in the next line", ["X-A: 1", " Transfer-Encoding: chunked"]],
  ])("[FC10] a body of which it is not sure where it ends reaches no service: %s", async (_, headers) => {
    let isReached = false;
    const service = await listen(
      createServer((asked, answer) => {
        isReached ||= asked.url !== "/first";
        answer.end(asked.url);
      }),
      outerHost,
    );
    const { port } = await carrier(service);
    const hidden = head("GET /hidden HTTP/1.1");
    await send(port, `${head("POST /first HTTP/1.1", ...headers)}0\r\n\r\n${hidden}`, /400|first|\/hidden/);
    expect(isReached).toBe(false);
  });

  test("[FC10] what follows a request on the same connection is a request of its own, and no part of its body", async () => {
    const seen: string[] = [];
    const service = await listen(
      createServer((asked, answer) => {
        let body = "";
        asked.on("data", (part) => (body += String(part)));
        asked.on("end", () => {
          seen.push(`${asked.method} ${asked.url} ${body}`);
          answer.end("done");
        });
      }),
      outerHost,
    );
    const { port } = await carrier(service);
    const chunked = head("DELETE /a HTTP/1.1", "Transfer-Encoding: chunked") + "3\r\nGET\r\n0\r\n\r\n";
    const more = head("GET /b HTTP/1.1", "Content-Length: 0") + head("GET /c HTTP/1.1", "Connection: close");
    await send(port, chunked + more, /(?:done[^]*){3}/);
    expect(seen).toEqual(["DELETE /a GET", "GET /b ", "GET /c "]);
  });

  test.each([
    ["nothing", "", "down"],
    ["half of a head", "HTTP/1.1 200 OK\r\nx: ", "down"],
    ["no HTTP", "SSH-2.0-x\r\n", "garbled"],
    ["a head without an end", `HTTP/1.1 200 OK\r\nx: ${"x".repeat(70_000)}\r\n\r\n`, "garbled"],
    ["a switch that nobody asked for", "HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", "down"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\nx", "garbled"],
  ])("[FC11] a service that answers with %s gives our sentence", async (_, said, why) => {
    const service = await listen(
      createPlain((wire) => {
        wire.on("error", () => undefined);
        wire.once("data", () => wire.end(said));
      }),
      outerHost,
    );
    const { port } = await carrier(service);
    expect(await send(port, head("GET / HTTP/1.1"), /down|garbled/)).toMatch(new RegExp(why));
  });
});
