// Every route and every socket, with every way of being somebody else. A page in a browser, a name that was made to point
// here, a neighbour on another port: none gets in, and nothing changes.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { statSync } from "node:fs";
import path from "node:path";
import { operations } from "../../src/protocol/operations.ts";
import { type FaceWorld, openFaceWorld } from "../support/faces/face-world.ts";
import { type RawAnswer, type RawRequest, sendRaw } from "../support/faces/raw-http.ts";

type Headers = readonly (readonly [string, string])[];

const samples: Readonly<Record<string, string>> = {
  project: "demo",
  run: "r_1",
  task: "t_1",
  claim: "c_1",
  name: "careful",
};

const operationRoutes = Object.values(operations).map(({ http }) => ({
  method: http.method,
  target: http.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => samples[name] ?? "x"),
}));
const upgrade: Headers = [
  ["connection", "Upgrade"],
  ["upgrade", "websocket"],
  ["sec-websocket-version", "13"],
  ["sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="],
];
const routes: readonly { method: string; target: string; more?: Headers }[] = [
  ...operationRoutes,
  { method: "GET", target: "/openapi.json" },
  { method: "POST", target: "/mcp" },
  { method: "GET", target: "/mcp" },
  { method: "DELETE", target: "/mcp" },
  { method: "GET", target: "/" },
  { method: "GET", target: "/index.html" },
  { method: "GET", target: "/assets/x.js" },
  { method: "GET", target: "/no/such/route" },
  { method: "OPTIONS", target: "/api/v1/status" },
  { method: "HEAD", target: "/api/v1/status" },
  { method: "GET", target: "/stream", more: upgrade },
  { method: "GET", target: "/elsewhere", more: upgrade },
];

describe("the entrance", () => {
  let world: FaceWorld;
  let port: number;
  let before: string;
  let cookie: string;

  beforeAll(async () => {
    world = await openFaceWorld();
    port = world.server.port;
    await world.http.call("project.add", { root: world.folder, name: "demo" });
    before = world.stateText();
    const link = new URL(world.server.makeLoginLink().url);
    const answer = await sendRaw(port, {
      target: `${link.pathname}${link.search}`,
      headers: [["host", `127.0.0.1:${port}`]],
    });
    cookie = answer.headers["set-cookie"]?.split(";")[0] ?? "";
  });

  afterAll(async () => {
    await world.close();
  });

  const send = (route: (typeof routes)[number], headers: Headers): Promise<RawAnswer> => {
    const body = ["POST", "PUT", "PATCH"].includes(route.method) ? "{}" : "";
    const always: Headers =
      body === ""
        ? []
        : [
            ["content-type", "application/json"],
            ["content-length", "2"],
          ];
    const request: RawRequest = {
      method: route.method,
      target: route.target,
      headers: [...headers, ...(route.more ?? []), ...always],
      body,
    };
    return sendRaw(port, request);
  };

  const good = (): Headers => [["authorization", `Bearer ${world.token}`]];
  const host = (name = `127.0.0.1:${port}`): Headers => [["host", name]];

  const strangers: readonly [string, () => Headers, number, string][] = [
    ["no token", () => host(), 401, "unauthorized"],
    ["a wrong token", () => [...host(), ["authorization", `Bearer ${"x".repeat(43)}`]], 401, "unauthorized"],
    [
      "part of the token",
      () => [...host(), ["authorization", `Bearer ${world.token.slice(0, -1)}`]],
      401,
      "unauthorized",
    ],
    ["more than the token", () => [...host(), ["authorization", `Bearer ${world.token}x`]], 401, "unauthorized"],
    ["the token in another scheme", () => [...host(), ["authorization", `Basic ${world.token}`]], 401, "unauthorized"],
    ["an empty token", () => [...host(), ["authorization", "Bearer "]], 401, "unauthorized"],
    ["a made-up session", () => [...host(), ["cookie", `signalbox_${port}=${"x".repeat(43)}`]], 401, "unauthorized"],
    ["no Host", () => good(), 403, "forbidden-host"],
    ["a foreign Host", () => [...host("evil.example"), ...good()], 403, "forbidden-host"],
    ["a foreign Host with our port", () => [...host(`evil.example:${port}`), ...good()], 403, "forbidden-host"],
    [
      "a Host that begins like ours",
      () => [...host(`localhost.evil.example:${port}`), ...good()],
      403,
      "forbidden-host",
    ],
    ["a Host that ends like ours", () => [...host(`evil-localhost:${port}`), ...good()], 403, "forbidden-host"],
    ["our Host on another port", () => [...host(`127.0.0.1:${port + 1}`), ...good()], 403, "forbidden-host"],
    ["our Host without a port", () => [...host("127.0.0.1"), ...good()], 403, "forbidden-host"],
    ["two Hosts", () => [...host(), ...host("evil.example"), ...good()], 403, "forbidden-host"],
    ["a foreign Origin", () => [...host(), ...good(), ["origin", "http://evil.example"]], 403, "forbidden-origin"],
    ["no page's Origin", () => [...host(), ...good(), ["origin", "null"]], 403, "forbidden-origin"],
    [
      "an Origin on another port",
      () => [...host(), ...good(), ["origin", `http://127.0.0.1:${port + 1}`]],
      403,
      "forbidden-origin",
    ],
    [
      "our Origin with another scheme",
      () => [...host(), ...good(), ["origin", `https://127.0.0.1:${port}`]],
      403,
      "forbidden-origin",
    ],
    [
      "a name made to point here",
      () => [...host(`evil.example:${port}`), ...good(), ["origin", `http://evil.example:${port}`]],
      403,
      "forbidden-host",
    ],
    [
      "the console's session, used by a page on another port",
      () => [...host(), ["cookie", cookie], ["sec-fetch-site", "same-site"]],
      403,
      "forbidden-origin",
    ],
  ];

  test.each(strangers)("%s: every route and socket says no, and nothing changes", async (_, headers, status, code) => {
    const answers = await Promise.all(routes.map(async (route) => ({ route, answer: await send(route, headers()) })));
    const wrong = answers.filter(({ route, answer }) => {
      const isEmpty = route.method === "HEAD";
      return answer.status !== status || (!isEmpty && answer.code !== code);
    });
    expect(wrong.map(({ route, answer }) => [route.method, route.target, answer.status, answer.code])).toEqual([]);
    expect(world.stateText()).toBe(before);
  });

  test("an address in place of a path is not for us", async () => {
    const target = `http://evil.example/api/v1/status`;
    const answer = await sendRaw(port, { target, headers: [...host(), ...good()] });
    expect([answer.status, answer.code]).toEqual([403, "forbidden-host"]);
  });

  test("the session of the console may look, and may change things only as our own page", async () => {
    const session: Headers = [...host(), ["cookie", cookie]];
    expect((await send({ method: "GET", target: "/api/v1/status" }, session)).status).toBe(200);
    const stop = { method: "POST", target: "/api/v1/runs/stop-all" };
    expect((await send(stop, session)).code).toBe("forbidden-origin");
    expect((await send(stop, [...session, ["origin", `http://127.0.0.1:${port}`]])).status).toBe(200);
    const stream = { method: "GET", target: "/stream", more: upgrade };
    expect((await send(stream, session)).code).toBe("forbidden-origin");
    expect((await send(stream, [...session, ["origin", `http://127.0.0.1:${port}`]])).status).toBe(101);
  });

  test("health says that it is there, and nothing else", async () => {
    const answer = await sendRaw(port, { target: "/health", headers: host() });
    expect([answer.status, answer.body]).toEqual([200, '{"ok":true}']);
    expect((await sendRaw(port, { target: "/health", headers: host("evil.example") })).status).toBe(403);
  });

  test("a login link works once, and its cookie is out of reach for scripts", async () => {
    const link = new URL(world.server.makeLoginLink().url);
    const open = (): Promise<RawAnswer> => sendRaw(port, { target: `${link.pathname}${link.search}`, headers: host() });
    const first = await open();
    expect([first.status, first.headers["location"]]).toEqual([303, "/"]);
    expect(first.headers["set-cookie"]).toMatch(
      /^signalbox_\d+=[\w.-]{70,}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    const second = await open();
    expect([second.status, second.code, second.headers["set-cookie"]]).toEqual([401, "login-expired", undefined]);
    const guess = await sendRaw(port, { target: "/login?once=guess", headers: host() });
    expect(guess.code).toBe("login-expired");
  });

  test("every answer forbids framing, sniffing and foreign scripts, and allows no other origin", async () => {
    for (const route of routes.filter(({ more }) => more === undefined)) {
      const { headers } = await send(route, [...host(), ...good()]);
      expect(headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["x-frame-options"]).toBe("DENY");
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  });

  test("the socket in the home is for its owner alone", () => {
    const file = world.server.socket ?? "";
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    expect((statSync(path.dirname(file)).mode & 0o777).toString(8)).toBe("700");
  });
});
