import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSafeServer } from "node:https";
import { type AddressInfo, connect, createServer as createRawServer, type Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, begin, RelayRig, token } from "../../../test/support/relay-rig.ts";
import { tlsIdentity } from "../../../test/support/tls-identity.ts";
import { systemClock } from "../../adapters/clock/system-clock.ts";
import { TestClock } from "../../../test/support/test-clock.ts";
import type { McpServer } from "../../core/profile/mcp-server.ts";
import { HeldBytes } from "../relay/held-bytes.ts";
import { askServer } from "./ask-server.ts";
import { McpServers } from "./mcp-servers.ts";

const secret = "tool-secret-0123456789";
const letIn = { authorization: `Bearer ${token}` };

const clock = new TestClock();
const held = new HeldBytes({ clock, shareBytes: 1000, cageBytesMax: 30_000, poolBytes: 40_000, waitMsMax: 1000 });
let rig: RelayRig;
let servers: McpServers;
let server: Server;
let port = 0;
let heard: IncomingMessage[] = [];
/** What the server does with the next request. */
let reply: (asked: IncomingMessage, answer: ServerResponse) => void = (_, answer) => void answer.end("{}");
let socket = "";
let run = "";

beforeAll(async () => {
  rig = await RelayRig.open("conversations: []", { servers: { carry: (...given) => servers.carry(...given) } });
  servers = new McpServers({
    ...{ state: () => rig.engine.state, secrets: rig.secrets, clock: systemClock, idleMsMax: 300 },
    held,
    resolve: () => Promise.resolve([]),
    report: async (input) => (await rig.give(input)).ok,
    faces: () => undefined,
    onDefect: (error) => rig.defects.push(error),
  });
  server = createServer((asked, answer) => {
    heard.push(asked);
    asked.resume().once("end", () => reply(asked, answer));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
  await rig.secrets.set("TOOL_TOKEN", secret);
  await rig.secrets.set("BROKEN", "two\nlines-and-more");
  await rig.secrets.set("SHORT", "short");
  const at = (secretName: string): McpServer => ({
    url: `http://127.0.0.1:${port}/mcp?a=1`,
    headers: { Authorization: `Bearer {secret:${secretName}}`, "X-Plain": "yes" },
  });
  const mcpServers: Record<string, McpServer> = {
    ...{ notes: at("TOOL_TOKEN"), broken: at("BROKEN"), short: at("SHORT"), unknown: at("GONE") },
    elsewhere: { url: "https://elsewhere.example/mcp" },
    face: { face: "shop-1/tools" },
    local: { command: ["some-server"] },
  };
  await rig.give({ type: "profile.set", profile: { name: "served", settings: { mcpServers } }, ensure: false });
  await rig.allow(`127.0.0.1:${port}`);
  ({ run, socket } = await rig.run("script", "served"));
});

afterAll(async () => {
  await servers.close();
  server.closeAllConnections();
  server.close();
  await rig.close();
});

/** The sentence of a refusal, with its status. */
async function no(name: string, ...more: readonly [Record<string, string>?]): Promise<string> {
  const { status, body } = await ask(socket, `/servers/${name}`, { jsonrpc: "2.0" }, more[0] ?? letIn);
  return `${status} ${body.toString()}`;
}

describe("servers of tools", () => {
  test("[PF17] are asked with their secret, which the run does not see, and with nothing of the run's but what they need", async () => {
    heard = [];
    reply = (asked, answer) => {
      answer.writeHead(200, {
        "content-type": "application/json",
        "mcp-session-id": `s-${secret}`,
        "set-cookie": "a=b",
      });
      answer.write(`{"you sent": "${asked.headers.authorization ?? ""}", "in parts": "${secret.slice(0, 9)}`);
      answer.end(`${secret.slice(9)}", "encoded": "${Buffer.from(`x${secret}`).toString("base64")}"}`);
    };
    const sent = { ...letIn, "mcp-session-id": "s-1", "x-own": "mine", cookie: "c=d", accept: "text/event-stream" };
    const { status, headers, body } = await ask(socket, "/servers/notes", { jsonrpc: "2.0" }, sent);
    expect([status, heard[0]?.url, heard[0]?.method]).toEqual([200, "/mcp?a=1", "POST"]);
    expect(heard[0]?.headers).toMatchObject({
      ...{ authorization: `Bearer ${secret}`, "x-plain": "yes", "mcp-session-id": "s-1", accept: "text/event-stream" },
      host: `127.0.0.1:${port}`,
    });
    expect(Object.keys(heard[0]?.headers ?? {})).not.toEqual(expect.arrayContaining(["x-own"]));
    expect(heard[0]?.headers["cookie"]).toBeUndefined();
    expect(JSON.stringify(heard[0]?.headers)).not.toContain(token);
    expect(body.toString()).toContain('"you sent": "Bearer ****');
    expect(`${body.toString()}${JSON.stringify(headers)}`).not.toContain(secret);
    expect(body.toString()).not.toContain(Buffer.from(`x${secret}`).toString("base64").slice(4, 20));
    expect(headers["set-cookie"]).toBeUndefined();
    expect(rig.of("egress.tried").at(-1)).toMatchObject({ run, host: "127.0.0.1", port, refused: null });
    const [summed] = await rig.until("egress.summed", 1);
    expect(summed).toMatchObject({ run, host: "127.0.0.1" });
    expect(JSON.stringify(await rig.store.read(0, 10_000))).not.toContain(secret);
  });

  test("[PF17] stream as they speak, and are left when the assistant leaves", async () => {
    const left = Promise.withResolvers<void>();
    reply = (_, answer) => {
      answer.writeHead(200, { "content-type": "text/event-stream" });
      answer.write("data: one\n\n");
      answer.once("close", () => left.resolve());
    };
    const answer = await begin(socket, "/servers/notes", null, letIn);
    const piece = await new Promise<Buffer>((resolve) => answer.once("data", resolve));
    expect(piece.toString()).toBe("data: one\n\n");
    answer.destroy();
    await left.promise;
  });

  test("[PF17] are asked for a run that may ask: by its token, its profile and its network", async () => {
    heard = [];
    expect(await no("notes", { authorization: "Bearer other" })).toMatch(/^401 /);
    for (const name of ["nobody", "local"]) expect(await no(name)).toMatch(/^404 .*names no such server/);
    expect(await no("elsewhere")).toMatch(/^403 .*not on the allow-list of project p.*--allow elsewhere.example/);
    expect(rig.of("egress.tried").at(-1)).toMatchObject({ run, host: "elsewhere.example", refused: "not-listed" });
    expect(await no("face")).toMatch(/^403 .*there is no face shop-1-tools/);
    const other = await rig.run();
    expect((await ask(other.socket, "/servers/notes", {}, letIn)).status).toBe(404);
    await rig.give({ type: "run.pause", run });
    expect(await no("notes")).toMatch(/^503 .*is paused/);
    await rig.give({ type: "run.resume", run });
    await rig.give({ type: "run.driven", run, family: `${run}.1` });
    expect(heard).toEqual([]);
  });

  test("[PF17] that want a secret which is not there, or can be none, are not asked", async () => {
    heard = [];
    expect(await no("unknown")).toMatch(/^403 .*signalbox secret set GONE/);
    expect(await no("broken")).toMatch(/^403 .*cannot stand in a header/);
    expect(await no("short")).toMatch(/^403 .*fewer than 8 characters/);
    expect(heard).toEqual([]);
  });

  test.each<[string, RegExp, typeof reply]>([
    ["point elsewhere", /^502 .*redirects are not followed/, (_, a) => void a.writeHead(307, { location: "/" }).end()],
    ["compress", /^502 .*compressed/, (_, a) => void a.writeHead(200, { "content-encoding": "gzip" }).end("x")],
    ["say nothing", /^502 .*said nothing for too long/, () => undefined],
    ["break off", /^502 .*broke off/, (asked) => void asked.socket.destroy()],
    ["speak no HTTP", /^502 .*broke off/, (asked) => void asked.socket.end("hello there\r\n\r\n")],
  ])("[PF17] that %s end nothing but the request", async (_, sentence, does) => {
    reply = does;
    expect(await no("notes")).toMatch(sentence);
    expect(rig.defects).toEqual([]);
  });

  test("[BG24] a run that sends them much is refused when there is no room for it, and others are not", async () => {
    const come = Promise.withResolvers<ServerResponse>();
    reply = (_, answer) => come.resolve(answer);
    const large = { jsonrpc: "2.0", x: "x".repeat(19_000) };
    const first = ask(socket, "/servers/notes", large, letIn);
    const answer = await come.promise;
    reply = (_, more) => void more.end("{}");
    const second = ask(socket, "/servers/notes", large, letIn);
    const others = await rig.run("script", "served");
    expect((await ask(others.socket, "/servers/notes", {}, letIn)).status).toBe(200);
    while (clock.nextMs === undefined) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1000);
    const { status, headers, body } = await second;
    expect([status, headers["retry-after"]]).toEqual([429, "5"]);
    expect(JSON.parse(body.toString())).toMatchObject({
      jsonrpc: "2.0",
      error: { message: expect.stringContaining("no room for more") as string },
    });
    answer.end("{}");
    expect([(await first).status, held.bytes]).toEqual([200, 0]);
  });

  test("[PF17] may say much: it passes as fast as it is read", async () => {
    const piece = Buffer.alloc(65_536, "a");
    reply = (_, answer) => {
      let left = 400;
      const more = (): void => {
        while (left-- > 0) if (!answer.write(piece)) return void answer.once("drain", more);
        answer.end();
      };
      more();
    };
    const { status, body } = await ask(socket, "/servers/notes", {}, letIn);
    expect([status, body.length]).toEqual([200, 400 * piece.length]);
  });

  test("[PF17] are not asked for a run that is over, and nothing is counted for it", async () => {
    heard = [];
    const { run: over } = await rig.run("script", "served");
    await rig.give({ type: "run.terminate", select: { by: "run", run: over }, because: "" });
    // The relay may have let it in just before.
    const door = createServer((asked, answer) => void servers.carry(over, "notes", asked, answer));
    await new Promise<void>((resolve) => void door.listen(0, "127.0.0.1", resolve));
    const answer = await fetch(`http://127.0.0.1:${(door.address() as AddressInfo).port}`, { method: "POST" });
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining(`${over} is over`)]);
    expect(heard).toEqual([]);
    door.close();
  });
});

describe("a server that is asked", () => {
  const authorities = getCACertificates();
  const servers: { close: () => void }[] = [];
  const sockets: Socket[] = [];
  afterAll(() => {
    setDefaultCACertificates(authorities);
    for (const each of sockets) each.destroy();
    for (const each of servers) each.close();
  });

  /** Asks what listens somewhere for somebody whose answer is read by nobody, and says how that ended. */
  async function askAt(url: string, at: AddressInfo, answer: ServerResponse): Promise<string> {
    const socket = connect(at.port, at.address);
    sockets.push(socket);
    const order = { url: new URL(url), socket, headers: {}, body: Buffer.from("{}"), values: [], idleMsMax: 600_000 };
    const asked = { method: "POST", headers: {} } as IncomingMessage;
    return askServer(order, asked, answer).then(
      () => "answered",
      (error: Error & { why?: string }) => error.why ?? error.message,
    );
  }

  const listen = (made: Server | ReturnType<typeof createRawServer>, host: string): Promise<AddressInfo> =>
    new Promise((resolve) => {
      servers.push(made);
      made.listen(0, host, () => resolve(made.address() as AddressInfo));
    });

  /** Somebody's request to us, as long as they do not leave. */
  async function someone(): Promise<{ readonly answer: ServerResponse; readonly leave: () => void }> {
    const came = Promise.withResolvers<ServerResponse>();
    const at = await listen(
      createServer((_, answer) => came.resolve(answer)),
      "127.0.0.1",
    );
    const socket = connect(at.port, at.address);
    sockets.push(socket);
    socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    return { answer: await came.promise, leave: () => void socket.destroy() };
  }

  test.each([
    ["a name", "127.0.0.1", (port: number) => `https://tools.example:${port}/`, "tools.example"],
    ["an address", "127.0.0.1", (port: number) => `https://127.0.0.1:${port}/`, false],
    ["an address of the longer kind", "::1", (port: number) => `https://[::1]:${port}/`, false],
  ])("[PF17] over TLS has to be who it is asked for by %s", async (_, host, urlOf, named) => {
    setDefaultCACertificates([tlsIdentity.cert]);
    let servername: unknown;
    const made = createSafeServer(tlsIdentity, (asked, answer) => {
      ({ servername } = asked.socket as TLSSocket & { servername: unknown });
      answer.end("{}");
    });
    const at = await listen(made, host);
    expect(await askAt(urlOf(at.port), at, (await someone()).answer)).toBe("answered");
    expect(servername).toBe(named);
    const other = await askAt(`https://other.example:${at.port}/`, at, (await someone()).answer);
    expect(other).toContain("no safe connection came about");
  });

  test("[PF17] is left when whoever asked leaves, also before there is a safe connection, and not asked for them after", async () => {
    const met = Promise.withResolvers<Socket>();
    const at = await listen(
      createRawServer((socket) => met.resolve(socket)),
      "127.0.0.1",
    );
    const { answer, leave } = await someone();
    const asked = askAt(`https://tools.example:${at.port}/`, at, answer);
    const socket = await met.promise;
    sockets.push(socket.resume());
    const isLeft = new Promise((resolve) => socket.once("close", resolve));
    leave();
    expect(await asked).toContain("no safe connection came about");
    await isLeft;
    expect(await askAt(`http://127.0.0.1:${at.port}/`, at, answer)).toBe("whoever asked has left");
  });
});
