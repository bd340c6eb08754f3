// Terminals over real sockets, without a keeper behind them: who may ask for what, and what is said to the rest.

import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import type { TerminalNews } from "../../src/protocol/terminal-stream.ts";
import { faceHeader } from "../../src/protocol/lines.ts";
import { operationNames, operations } from "../../src/protocol/operations.ts";
import { type FaceWorld, inFaceWorld } from "../support/faces/face-world.ts";
import { withModel } from "../support/faces/with-model.ts";

const script = "task: look around\nsteps:\n  - ask: may I end?\n";
const wish = { viewer: "viewer-one", name: "ann" };

/** A run that has begun, and a terminal in it. */
async function opened({ http, folder, submit, engine }: FaceWorld): Promise<{ run: string; terminal: string }> {
  await http.call("project.add", { root: folder, name: "shop" });
  const { run } = await http.call("run.submit", { project: "shop", script });
  const family = engine.state.runs.get(run)?.family ?? "";
  await submit({ type: "run.driven", run, family });
  const { terminal } = await http.call("terminal.open", { run, cols: 100, rows: 30 });
  return { run, terminal };
}

/** What is answered to these messages, until the daemon closes. */
function answersTo(
  { server, token }: FaceWorld,
  messages: readonly (string | Uint8Array<ArrayBuffer>)[],
): Promise<TerminalNews[]> {
  const protocols = ["signalbox", `bearer.${token}`];
  const socket = new WebSocket(`${server.url.replace(/^http/, "ws")}/terminal`, protocols);
  const news: TerminalNews[] = [];
  return new Promise((resolve) => {
    socket.addEventListener("open", () => messages.forEach((message) => socket.send(message)));
    socket.addEventListener("message", (event: MessageEvent<string>) =>
      news.push(JSON.parse(event.data) as TerminalNews),
    );
    socket.addEventListener("close", () => resolve(news));
  });
}

/** What is answered to bytes that no library would send. */
function answerTo(port: number, request: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(request);
  return text(socket);
}

describe("terminals", () => {
  test("[TM8] are opened by people, listed by all, and ended by people", () =>
    inFaceWorld(async (world) => {
      const { run, terminal } = await opened(world);
      const { terminals } = await world.lines.call("terminal.list", { run });
      expect(terminals).toMatchObject([
        { id: terminal, run, by: "person:test", keyboard: null, viewers: [], ended: null },
      ]);
      const headers = { authorization: `Bearer ${world.token}`, [faceHeader]: "mcp" };
      const response = await fetch(`${world.server.url}/api/v1/terminals/${terminal}/recording`, { headers });
      expect(response.status).toBe(403);
    }));

  test("[TM8] a model may list them and look, and nothing else", () =>
    withModel(async (world, call) => {
      const { terminal, run } = await opened(world);
      expect(await call("terminal_list", { run })).toBe("ok");
      expect(await call("terminal_get", { terminal })).toBe("keeper-unavailable");
      const tools = operationNames.filter((name) => name.startsWith("terminal.") && operations[name].mcp !== null);
      expect(tools).toEqual(["terminal.list", "terminal.get"]);
      const lines = ["GET /terminal HTTP/1.1", `Host: 127.0.0.1:${world.server.port}`, "Connection: Upgrade"];
      const more = ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="];
      const own = [`Authorization: Bearer ${world.token}`, `${faceHeader}: mcp`, "", ""];
      expect(await answerTo(world.server.port, [...lines, ...more, ...own].join("\r\n"))).toContain(" 403 ");
    }));

  test("[TM18] windows are found by their names, renamed by people, and wrong ones are refused", () =>
    inFaceWorld(async (world) => {
      const { run, terminal } = await opened(world);
      const { http } = world;
      expect((await http.call("terminal.list", { run })).terminals).toMatchObject([{ window: "test", agent: null }]);
      expect(await http.call("terminal.open", { run, join: true })).toEqual({ terminal });
      await expect(http.call("terminal.open", { run, window: "test" })).rejects.toMatchObject({
        code: "already-there",
      });
      await http.call("terminal.rename", { terminal, window: "checks" });
      expect(await http.call("terminal.open", { run, window: "checks", join: true })).toEqual({ terminal });
      for (const window of ["", "te_1", "-x", "a b", "x".repeat(41)])
        await expect(http.call("terminal.rename", { terminal, window })).rejects.toMatchObject({ code: "bad-input" });
      await expect(http.call("terminal.open", {})).rejects.toMatchObject({ code: "bad-input" });
      await expect(http.call("terminal.open", { run, agent: "shop-1" })).rejects.toMatchObject({ code: "bad-input" });
      await expect(http.call("terminal.open", { agent: "shop-1" })).rejects.toMatchObject({ code: "not-found" });
      await expect(http.call("terminal.list", { agent: "shop-1" })).rejects.toMatchObject({ code: "not-found" });
      const headers = {
        authorization: `Bearer ${world.token}`,
        [faceHeader]: "mcp",
        "content-type": "application/json",
      };
      const rename = { method: "PATCH", headers, body: JSON.stringify({ window: "mine" }) };
      expect((await fetch(`${world.server.url}/api/v1/terminals/${terminal}`, rename)).status).toBe(403);
    }));

  test("[TM19] a line to those who look is bounded, for people, and heard by nobody where nobody is", () =>
    inFaceWorld(async (world) => {
      const { terminal } = await opened(world);
      const { http } = world;
      expect(await http.call("terminal.say", { terminal, text: "hello" })).toEqual({ heard: 0 });
      for (const text of ["", "two\nlines", "x".repeat(501)])
        await expect(http.call("terminal.say", { terminal, text })).rejects.toMatchObject({ code: "bad-input" });
      await expect(http.call("terminal.say", { terminal: "te_zz", text: "x" })).rejects.toMatchObject({
        code: "not-found",
      });
      const headers = {
        authorization: `Bearer ${world.token}`,
        [faceHeader]: "mcp",
        "content-type": "application/json",
      };
      const say = { method: "POST", headers, body: JSON.stringify({ text: "hello" }) };
      expect((await fetch(`${world.server.url}/api/v1/terminals/${terminal}/say`, say)).status).toBe(403);
    }));

  test("[TM9] the keyboard can be asked for without a window", () =>
    inFaceWorld(async (world) => {
      const { terminal } = await opened(world);
      await world.http.call("terminal.keyboard", { terminal, act: "ask", ...wish });
      const other = { viewer: "viewer-two", name: "bea" };
      await expect(world.http.call("terminal.keyboard", { terminal, act: "give", ...other })).rejects.toMatchObject({
        code: "in-use",
      });
      await world.http.call("terminal.keyboard", { terminal, act: "give", ...wish, to: other });
      const { terminals } = await world.http.call("terminal.list", {});
      expect(terminals[0]?.keyboard).toEqual(other);
    }));

  test("what is wrong is said in a sentence, and changes nothing", () =>
    inFaceWorld(async (world) => {
      const { run, terminal } = await opened(world);
      const { http } = world;
      await expect(http.call("terminal.open", { run, cols: 0 })).rejects.toMatchObject({ code: "bad-input" });
      await expect(http.call("terminal.open", { run, rows: 100_000 })).rejects.toMatchObject({ code: "bad-input" });
      await expect(http.call("terminal.open", { run: "r_zz" })).rejects.toMatchObject({ code: "not-found" });
      await expect(http.call("terminal.get", { terminal: "te_zz" })).rejects.toMatchObject({ code: "not-found" });
      await expect(http.call("terminal.get", { terminal })).rejects.toMatchObject({ code: "keeper-unavailable" });
      await expect(http.call("terminal.recording", { terminal })).rejects.toMatchObject({ code: "recording-missing" });
      expect(await http.call("terminal.search", { text: "x" })).toEqual({ matches: [], more: false });
      const ended = await http.call("run.submit", { project: "shop", script });
      await http.call("run.stop", { run: ended.run });
      await expect(http.call("terminal.open", { run: ended.run })).rejects.toMatchObject({ code: "wrong-state" });
    }));

  test.each([
    ["no JSON", ["{"], "bad-input"],
    ["something else", ['{"subscribe":{}}'], "bad-input"],
    ["a terminal that never was", [JSON.stringify({ attach: { terminal: "te_zz", ...wish } })], "not-found"],
    ["a viewer without a name", [JSON.stringify({ attach: { terminal: "te_1", viewer: "viewer-one" } })], "bad-input"],
  ])("[TM11] a window that says %s is turned away", (_, messages, code) =>
    inFaceWorld(async (world) => {
      await opened(world);
      expect(await answersTo(world, messages)).toMatchObject([{ error: { code } }]);
    }),
  );

  test("[TM11] nobody gets in without the token", () =>
    inFaceWorld(async (world) => {
      const { terminal } = await opened(world);
      const attach = JSON.stringify({ attach: { terminal, ...wish } });
      expect(await answersTo({ ...world, token: "wrong" }, [attach])).toEqual([]);
    }));

  test("[TM11] a frame that is none, and a word that nobody knows, end the connection", () =>
    inFaceWorld(async (world) => {
      const { terminal } = await opened(world);
      const attach = JSON.stringify({ attach: { terminal, ...wish, readOnly: true } });
      expect((await answersTo(world, [attach, new Uint8Array([1, 2])])).at(-1)).toMatchObject({
        error: { code: "bad-input" },
      });
      expect((await answersTo(world, [attach, '{"dance":true}'])).at(-1)).toMatchObject({
        error: { code: "bad-input" },
      });
    }));
});
