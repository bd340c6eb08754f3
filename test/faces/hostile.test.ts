// Whatever is thrown at the faces: a yes that the contract knows, or a code and a sentence with nothing changed. Never a
// 500, never silence, and never a daemon that falls over.

import net from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Logged } from "../../src/core/events.ts";
import { isErrorCode, statusOf } from "../../src/protocol/errors.ts";
import { pathParameters } from "../../src/protocol/openapi.ts";
import { operations } from "../../src/protocol/operations.ts";
import { type FaceWorld, openFaceWorld } from "../support/faces/face-world.ts";
import { almostJson, type HostileCall, hostileCall, junk } from "../support/faces/hostile.ts";
import { sendBytes } from "../support/faces/raw-http.ts";
import { search } from "../support/search.ts";

type Answered = { readonly ok: boolean; readonly code: string; readonly message: string };

let world: FaceWorld;
const heard: Logged[] = [];

beforeAll(async () => {
  world = await openFaceWorld();
  world.engine.subscribe((events) => heard.push(...events));
  await world.http.call("project.add", { root: world.folder, name: "demo" });
  await world.http.call("claim.make", {
    project: "demo",
    units: ["file:held", "process:test"],
    as: "ann",
    ttlMs: 86_400_000,
  });
  await world.http.call("claim.make", { project: "demo", units: ["file:held"], as: "bob", ttlMs: 86_400_000 });
  await world.http.call("policy.set", { name: "careful", rules: { approvalRequired: true } });
  const { run } = await world.http.call("run.submit", { project: "demo", script: "task: x\nsteps: []" });
  await world.http.call("run.stop", { run });
});

afterAll(async () => {
  await world.close();
});

/** Asks, and checks what every answer has to be. */
function check(ask: () => Promise<Answered>): Promise<void> {
  return checkNo(async () => {
    const answered = await ask();
    if (answered.ok) return false;
    expect(isErrorCode(answered.code) ? "known" : answered.code).toBe("known");
    expect(statusOf(answered.code) < 500 ? "expected" : answered.message).toBe("expected");
    expect(answered.message).toMatch(/^["A-Z][\s\S]{10,}[.?]$/);
    return true;
  });
}

/** Checks that a no changes nothing. What comes of an earlier yes by itself, with time, is not its doing. */
async function checkNo(isNo: () => Promise<boolean>): Promise<void> {
  const { seq } = world.engine.state;
  const no = await isNo();
  expect(world.defects).toEqual([]);
  if (!no) return;
  const upTo = world.engine.state.seq;
  await expect.poll(() => heard.at(-1)?.seq ?? 0).toBeGreaterThanOrEqual(upTo);
  const changes = heard.filter((event) => event.seq > seq && event.seq <= upTo && event.actor !== "system");
  expect(changes).toEqual([]);
}

async function readAnswer(response: Response): Promise<Answered> {
  const body = (await response.json()) as { error?: { code: string; message: string } };
  if (response.ok) return { ok: true, code: "", message: "" };
  expect(response.status).toBe(statusOf(body.error?.code ?? "internal"));
  return { ok: false, code: body.error?.code ?? "", message: body.error?.message ?? "" };
}

const headers = (): Record<string, string> => ({
  authorization: `Bearer ${world.token}`,
  "content-type": "application/json",
});

function overHttp({ op, input }: HostileCall): Promise<Answered> {
  const { method, path } = operations[op].http;
  const rest: Record<string, unknown> = { ...input };
  let address = path;
  for (const name of pathParameters(path)) {
    const text = toText(rest[name]);
    address = address.replace(`{${name}}`, () => encodeLoosely(text));
    delete rest[name];
  }
  const inQuery = method === "GET" || method === "DELETE";
  const query = Object.entries(rest).map(
    ([name, value]) => `${encodeLoosely(name)}=${encodeLoosely(toText(value)).slice(0, 4000)}`,
  );
  const url = `${world.server.url}${address.slice(0, 8000)}${inQuery && query.length > 0 ? `?${query.join("&")}`.slice(0, 6000) : ""}`;
  const init = inQuery ? { method, headers: headers() } : { method, headers: headers(), body: JSON.stringify(rest) };
  return fetch(url, init).then(readAnswer);
}

/** Also of what says of itself that it is no text. */
function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Percent-encodes, also what is not valid Unicode. */
function encodeLoosely(text: string): string {
  return encodeURIComponent(text.slice(0, 2000).toWellFormed()) || "-";
}

/** A connection on which whatever is sent gets one answer. */
function overLine(text: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(world.server.socket ?? "");
    let heard = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      heard += chunk;
      if (!heard.includes("\n")) return;
      const reply = JSON.parse(heard.slice(0, heard.indexOf("\n"))) as {
        ok: boolean;
        error?: { code: string; message: string };
      };
      socket.destroy();
      resolve({ ok: reply.ok, code: reply.error?.code ?? "", message: reply.error?.message ?? "" });
    });
    socket.on("error", reject);
    socket.on("connect", () => socket.write(`${text.replaceAll("\n", " ")}\n`));
  });
}

describe("hostile calls", () => {
  test("over HTTP", async () => {
    await fc.assert(
      fc.asyncProperty(hostileCall, (call) => check(() => overHttp(call))),
      { ...search(150), examples: [[{ op: "inbox.see", input: { item: "nobody" } }]] },
    );
  });

  test("over the socket", async () => {
    const asLine = ({ op, input }: HostileCall): string => JSON.stringify({ id: 1, op, input });
    await fc.assert(
      fc.asyncProperty(hostileCall, (call) => check(() => overLine(asLine(call)))),
      search(150),
    );
  });

  test("requests that are hardly requests, over the socket", async () => {
    const envelope = fc.record({ id: junk, op: junk, input: junk, face: junk }, { requiredKeys: [] });
    const lines = fc.oneof(
      almostJson.filter((text) => text.trim() !== ""),
      envelope.map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(lines, (text) => check(() => overLine(text))),
      search(150),
    );
  });

  test("bodies that are hardly JSON, over HTTP", async () => {
    const route = fc.constantFrom("/api/v1/claims", "/api/v1/runs", "/api/v1/projects", "/api/v1/runs/r_1/stop");
    await fc.assert(
      fc.asyncProperty(route, almostJson, (path, body) =>
        check(() => fetch(`${world.server.url}${path}`, { method: "POST", headers: headers(), body }).then(readAnswer)),
      ),
      search(150),
    );
  });

  test("bytes that are not UTF-8, bodies that are not declared as JSON", async () => {
    const send = (body: BodyInit, more: Record<string, string> = {}): Promise<Answered> =>
      fetch(`${world.server.url}/api/v1/claims`, { method: "POST", headers: { ...headers(), ...more }, body }).then(
        readAnswer,
      );
    await check(async () => {
      const answered = await send(Uint8Array.of(0x7b, 0xff, 0x7d));
      expect(answered.code).toBe("bad-input");
      return answered;
    });
    await check(async () => {
      const answered = await send("{}", { "content-type": "text/plain" });
      expect(answered.code).toBe("wrong-media-type");
      return answered;
    });
    await check(async () => {
      const answered = await send(`{"project":"${"x".repeat(2_000_000)}"}`);
      expect(answered.code).toBe("too-large");
      return answered;
    });
  });

  test("what is not HTTP at all gets an answer or a closed door", async () => {
    const auth = `host: 127.0.0.1:${world.server.port}\r\nauthorization: Bearer ${world.token}\r\n`;
    const openings = [
      "\0\0\0\0\r\n\r\n",
      "GET\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      `GET / HTTP/1.1\r\n${"x: y\r\n".repeat(20_000)}\r\n`,
    ];
    const smuggled = [
      `POST /api/v1/claims HTTP/1.1\r\n${auth}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ];
    for (const text of [...openings, ...smuggled]) {
      const answer = await sendBytes(world.server.port, Buffer.from(text, "latin1"));
      expect([0, 400, 403, 413]).toContain(answer.status);
    }
    expect((await world.http.call("status", {})).version).toBe("0.0.0");
  });

  test("the wrong method is named, and so is the right one", async () => {
    const response = await fetch(`${world.server.url}/api/v1/claims`, {
      method: "PUT",
      headers: headers(),
      body: "{}",
    });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await response.json()).toMatchObject({ error: { code: "wrong-method" } });
  });
});

describe("hostile MCP", () => {
  const send = (body: string, more: Record<string, string> = {}): Promise<Response> =>
    fetch(`${world.server.url}/mcp`, {
      method: "POST",
      headers: { ...headers(), accept: "application/json, text/event-stream", ...more },
      body,
    });

  /** Every answer is a JSON-RPC error, a result that says what was wrong, or a yes; and a no changes nothing. */
  function checkMcp(body: string): Promise<void> {
    return checkNo(async () => {
      const response = await send(body);
      const text = await response.text();
      expect(response.status).toBeLessThan(500);
      const isNo = /"error":|"isError":true/.test(text);
      const words = /"message":"[^"]{5,}|"text":"[a-z-]+: ["A-Z\\]/;
      expect(isNo ? words.test(text) : [200, 202].includes(response.status)).toBe(true);
      return isNo;
    });
  }

  test("messages that are hardly messages", async () => {
    const message = fc.record(
      {
        jsonrpc: fc.oneof(fc.constant("2.0"), junk),
        id: junk,
        method: fc.oneof(fc.constantFrom("tools/list", "tools/call", "initialize", "ping"), junk),
        params: junk,
      },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      message.map((value) => JSON.stringify(value)),
      fc.array(message, { maxLength: 3 }).map((value) => JSON.stringify(value)),
      almostJson,
    );
    await fc.assert(fc.asyncProperty(body, checkMcp), search(100));
  });

  test("tools with arguments that are not theirs", async () => {
    const call = hostileCall.map(({ op, input }) => {
      const name = operations[op].mcp?.tool ?? op.replaceAll(/[.-]/g, "_");
      return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } });
    });
    await fc.assert(fc.asyncProperty(call, checkMcp), search(100));
  });
});

describe("contradictions", () => {
  test.each([
    ["an unknown project", "claim.make", { project: "nobody", units: ["file:a"] }, "not-found"],
    ["an unknown run", "run.pause", { run: "r_zz" }, "not-found"],
    ["events of an unknown run", "events.read", { run: "r_zz" }, "not-found"],
    ["events of what is no run", "events.read", { run: "r_1" }, "not-found"],
    ["the log of an unknown run", "run.log", { run: "r_zz" }, "not-found"],
    ["an id of another kind", "run.pause", { run: "c_1" }, "bad-input"],
    ["a run that is over", "run.pause", { run: "OVER" }, "wrong-state"],
    ["a name that looks like an id", "project.add", { root: "/tmp", name: "p_1" }, "bad-input"],
    ["a holder that looks like a run", "claim.make", { project: "demo", units: ["file:a"], as: "r_1" }, "bad-input"],
    ["no units at all", "claim.make", { project: "demo", units: [] }, "bad-input"],
    ["a path that leaves the project", "claim.make", { project: "demo", units: ["file:a/../../b"] }, "bad-unit"],
    ["an absolute path", "claim.make", { project: "demo", units: ["file:/etc/passwd"] }, "bad-unit"],
    ["a folder that is not there", "project.add", { root: "/nowhere/at/all" }, "not-found"],
    ["a file in place of a folder", "project.add", { root: "/etc/hostname" }, "not-a-folder"],
    [
      "a script without steps that exist",
      "run.submit",
      { project: "demo", script: "task: x\nsteps: [{fly: 1}]" },
      "bad-script",
    ],
    ["a script that unfolds without end", "run.submit", { project: "demo", script: bomb() }, "bad-script"],
    ["no script", "run.submit", { project: "demo", title: "x" }, "bad-input"],
    ["a runner that nobody has", "run.submit", { project: "demo", title: "x", runner: "hal" }, "not-found"],
    [
      "a policy for an unknown project",
      "policy.set",
      { name: "x", rules: { maxFiles: 1 }, scope: { project: "nobody" } },
      "not-found",
    ],
    ["a policy without rules", "policy.set", { name: "x", rules: {} }, "bad-input"],
    ["a policy with a glob that broke off", "policy.set", { name: "x", rules: { deniedPaths: ["a["] } }, "bad-input"],
    ["a policy that gives no time at all", "policy.set", { name: "x", rules: { maxTimeMs: 0 } }, "bad-input"],
    [
      "a policy for a runner that nobody has",
      "policy.set",
      { name: "x", rules: { deniedRunners: ["hal"] } },
      "not-found",
    ],
    [
      "a policy about a runner that nobody has",
      "policy.set",
      { name: "x", rules: { maxFiles: 1 }, scope: { runner: "hal" } },
      "not-found",
    ],
    [
      "a policy about a node that is not there",
      "policy.set",
      { name: "x", rules: { maxFiles: 1 }, scope: { node: "mars" } },
      "not-found",
    ],
    [
      "a run on a node that is not there",
      "run.submit",
      { project: "demo", script: "task: x\nsteps: []", node: "mars" },
      "not-found",
    ],
    ["a number that is none", "claim.make", { project: "demo", units: ["file:z"], ttlMs: 1.5 }, "bad-input"],
    ["a time beyond all limits", "claim.make", { project: "demo", units: ["file:z"], ttlMs: 1e12 }, "bad-input"],
    ["an operation that nobody knows", "run.fly", {}, "not-found"],
    ["an operation from the prototype", "constructor", {}, "not-found"],
  ] as const)("%s", async (_, op, input, code) => {
    const over = [...world.engine.state.runs.keys()][0] ?? "";
    const text = JSON.stringify({ id: 1, op, input }).replace("OVER", over);
    await check(async () => {
      const answered = await overLine(text);
      expect(answered.code).toBe(code);
      return answered;
    });
  });
});

function bomb(): string {
  const lines = ["a: &a [x,x,x,x,x,x,x,x,x]"];
  for (let at = 0; at < 8; at++) {
    const [from, to] = [String.fromCodePoint(97 + at), String.fromCodePoint(98 + at)];
    lines.push(`${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join(",")}]`);
  }
  return lines.join("\n");
}
