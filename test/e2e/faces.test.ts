// Faces of living agents: real servers in real cages, reached through a real daemon.

import { execFile, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { builtProgram } from "../support/built-program.ts";
import { noCages } from "../support/keeper-rig.ts";
import { FaceRig, type Headers } from "../support/face-rig.ts";

const noPython = spawnSync("python3", ["--version"]).status !== 0;
const containing = (part: string): string => expect.stringContaining(part) as string;
const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string;
const refusalOf = async (socket: WebSocket): Promise<string> => String(((await once(socket, "error")) as [Error])[0]);

describe.skipIf(noCages)("faces", () => {
  let rig: FaceRig;
  let cookie: string;
  let ids: string[];

  beforeAll(async () => {
    rig = await FaceRig.start();
    const agents = await Promise.all([rig.make(), rig.make()]);
    for (const agent of agents) if (agent.state !== "running") throw new Error(JSON.stringify(agent, null, 1));
    ids = agents.toSorted((a, b) => a.name.localeCompare(b.name)).map(({ id }) => id);
    cookie = await rig.open("shop-1", "web");
  });
  afterAll(() => rig.close());

  const own = (more: Headers = {}): Record<string, string> => ({ cookie, ...more });
  const page = (): Record<string, string> => ({ origin: rig.originOf("shop-1-web") });

  test("[FC1, FC9] an agent's faces are listed with their addresses", async () => {
    const { faces } = await rig.client.call("face.list", { agent: "shop-1" });
    expect(faces.map(({ name, kind, title, state, url }) => [name, kind, title, state, url])).toEqual([
      ["web", "web", "The shop", "up", `${rig.originOf("shop-1-web")}/home?a=1`],
      ["tools", "mcp", null, "up", `${rig.originOf("shop-1-tools")}/mcp`],
      ["raw", "web", null, "up", `${rig.originOf("shop-1-raw")}/`],
      ["nobody", "web", null, "up", `${rig.originOf("shop-1-nobody")}/`],
    ]);
    expect((await rig.client.call("face.list", {})).faces).toHaveLength(8);
    const { agent } = await rig.client.call("agent.get", { agent: "shop-1" });
    expect(agent.faces.map(({ name }) => name)).toEqual(["web", "tools", "raw", "nobody"]);
  });

  test("[FC1, FC4] the command line lists faces, and prints the way in", async () => {
    const env = { ...process.env, SIGNALBOX_HOME: rig.daemon.home };
    const main = builtProgram("cli");
    const cli = async (...words: string[]): Promise<string> =>
      (await promisify(execFile)(process.execPath, [main, ...words], { env })).stdout;
    expect(await cli("face", "list", "shop-1")).toMatch(
      /shop-1 +web +up +http:\/\/shop-1-web\.localhost:\d+\/home\?a=1 +page of web: The shop/,
    );
    expect(await cli("agent", "show", "shop-2")).toMatch(
      /tools +http:\/\/shop-2-tools\.localhost:\d+\/mcp +MCP endpoint of web/,
    );
    const printed = await cli("face", "open", "shop-1", "web", "--print");
    const { pathname, search } = new URL(printed.trim());
    expect(await rig.ask("shop-1-web", { path: `${pathname}${search}` })).toMatchObject({ status: 303 });
    const [address = "", header = ""] = (await cli("face", "open", "shop-1", "tools")).split("\n");
    expect(address).toBe(`${rig.originOf("shop-1-tools")}/mcp`);
    const headers = { authorization: header.replace("authorization: ", "") };
    expect(await rig.ask("shop-1-tools", { path: "/mcp", headers })).toMatchObject({ status: 200 });
  });

  test("[FC2] an agent whose name fits no host name is refused, and one whose name does is not", async () => {
    for (const name of ["Shop", "shop.1", "a_b", "xn--shop", "a".repeat(47)])
      await expect(rig.make(undefined, name)).rejects.toMatchObject({ code: "bad-input" });
    const plain = "template: plain\nservices: { idle: { command: sleep 1000 } }";
    expect(await rig.make(plain, "Shop.1")).toMatchObject({ state: "running", faces: [] });
  });

  test("[FC4, FC14] a link opens its face once, and leaves a cookie for that host alone", async () => {
    const { url, token } = await rig.client.call("face.open", { agent: "shop-1", face: "web" });
    const { origin, pathname, search } = new URL(url);
    expect([origin, token]).toEqual([rig.originOf("shop-1-web"), null]);
    const path = `${pathname}${search}`;
    const looked = await rig.ask("shop-1-web", { method: "HEAD", path });
    expect(looked.status).toBe(404);
    // What an earlier agent's page left in the browser may send it to another address than that of the link.
    const cleared = await rig.ask("shop-1-web", { path: `${path}&cleared` });
    expect(cleared.status).toBe(303);
    expect(cleared.headers).toMatchObject({ "clear-site-data": '"cache", "cookies", "storage"' });
    expect(cleared.headers).not.toHaveProperty("set-cookie");
    const opened = await rig.ask("shop-1-web", { path: cleared.headers.location ?? "" });
    expect([opened.status, opened.headers.location]).toEqual([303, "/home?a=1"]);
    expect(opened.headers["set-cookie"]).toEqual([
      matching(/^signalbox_face_\d+=\S+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/),
      matching(/^signalbox_owner_\d+=\S+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/),
    ]);
    expect(await rig.ask("shop-1-web", { path })).toMatchObject({ status: 401 });
    // Whoever has it open goes on, and keeps what the browser has.
    expect(await rig.ask("shop-1-web", { path, headers: own() })).toMatchObject({ status: 303 });
  });

  test("[FC4] a link of one face opens no other, and is used up by trying", async () => {
    const { url } = await rig.client.call("face.open", { agent: "shop-1", face: "web" });
    const { pathname, search } = new URL(url);
    const asked = { path: `${pathname}${search}` };
    for (const label of ["shop-2-web", "shop-1-raw", "shop-1-web"])
      expect(await rig.ask(label, asked)).toMatchObject({
        status: 401,
        body: containing("not open here"),
      });
  });

  test("[FC5] the cookie of one face opens no other, of the same agent or another, and not the console", async () => {
    expect(await rig.ask("shop-1-web", { path: "/health", headers: own() })).toMatchObject({
      status: 200,
      body: "well",
    });
    for (const label of ["shop-2-web", "shop-1-raw", "shop-1-tools"])
      expect(await rig.ask(label, { path: "/health", headers: own() })).toMatchObject({ status: 401 });
    const asConsole = { host: `127.0.0.1:${rig.port}`, cookie: cookie.replace("_face", "") };
    expect(await rig.ask("x", { path: "/api/v1/status", headers: asConsole })).toMatchObject({ status: 401 });
    const { url } = await rig.client.call("login", {});
    const link = new URL(url);
    const host = `127.0.0.1:${rig.port}`;
    const login = await rig.ask("x", { path: `${link.pathname}${link.search}`, headers: { host } });
    const session = login.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    for (const wrong of [session, session.replace("signalbox_", "signalbox_face_")])
      expect(await rig.ask("shop-1-web", { path: "/health", headers: { cookie: wrong } })).toMatchObject({
        status: 401,
      });
  });

  test("[FC5] without a key there is a sentence: text for programs, a page that can do nothing for browsers", async () => {
    const bare = await rig.ask("shop-1-web");
    expect([bare.status, bare.headers["content-type"]]).toEqual([401, "text/plain; charset=utf-8"]);
    expect(bare.body).toContain("signalbox face open shop-1 web");
    const shown = await rig.ask("shop-1-web", { headers: { accept: "text/html,*/*" } });
    expect(shown.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
    const wire = connect(rig.port, "127.0.0.1");
    wire.write(`POST / HTTP/1.1\r\nhost: ${rig.hostOf("shop-1-web")}\r\ncontent-length: 1000\r\n\r\nnever more`);
    wire.resume();
    await once(wire, "end");
    wire.destroy();
    for (const token of ["", "x", `${rig.token}x`])
      expect(await rig.ask("shop-1-web", { headers: rig.bearer(token) })).toMatchObject({ status: 401 });
  });

  test("[FC5, FC9] a program gets in with the daemon's token or the face's own, which no model is given", async () => {
    expect(await rig.ask("shop-1-web", { path: "/health", headers: rig.bearer() })).toMatchObject({ status: 200 });
    const { url, token } = await rig.client.call("face.open", { agent: "shop-1", face: "tools" });
    expect(url).toBe(`${rig.originOf("shop-1-tools")}/mcp`);
    const headers = rig.bearer(token ?? "");
    expect(await rig.ask("shop-1-tools", { path: "/mcp", headers })).toMatchObject({ status: 200 });
    for (const label of ["shop-2-tools", "shop-1-web"])
      expect(await rig.ask(label, { headers })).toMatchObject({ status: 401 });
    const status = { path: "/api/v1/status", headers: { host: `127.0.0.1:${rig.port}`, ...headers } };
    expect(await rig.ask("x", status)).toMatchObject({ status: 401 });
    const asModel = { host: `127.0.0.1:${rig.port}`, ...rig.bearer(), "signalbox-face": "mcp" };
    const path = "/api/v1/agents/shop-1/faces/tools/open";
    expect(await rig.ask("x", { method: "POST", path, headers: asModel })).toMatchObject({ status: 403 });
  });

  test("[FC3] a face's host never leads to the console, and no other host to a face", async () => {
    const known = await rig.ask("shop-1-web", { path: "/api/v1/status", headers: rig.bearer() });
    expect(known).toMatchObject({ status: 404, body: "the service knows no such page" });
    for (const label of ["shop-1", "shop-9-web", "shop-1-other", "web"])
      for (const path of ["/", "/api/v1/status", "/mcp", "/login", "/.signalbox/open"])
        expect(await rig.ask(label, { path, headers: rig.bearer() })).toMatchObject({
          status: 404,
          body: containing("There is no face"),
        });
    for (const host of [
      `shop-1-web.localhost:${rig.port + 1}`,
      "shop-1-web.localhost",
      `shop-1-web.evil.example:${rig.port}`,
      `a.shop-1-web.localhost:${rig.port}`,
    ])
      expect(await rig.ask("x", { headers: { host, ...rig.bearer() } })).toMatchObject({ status: 403 });
    expect(await rig.ask("shop-1-web", { path: "/.signalbox/else", headers: own() })).toMatchObject({ status: 404 });
  });

  test("[FC6] pages of other origins do not get in, whatever they have", async () => {
    const foreign = [`http://127.0.0.1:${rig.port}`, rig.originOf("shop-2-web"), "https://evil.example", "null"];
    for (const origin of foreign)
      for (const key of [own(), rig.bearer()]) {
        expect(await rig.ask("shop-1-web", { path: "/echo", headers: { ...key, origin } })).toMatchObject({
          status: 403,
        });
        expect(await refusalOf(rig.socket("shop-1-web", { ...key, origin }))).toContain("403");
      }
    const post = (headers: Headers): Promise<unknown> =>
      rig.ask("shop-1-web", { method: "POST", path: "/mirror", body: "x", headers: own(headers) });
    expect(await post({})).toMatchObject({ status: 403 });
    expect(await post({ "sec-fetch-site": "cross-site" })).toMatchObject({ status: 403 });
    expect(await post(page())).toMatchObject({ status: 200 });
    expect(await post({ origin: "null", "sec-fetch-site": "same-origin" })).toMatchObject({ status: 200 });
    const get = (headers: Headers): Promise<unknown> =>
      rig.ask("shop-1-web", { path: "/health", headers: own(headers) });
    expect(await get({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" })).toMatchObject({ status: 403 });
    const followed = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    expect(await get(followed)).toMatchObject({ status: 200 });
    expect(await get({ ...followed, "sec-fetch-dest": "iframe" })).toMatchObject({ status: 403 });
  });

  test("[FC7] the service never sees a key of ours, and nothing of whom somebody claims to speak for", async () => {
    const headers = {
      ...page(),
      cookie: `a=1; ${cookie}; signalbox_${rig.port}=x; b=2`,
      authorization: "Basic mine",
      ...{ forwarded: "for=1.2.3.4", "x-forwarded-host": "evil.example", X_Forwarded_For: "1.2.3.4", via: "1.1 x" },
      ...{ "x-real-ip": "1.2.3.4", "x-original-url": "/x", "signalbox-face": "mcp", "x-mine": "yes" },
      ...{ connection: "keep-alive, x-once", "x-once": "1", te: "trailers", "proxy-authorization": "Basic x" },
    };
    const { headers: seen } = await rig.seen("shop-1-web", { path: "/echo?q=%2F..%2f", headers });
    expect(seen).toEqual({
      ...{ host: rig.hostOf("shop-1-web"), ...page(), cookie: "a=1; b=2", authorization: "Basic mine" },
      ...{ "x-mine": "yes", connection: "keep-alive" },
    });
    for (const token of [
      rig.token,
      (await rig.client.call("face.open", { agent: "shop-2", face: "tools" })).token ?? "",
    ])
      expect((await rig.seen("shop-1-web", { headers: own(rig.bearer(token)) })).headers).not.toHaveProperty(
        "authorization",
      );
    expect(await rig.seen("shop-1-web", { path: "/echo?q=%2F..%2f", headers: own() })).toMatchObject({
      method: "GET",
      url: "/echo?q=%2F..%2f",
    });
    const endpoint = { path: "/mcp", headers: { ...rig.bearer(), origin: rig.originOf("shop-1-tools") } };
    const asEndpoint = JSON.parse((await rig.ask("shop-1-tools", endpoint)).body) as object;
    expect(asEndpoint).toEqual({ host: matching(/^127\.0\.0\.1:\d+$/), connection: "keep-alive" });
  });

  test("[FC8] what a service answers stays at its own host, and redirects are the browser's to follow", async () => {
    const { headers } = await rig.ask("shop-1-web", { path: "/cookies", headers: own() });
    expect(headers["set-cookie"]).toEqual(["a=1; Path=/", "b=2; HttpOnly"]);
    expect(headers).not.toHaveProperty("alt-svc");
    const sent = await rig.ask("shop-1-web", { method: "POST", path: "/redirect", headers: own(page()), body: "x" });
    expect([sent.status, sent.headers.location]).toEqual([307, "http://127.0.0.1:1/elsewhere"]);
  });

  test("[FC10] bytes survive: binary, of known length and not, empty, with a head alone", async () => {
    const bytes = randomBytes(300_000);
    const post = { method: "POST", headers: own(page()) };
    const mirrored = await rig.ask("shop-1-web", { ...post, path: "/mirror", body: bytes });
    expect(Buffer.from(mirrored.body, "latin1").equals(bytes)).toBe(true);
    const chunked = own({ ...page(), "transfer-encoding": "chunked" });
    for (const method of ["POST", "PUT", "DELETE", "GET"]) {
      const answer = await rig.ask("shop-1-web", { method, path: "/digest", headers: chunked, body: bytes });
      expect(answer.body).toBe(`${bytes.length} ${createHash("sha256").update(bytes).digest("hex")}`);
    }
    const nothing = await rig.ask("shop-1-web", { method: "POST", path: "/digest", headers: own(page()) });
    expect(nothing.body).toMatch(/^0 /);
    const head = await rig.ask("shop-1-web", { method: "HEAD", path: "/sized", headers: own() });
    expect([head.status, head.headers["content-length"], head.body]).toEqual([200, "5", ""]);
    expect(await rig.ask("shop-1-web", { path: "/sized", headers: own() })).toMatchObject({ body: "sized" });
    expect(await rig.ask("shop-1-web", { path: "/empty", headers: own() })).toMatchObject({ status: 204, body: "" });
    const same = await rig.ask("shop-1-web", { path: "/same", headers: own() });
    expect([same.status, same.headers["etag"], same.body]).toEqual([304, '"1"', ""]);
  });

  test("[FC10] an answer is passed on as it comes, and whoever is slow to read slows the service", async () => {
    const answer = await rig.begin("shop-1-web", { path: "/parts", headers: own() });
    const parts = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    expect(String((await parts.next()).value)).toBe("first\n");
    await rig.ask("shop-1-web", { path: "/go", headers: own() });
    expect(String((await parts.next()).value)).toBe("last\n");
    const endless = await rig.begin("shop-1-web", { path: "/endless", headers: own() });
    const written = async (): Promise<number> =>
      Number((await rig.ask("shop-1-web", { path: "/written", headers: own() })).body);
    let before = -1;
    await expect
      .poll(async () => {
        const now = await written();
        const stands = now === before;
        before = now;
        return stands;
      })
      .toBe(true);
    endless.destroy();
    // Whoever leaves is not written for any more.
    await expect.poll(written).toBe(-1);
  });

  test("[FC10] what is cut off is not taken for whole", async () => {
    await expect(rig.ask("shop-1-web", { path: "/cut", headers: own() })).rejects.toThrow("aborted");
  });

  test("[FC10] a body that asks for leave is sent when the service says so, and not where it says no", async () => {
    const send = (path: string): Promise<string> => {
      const wire = connect(rig.port, "127.0.0.1");
      const heads = Object.entries({ host: rig.hostOf("shop-1-web"), ...own(page()) });
      const lines = heads.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      wire.write(`POST ${path} HTTP/1.1\r\n${lines}content-length: 4\r\nexpect: 100-continue\r\n\r\n`);
      let heard = "";
      return new Promise((resolve) => {
        wire.on("data", (bytes) => {
          heard += String(bytes);
          if (heard.endsWith("100 Continue\r\n\r\n")) wire.write("body");
          if (/(?:body|much)(?:\r\n0)?\s*$/.test(heard)) wire.destroy();
        });
        wire.once("close", () => resolve(heard));
      });
    };
    expect(await send("/mirror")).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n[^]*body/);
    expect(await send("/early")).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("[FC10] a service that answers before it has read everything is heard", async () => {
    const body = Buffer.alloc(2_000_000);
    const answer = await rig.ask("shop-1-web", { method: "POST", path: "/early", headers: own(page()), body });
    expect(answer).toMatchObject({ status: 413, body: "too much" });
  });

  test("[FC11] a service that is not there, or speaks no HTTP, gives a sentence and what to do", async () => {
    const nobody = await rig.ask("shop-1-nobody", { headers: rig.bearer() });
    expect(nobody).toMatchObject({ status: 502, body: containing("signalbox agent logs shop-1 idle") });
    const raw = await rig.ask("shop-1-raw", { headers: { ...rig.bearer(), accept: "text/html" } });
    expect(raw).toMatchObject({ status: 502, body: containing("answered in something that is not HTTP") });
    expect(await refusalOf(rig.socket("shop-1-nobody", rig.bearer()))).toContain("502");
  });

  const say = async (socket: WebSocket, message: string | Buffer): Promise<string> => {
    socket.send(message);
    const [data] = (await once(socket, "message")) as [Buffer];
    return data.toString("latin1");
  };

  test("[FC12] WebSockets are carried, and only from the face's own page or a program with a key", async () => {
    const socket = rig.socket("shop-1-web", { ...page(), cookie: `${cookie}; a=1` });
    await once(socket, "open");
    expect(await say(socket, "hello")).toBe("hello");
    const bytes = randomBytes(200_000);
    expect(await say(socket, bytes)).toBe(bytes.toString("latin1"));
    const seen = JSON.parse(await say(socket, "headers")) as Record<string, string>;
    expect(seen).toMatchObject({ host: rig.hostOf("shop-1-web"), cookie: "a=1" });
    socket.send("die");
    await once(socket, "close");
    const program = rig.socket("shop-1-web", {}, [`bearer.${rig.token}`, "chat"]);
    await once(program, "open");
    expect(program.protocol).toBe("chat");
    expect(await say(program, "headers")).not.toContain(rig.token);
    program.close();
    for (const headers of [{ cookie }, {}]) {
      expect(await refusalOf(rig.socket("shop-1-web", headers))).toMatch(/40[13]/);
    }
    const offered = { upgrade: "h2c", connection: "Upgrade, HTTP2-Settings", "http2-settings": "AAMAAABkAAQ" };
    const { headers: plain } = await rig.seen("shop-1-web", { headers: own(offered) });
    expect(plain).not.toHaveProperty("upgrade");
    expect(plain).not.toHaveProperty("http2-settings");
  });

  test.skipIf(noPython)(
    "[FC1, FC10] the page of a stack that comes along opens, by a server that speaks an older HTTP",
    async () => {
      const stack = readFileSync(join(import.meta.dirname, "../../templates/static-site.yaml"), "utf8");
      expect(await rig.make(stack)).toMatchObject({ name: "static-site-1", state: "running" });
      const headers = { cookie: await rig.open("static-site-1", "site") };
      const listed = await rig.ask("static-site-1-site", { headers });
      expect(listed).toMatchObject({ status: 200, body: containing("face-server.ts") });
      const file = await rig.ask("static-site-1-site", { path: "/face-server.ts", headers });
      expect(file.body).toBe(readFileSync(join(import.meta.dirname, "../support/face-server.ts"), "latin1"));
      expect(await rig.ask("static-site-1-site", { path: "/nothing", headers })).toMatchObject({ status: 404 });
    },
  );

  test("[FC13] kill -9 of the daemon: the face answers again, to the same cookie", async () => {
    const pid = (await rig.ask("shop-1-web", { path: "/pid", headers: own() })).body;
    const socket = rig.socket("shop-1-web", { ...page(), cookie });
    await once(socket, "open");
    const closed = once(socket, "close");
    await rig.again();
    await closed;
    expect(await rig.ask("shop-1-web", { path: "/pid", headers: own() })).toMatchObject({ status: 200, body: pid });
    const anew = rig.socket("shop-1-web", { ...page(), cookie });
    await once(anew, "open");
    expect(await say(anew, "again")).toBe("again");
    anew.close();
  });

  test("[FC13] a service that dies and comes back answers again; an agent of the same name later is another", async () => {
    const other = await rig.open("shop-2", "web");
    const headers = { cookie: other };
    await rig.ask("shop-2-web", { path: "/die", headers });
    await expect.poll(async () => (await rig.ask("shop-2-web", { path: "/health", headers })).status).toBe(200);
    await rig.client.call("agent.stop", { agent: "shop-2" });
    await rig.settled(ids[1] ?? "");
    const down = await rig.ask("shop-2-web", { headers });
    expect(down).toMatchObject({ status: 502, body: containing("its agent is stopped") });
    await rig.client.call("agent.remove", { agent: "shop-2", force: true, discard: true });
    await expect.poll(async () => (await rig.ask("shop-2-web", { headers })).status).toBe(404);
    expect((await rig.make(undefined, "shop-2")).state).toBe("running");
    expect(await rig.ask("shop-2-web", { path: "/health", headers })).toMatchObject({ status: 401 });
  });
});
