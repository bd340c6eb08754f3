import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer as createHttpServer, type Server as HttpServer, type ServerResponse } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { bridgeGreeting } from "../../protocol/keeper/bridge-greeting.ts";
import { requestHeader } from "../../protocol/keeper/held-request.ts";
import { asOf, giveTo, KeeperRig, noCages, whos } from "../../../test/support/keeper-rig.ts";

const port = 31_128;
const heldPort = 31_129;

describe.skipIf(noCages).each(whos)("a bridge out of the cage, as %s", (who) => {
  let rig: KeeperRig;
  let end: () => Promise<void>;
  let folder: string;
  const socket = (): string => join(folder, "out.sock");
  const heldSocket = (): string => join(folder, "held.sock");

  beforeAll(async () => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), "signalbox-test-"));
    giveTo(who, folder);
    const order = {
      binds: [process.execPath],
      bridges: [
        { port, socket: socket() },
        { port: heldPort, socket: heldSocket(), holds: true as const },
      ],
    };
    ({ rig, end } = await KeeperRig.shared(who, { order }));
  });
  afterAll(async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Somebody on the machine's side of the socket. */
  async function listen(serve: (connection: Socket) => void): Promise<Server> {
    const server = createServer({ allowHalfOpen: true }, (connection) => {
      connection.write(bridgeGreeting);
      serve(connection);
    });
    onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
    rmSync(socket(), { force: true });
    await new Promise<void>((resolve) => void server.listen(socket(), resolve));
    if (asOf(who) !== null) chmodSync(socket(), 0o666);
    return server;
  }

  /** Connects from inside, says something, ends its half, and prints what comes back. */
  const speak = (words: string, to: number = port): string =>
    `${process.execPath} -e '
      const s = require("net").connect({ port: ${to}, host: "127.0.0.1", allowHalfOpen: true });
      s.on("connect", () => { console.log("connected"); s.end(${words}); });
      let n = 0; s.on("data", (b) => { n += b.length; if (n < 100) process.stdout.write(b); });
      s.on("error", (e) => console.log(e.code)); s.on("close", () => console.log("bytes", n));' 2>&1`;

  const echo = (connection: Socket): void => void connection.pipe(connection);

  test("carries bytes both ways, and one half goes on when the other is over", async () => {
    await listen((connection) => {
      let said = "";
      connection.on("data", (bytes) => (said += bytes.toString()));
      connection.on("end", () => connection.end(`heard ${said}\n`));
    });
    expect(await rig.said(speak('"hello"'))).toBe("connected\nheard hello\nbytes 12");
  });

  test("carries more than any buffer holds", async () => {
    await listen(echo);
    expect(await rig.said(speak("Buffer.alloc(8e6)"))).toContain("bytes 8000000");
  });

  test("is there again after everything inside was ended", async () => {
    await listen(echo);
    await rig.client.stopAll(0);
    expect(await rig.said(speak('"again\\n"'))).toContain("again");
  });

  test("a connection waits for somebody who is away", async () => {
    rmSync(socket(), { force: true });
    const call = await rig.begin(speak('"patient\\n"'));
    await rig.heard(call, "connected");
    await listen(echo);
    expect((await rig.client.wait(call)).tail).toContain("patient");
  });

  test("a connection that somebody dying took, and did not greet, is made again with the next one", async () => {
    const taken = Promise.withResolvers<void>();
    const dying = createServer((connection) => {
      connection.destroy();
      taken.resolve();
    });
    rmSync(socket(), { force: true });
    await new Promise<void>((resolve) => void dying.listen(socket(), resolve));
    if (asOf(who) !== null) chmodSync(socket(), 0o666);
    const call = await rig.begin(speak('"whole\\n"'));
    await taken.promise;
    await new Promise<void>((resolve) => void dying.close(() => resolve()));
    await listen(echo);
    expect((await rig.client.wait(call)).tail).toBe("connected\nwhole\nbytes 6\n");
  });

  test("a request is held while nobody answers, and asked again under its name when whoever was to answer has died", async () => {
    type Heard = { readonly name: string; readonly body: string; readonly response: ServerResponse };
    const heard: Heard[] = [];
    let more = Promise.withResolvers<void>();
    const begin = async (): Promise<HttpServer> => {
      const server = createHttpServer((incoming, response) => {
        const name = String(incoming.headers[requestHeader]);
        void incoming.toArray().then((pieces) => {
          heard.push({ name, body: pieces.join(""), response });
          more.resolve();
        });
      });
      rmSync(heldSocket(), { force: true });
      await new Promise<void>((resolve) => void server.listen(heldSocket(), resolve));
      if (asOf(who) !== null) chmodSync(heldSocket(), 0o666);
      return server;
    };
    const nextHeard = async (): Promise<Heard> => {
      await more.promise;
      more = Promise.withResolvers();
      return heard.at(-1) as Heard;
    };
    const end = (server: HttpServer): Promise<void> => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    };
    const asks = `${process.execPath} -e '
      fetch("http://127.0.0.1:${heldPort}/mcp", { method: "POST", body: "a call", headers: { "${requestHeader}": "forged" } })
        .then(async (r) => console.log(r.status, JSON.stringify(await r.text())), (e) => console.log(String(e.cause)));' 2>&1`;
    const call = await rig.begin(asks);
    let server = await begin();
    const first = await nextHeard();
    await end(server);
    server = await begin();
    const second = await nextHeard();
    second.response.writeHead(200, { "content-type": "text/event-stream" });
    second.response.write('event: message\ndata: {"progress":1}\n\nevent: mess');
    await new Promise((resolve) => second.response.write('age\ndata: {"half', resolve));
    await end(server);
    server = await begin();
    onTestFinished(() => end(server));
    const third = await nextHeard();
    third.response.writeHead(200, { "content-type": "text/event-stream" });
    third.response.end('event: message\ndata: {"id":1,"result":{}}\n\n');
    const said = (await rig.client.wait(call)).tail;
    expect(said).toContain('200 "event: message\\ndata: {');
    expect(said).not.toContain("half");
    expect(said).toContain("result");
    expect(new Set(heard.map(({ name }) => name)).size).toBe(1);
    expect(first.name).not.toBe("forged");
    expect(first.body).toBe("a call");
  });

  test("it leads to its socket alone: the machine's own loopback is not there, nor anything of ours", async () => {
    const stranger = createServer((connection) => connection.end("the machine"));
    onTestFinished(() => void stranger.close());
    await new Promise<void>((resolve) => void stranger.listen(0, "127.0.0.1", resolve));
    const { port: other } = stranger.address() as { port: number };
    expect(await rig.said(speak('"x"', other))).toBe("ECONNREFUSED\nbytes 0");
    expect(await rig.said(`ls ${folder} 2>&1`)).toContain("No such file");
    expect(await rig.said("cat /proc/[0-9]*/cmdline | tr '\\0' ' '")).not.toContain("listen-inside");
  });
});
