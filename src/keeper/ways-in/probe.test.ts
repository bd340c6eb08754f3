import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { KeeperRig, noCages, whos } from "../../../test/support/keeper-rig.ts";
import { dial } from "./dial.ts";
import { probe } from "./probe.ts";

const port = 31_130;
const patientMs = 20_000;

describe.skipIf(noCages).each(whos)("a look at a service inside, as %s", (who) => {
  let rig: KeeperRig;
  let end: () => Promise<void>;

  beforeAll(async () => {
    ({ rig, end } = await KeeperRig.shared(who));
  });
  afterAll(() => end());

  async function serve(what: string): Promise<void> {
    const call = await rig.begin(`exec ${process.execPath} -e '
      require("http").createServer((q, r) => { ${what} }).listen(${port}, "127.0.0.1", () => console.log("listening"));' 2>&1`);
    onTestFinished(async () => void (await rig.client.stop(call, 0)));
    await rig.heard(call, "listening");
  }

  test("[AG34] says that nothing listens, also when nothing runs inside", async () => {
    const nothing = { ok: false, what: `nothing listens on port ${port}` };
    expect(await rig.client.probe({ port, timeoutMs: patientMs })).toMatchObject(nothing);
    await rig.client.stopAll(0);
    expect(await rig.client.probe({ port, timeoutMs: patientMs, http: { path: "/" } })).toMatchObject(nothing);
  });

  test("[AG34] a connection is enough where no more is asked, and a status below 400 where it is", async () => {
    await serve('r.writeHead(q.url === "/well?now" && q.headers.host === "localhost:31130" ? 204 : 500).end()');
    const connected = await rig.client.probe({ port, timeoutMs: patientMs });
    expect(connected).toMatchObject({ ok: true, what: `port ${port} takes connections` });
    expect(connected.ms).toBeGreaterThanOrEqual(0);
    const well = await rig.client.probe({ port, timeoutMs: patientMs, http: { path: "/well?now" } });
    expect(well).toMatchObject({ ok: true, what: "it answered with status 204" });
    const ill = await rig.client.probe({ port, timeoutMs: patientMs, http: { path: "/ill" } });
    expect(ill).toMatchObject({ ok: false, what: "it answered with status 500" });
  });

  test("[AG34] what is no port or no path is refused", async () => {
    await expect(rig.client.probe({ port: 70_000, timeoutMs: 1 })).rejects.toThrow("has to be a port");
    const http = { path: "/ HTTP/1.1\r\nx: y" };
    await expect(rig.client.probe({ port, timeoutMs: 1, http })).rejects.toThrow("no path");
  });

  test("[AG34] without a cage the port is the machine's", async () => {
    const free = await KeeperRig.open(who, { order: { caged: false } });
    const server = createServer((socket) => socket.end());
    onTestFinished(() => void server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const there = (server.address() as AddressInfo).port;
    expect(await free.client.probe({ port: there, timeoutMs: patientMs })).toMatchObject({ ok: true });
  });
});

describe("what a service may answer", () => {
  async function ask(serve: (socket: Socket) => void, timeoutMs = patientMs): Promise<unknown> {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      serve(socket);
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port: there } = server.address() as AddressInfo;
    const { ok, what } = await probe({ op: "probe", port: there, timeoutMs, http: { path: "/" } }, dial);
    return `${ok}: ${what}`;
  }
  const saying =
    (...words: string[]) =>
    (socket: Socket): void => {
      void (async () => {
        await once(socket, "data");
        for (const word of words) await new Promise((resolve) => socket.write(word, "latin1", resolve));
      })();
    };

  test.each([
    ["a status", ["HTTP/1.1 200 OK\r\n\r\n"], "true: it answered with status 200"],
    ["a status in pieces", ["HT", "TP/1.0 30", "2\r", "\n"], "true: it answered with status 302"],
    ["hints first", ["HTTP/1.1 103 Hints\r\nx: y\r\n\r\nHTTP/1.1 503 No\r\n"], "false: it answered with status 503"],
    ["a wait first", ["HTTP/1.1 100 On\r\n", "\r\n", "HTTP/1.1 404\n"], "false: it answered with status 404"],
    ["another protocol", ["SSH-2.0-OpenSSH_9.9\r\n"], "false: it answered, but not in HTTP"],
    ["bytes", ["\x15\x03\x01"], "false: it answered, but not in HTTP"],
    ["no status", ["HTTP/1.1 fine\r\n"], "false: it answered, but not in HTTP"],
    ["a line without end", ["HTTP/1.1 200", "x".repeat(20_000)], "false: it answered, but not in HTTP"],
  ])("[AG34] %s", async (_, words, seen) => {
    expect(await ask(saying(...words))).toBe(seen);
  });

  test("[AG34] nothing, and then the end, in order or not", async () => {
    expect(await ask((socket) => void socket.once("data", () => socket.end()))).toContain("without an answer");
    expect(await ask((socket) => void socket.once("data", () => socket.resetAndDestroy()))).toContain(
      "without an answer",
    );
  });

  test("[AG34] nothing at all, for as long as was asked; and then its connection is over", async () => {
    const closed = Promise.withResolvers<void>();
    const slow = (socket: Socket): void => void socket.resume().once("close", () => closed.resolve());
    expect(await ask(slow, 50)).toBe("false: there was no answer within 50 ms");
    await closed.promise;
  });

  test("[AG34] a service is let finish what it says", async () => {
    const over = Promise.withResolvers<boolean>();
    const answer = `HTTP/1.1 200 OK\r\n\r\n${"x".repeat(4_000_000)}`;
    const long = (socket: Socket): void =>
      void socket
        .once("close", (wasCutOff) => over.resolve(wasCutOff))
        .resume()
        .end(answer);
    expect(await ask(long)).toBe("true: it answered with status 200");
    expect(await over.promise).toBe(false);
  });
});
