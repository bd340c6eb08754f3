// A forwarder on a real socket, with real servers behind it. Names lead where the test says.

import { once } from "node:events";
import { createServer as createHttp, type IncomingMessage, request } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { bridgeGreeting } from "../../protocol/keeper/bridge-greeting.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { TestClock } from "../../../test/support/test-clock.ts";
import type { RunEgress } from "../../core/egress/egress.ts";
import type { EgressInput } from "../../core/egress/egress-events.ts";
import { Forwarder } from "./forwarder.ts";
import { Ledger } from "./ledger.ts";

type Rig = {
  readonly socket: string;
  readonly told: EgressInput[];
  egress: RunEgress;
  readonly names: Record<string, string[]>;
  readonly asked: string[];
  readonly forwarder: Forwarder;
  readonly ledger: Ledger;
};

async function made(...allow: string[]): Promise<Rig> {
  const told: EgressInput[] = [];
  const report = async (input: EgressInput): Promise<boolean> => told.push(input) > 0;
  const ledger = new Ledger({ run: "r_1" }, report, new TestClock());
  const rig: { -readonly [K in keyof Rig]: Rig[K] } = {
    ...{ socket: join(makeTempFolder(), "s"), told, names: {}, asked: [], ledger },
    egress: { kind: "list", allow, policy: null },
    forwarder: new Forwarder({
      ...({ kind: "run", name: "r_1" } as const),
      project: () => "shop",
      egress: () => rig.egress,
      resolve: async (host) => {
        rig.asked.push(host);
        return rig.names[host] ?? [];
      },
      ledger,
    }),
  };
  rig.forwarder.server.listen(rig.socket);
  await once(rig.forwarder.server, "listening");
  onTestFinished(() => rig.forwarder.close());
  return rig;
}

/** Something on this machine's loopback that answers everything with what it heard. */
async function echo(): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => undefined);
    socket.pipe(socket);
  });
  return listenWith(server);
}

async function listenWith(server: ReturnType<typeof createServer>): Promise<number> {
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as { port: number }).port;
}

/** Says something to the forwarder, and answers with all that comes back. */
async function speak(rig: Rig, text: string): Promise<string> {
  const socket = connect({ path: rig.socket, allowHalfOpen: true });
  let heard = "";
  socket.on("data", (bytes: Buffer) => (heard += bytes.toString()));
  socket.on("error", () => undefined);
  socket.end(text);
  await once(socket, "close");
  expect(heard.startsWith(bridgeGreeting), "whoever connects is greeted").toBe(true);
  return heard.slice(bridgeGreeting.length);
}

const tunnel = (rig: Rig, to: string, more = ""): Promise<string> =>
  speak(rig, `CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n${more}`);

async function opened(rig: Rig, to: string): Promise<Socket> {
  const asked = request({ socketPath: rig.socket, method: "CONNECT", path: to, agent: false }).end();
  const [, socket] = (await once(asked, "connect")) as [IncomingMessage, Socket];
  return socket;
}

describe("a tunnel", () => {
  test("[EG9] carries bytes to a host that is listed, and is told with its bytes", async () => {
    const port = await echo();
    const rig = await made(`registry.test:${port}`, `127.0.0.1:${port}`);
    rig.names["registry.test"] = ["127.0.0.1"];
    expect(await tunnel(rig, `registry.test:${port}`, "hello")).toMatch(/^HTTP\/1.1 200 .*\r\n\r\nhello$/);
    await rig.ledger.close();
    const target = { run: "r_1", host: "registry.test", port };
    expect(rig.told).toEqual([
      { type: "egress.try", ...target, address: "127.0.0.1", refused: null },
      { type: "egress.sum", ...target, connections: 0, refusals: 0, bytesOut: 5, bytesIn: 5 },
    ]);
    expect(rig.asked).toEqual(["registry.test"]);
  });

  test("[EG8] who is not listed is told the host and how a person allows it", async () => {
    const rig = await made("example.org");
    const answer = await tunnel(rig, "gist.github.com:443");
    expect(answer).toMatch(/^HTTP\/1.1 403 Forbidden: gist.github.com:443 is not on the allow-list\r\n/);
    expect(answer).toContain("gist.github.com:443 is not on the allow-list of project shop");
    expect(answer).toContain("signalbox project change shop --allow gist.github.com\n");
    expect(await tunnel(rig, "example.org:22")).toContain("--allow example.org:22\n");
    expect(rig.told).toMatchObject([{ refused: "not-listed" }, { refused: "not-listed" }]);
    // Whether a name exists is nobody's business either.
    expect(rig.asked).toEqual([]);
  });

  test("[EG6] a name that leads back is refused, also if only one of its addresses does", async () => {
    const port = await echo();
    const rig = await made("*.rebind.test", `*.rebind.test:${port}`, "127.0.0.1:1");
    rig.names["a.rebind.test"] = ["93.184.216.34", "127.0.0.1"];
    rig.names["b.rebind.test"] = ["::ffff:127.0.0.1"];
    rig.names["c.rebind.test"] = ["169.254.169.254"];
    for (const name of ["a", "b", "c"]) {
      const answer = await tunnel(rig, `${name}.rebind.test:${port}`);
      expect(answer).toMatch(/^HTTP\/1.1 403 /);
      expect(answer).toContain("does not lead to a public address");
    }
    expect(rig.told.map((each) => "address" in each && [each.address, each.refused])).toEqual([
      ["127.0.0.1", "private-address"],
      ["::ffff:127.0.0.1", "private-address"],
      ["169.254.169.254", "private-address"],
    ]);
  });

  test("[EG6] open is every public host, and no other", async () => {
    const port = await echo();
    const rig = await made();
    rig.egress = { kind: "open", allow: [], policy: null };
    expect(await tunnel(rig, `127.0.0.1:${port}`)).toMatch(/^HTTP\/1.1 403 /);
    expect(await tunnel(rig, `[::1]:${port}`)).toMatch(/^HTTP\/1.1 403 /);
    expect(await tunnel(rig, `127.1:${port}`)).toMatch(/^HTTP\/1.1 400 /);
    rig.egress = { kind: "open", allow: [`127.0.0.1:${port}`], policy: null };
    expect(await tunnel(rig, `127.0.0.1:${port}`, "x")).toMatch(/^HTTP\/1.1 200 /);
  });

  test("[EG3] what is allowed is looked up for each connection", async () => {
    const port = await echo();
    const rig = await made();
    expect(await tunnel(rig, `127.0.0.1:${port}`)).toMatch(/^HTTP\/1.1 403 /);
    rig.egress = { kind: "list", allow: [`127.0.0.1:${port}`], policy: null };
    expect(await tunnel(rig, `127.0.0.1:${port}`, "x")).toMatch(/^HTTP\/1.1 200 /);
    rig.egress = { kind: "none", allow: [`127.0.0.1:${port}`], policy: "careful" };
    expect(await tunnel(rig, `127.0.0.1:${port}`)).toContain("policy careful allows none");
  });

  test("[EG7] TLS with another name than was asked for is ended, with nothing passed on", async () => {
    const heard: Buffer[] = [];
    const server = createServer((socket) => socket.on("data", (bytes) => heard.push(bytes)));
    const port = await listenWith(server);
    const rig = await made(`good.test:${port}`, `127.0.0.1:${port}`);
    rig.names["good.test"] = ["127.0.0.1"];
    const socket = await opened(rig, `good.test:${port}`);
    const tls = connectTls({ socket, servername: "evil.test" });
    tls.on("error", () => undefined);
    await once(socket, "close");
    expect(heard).toEqual([]);
    await rig.forwarder.close();
    expect(rig.told).toMatchObject([{ refused: null }, { host: "good.test", refused: "other-name" }]);
  });

  test("[EG8] a name without an address and a host that does not answer are told apart", async () => {
    const gone = createServer();
    const port = await listenWith(gone);
    gone.close();
    await once(gone, "close");
    const rig = await made("nobody.test", `127.0.0.1:${port}`);
    expect(await tunnel(rig, "nobody.test:443")).toMatch(/^HTTP\/1.1 502 [\s\S]*nobody.test has no address/);
    expect(await tunnel(rig, `127.0.0.1:${port}`)).toMatch(/^HTTP\/1.1 502 [\s\S]*is allowed and does not answer/);
  });

  test("[EG8] headers are bounded, and nonsense is answered", async () => {
    const rig = await made();
    expect(await speak(rig, `CONNECT a.org:443 HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431 /,
    );
    expect(await speak(rig, "CONNECT a.org HTTP/1.1\r\nHost: a.org\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /);
    expect(await speak(rig, "GET /x HTTP/1.1\r\nHost: a.org\r\n\r\n")).toContain("this is a forwarder");
    expect(await speak(rig, "nonsense\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /);
    expect(rig.told).toEqual([]);
  });
});

describe("a plain request", () => {
  test("is passed on with its body, to the host of its address whatever its header says", async () => {
    const server = createHttp((asked, answer) => {
      let body = "";
      asked.on("data", (bytes: Buffer) => (body += bytes.toString()));
      asked.on("end", () => {
        const { host, "proxy-authorization": secret } = asked.headers;
        answer.setHeader("x-own", "yes");
        answer.end(JSON.stringify({ method: asked.method, url: asked.url, host, secret, body }));
      });
    });
    const port = await listenWith(server);
    const rig = await made(`mirror.test:${port}`, `127.0.0.1:${port}`);
    rig.names["mirror.test"] = ["127.0.0.1"];
    const headers = { host: "other.test", "proxy-authorization": "Basic eDp5" };
    const path = `http://mirror.test:${port}/a?b`;
    const asked = request({ socketPath: rig.socket, method: "POST", path, headers, agent: false }).end("body");
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    expect(answer.headers["x-own"]).toBe("yes");
    const seen = JSON.parse(Buffer.concat(await answer.toArray()).toString()) as unknown;
    expect(seen).toEqual({ method: "POST", url: "/a?b", host: `mirror.test:${port}`, body: "body" });
    expect(rig.told[0]).toMatchObject({ host: "mirror.test", address: "127.0.0.1", refused: null });
  });

  test("[EG8] is refused like a tunnel", async () => {
    const rig = await made();
    const answer = await speak(rig, "GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 403 Forbidden: example.org:80 is not on the allow-list\r\n/);
    expect(answer).toContain("signalbox project change shop --allow example.org\n");
  });
});

test.each([
  ["a status that nobody may repeat", "HTTP/1.1 200 O\x01K\r\ncontent-length: 2\r\n\r\nhi", "200 OK"],
  ["a trailer for a body that has none", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntrailer: x\r\n\r\nhi", "200 OK"],
  ["no HTTP at all", "hello\r\n\r\n", "502 Bad Gateway"],
])("[EG9] a server that answers with %s ends no more than the request", async (_, said, expected) => {
  const port = await listenWith(createServer((socket) => void socket.on("error", () => undefined).end(said)));
  const rig = await made(`mirror.test:${port}`, `127.0.0.1:${port}`);
  rig.names["mirror.test"] = ["127.0.0.1"];
  const asked = request({ socketPath: rig.socket, path: `http://mirror.test:${port}/`, agent: false }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  expect(`${answer.statusCode} ${answer.statusMessage}`).toBe(expected);
  answer.resume();
});

test("[EG8] whoever is refused and says one thing more keeps nothing open", async () => {
  const rig = await made();
  const open = (): Promise<number> =>
    new Promise((resolve) => rig.forwarder.server.getConnections((_error, count) => resolve(count)));
  for (const target of ["bad_", "nowhere.example:443"]) {
    const socket = connect({ path: rig.socket, allowHalfOpen: true });
    socket.on("error", () => undefined).resume();
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, "end");
    // It says more, and does not leave by itself.
    socket.write("x");
    onTestFinished(() => void socket.destroy());
  }
  await expect.poll(open).toBe(0);
});
