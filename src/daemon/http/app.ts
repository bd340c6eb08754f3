// HTTP, for requests that are meant for us: first who asks, then the operations, the OpenAPI document, MCP and the
// console.

import type { HttpBindings } from "@hono/node-server";
import { Hono, type Context } from "hono";
import { once } from "../../base/once.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import { type ErrorCode, type ErrorData, statusOf, toWireError, type WireError } from "../../protocol/errors.ts";
import type { McpHttp } from "../../mcp/http.ts";
import { limits } from "../../protocol/limits.ts";
import { makeOpenApi } from "../../protocol/openapi.ts";
import { operations } from "../../protocol/operations.ts";
import { streamPath } from "../../protocol/stream.ts";
import type { Caller } from "../context.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { toThrownError } from "../failure.ts";
import type { DaemonParts } from "../parts.ts";
import type { ConsoleFiles } from "./console-files.ts";
import { type DoorFace, doorPathOf } from "./door-face.ts";
import { checkIdentity, type Entrance, faceOf, tokenOf } from "./guards.ts";
import { securityHeaders } from "./turn-away.ts";
import { makeReader, readRequest, readText } from "./read-request.ts";

export type AppParts = {
  readonly parts: DaemonParts;
  readonly entrance: Entrance;
  readonly dispatcher: Dispatcher;
  readonly console: ConsoleFiles;
  readonly mcp: McpHttp;
  readonly doors: DoorFace;
};

export type Env = { Bindings: HttpBindings };

/** Longer than any wait that one request may ask for. */
const requestMsMax = limits.waitMsMax + 15_000;

export function makeApp({ parts, entrance, dispatcher, console, mcp, doors }: AppParts): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(securityHeaders)) {
      if (!context.res.headers.has(name)) context.res.headers.set(name, value);
    }
  });
  app.get("/health", (context) => context.json({ ok: true }));
  app.get("/login", (context) => {
    // A link is for one look by a person; programs that only ask for its headers must not use it up.
    if (context.req.method !== "GET") return refuseWith(context, "not-found");
    const cookie = entrance.sessions.open(context.req.query("once") ?? "");
    if (cookie === undefined) return refuseWith(context, "login-expired");
    return new Response(null, { status: 303, headers: { location: "/", "set-cookie": cookie } });
  });
  // A run's door has tokens of its own, which open nothing else.
  app.all(doorPathOf(":run"), (context) => answerDoor(doors, context.req.param("run") ?? "", context));
  app.use(async (context, next) => {
    const refused = checkIdentity(entrance, context.env.incoming);
    if (refused === undefined) return next();
    const page = refused === "unauthorized" ? maybePage(console, context) : undefined;
    return page ?? refuseWith(context, refused);
  });
  addOperations(app, parts, dispatcher);
  const openApi = once(() => makeOpenApi(parts.version));
  app.get("/openapi.json", (context) => context.json(openApi()));
  app.all("/mcp", (context) => answerMcp(mcp, context));
  app.notFound((context) => {
    const { method, path } = context.req;
    const kind = { kind: "route", id: `${method} ${path.slice(0, 100)}` };
    return maybePage(console, context) ?? refuseWith(context, "not-found", kind);
  });
  app.onError((error) => toErrorResponse(toThrownError(error, parts.onDefect)));
  return app;
}

/** The doors of the runs in one cage, and nothing else. */
export function makeDoorApp(doors: DoorFace, agent: string): Hono<Env> {
  const app = new Hono<Env>();
  app.all(doorPathOf(":run"), async (context, next) => {
    const run = context.req.param("run") ?? "";
    return doors.agentOf(run) === agent ? answerDoor(doors, run, context) : next();
  });
  app.notFound((context) => refuseWith(context, "not-found", { kind: "route", id: context.req.path.slice(0, 100) }));
  return app;
}

async function answerDoor(doors: DoorFace, run: string, context: Context<Env>): Promise<Response> {
  const door = await doors.doorFor(run, tokenOf(context.env.incoming.headers) ?? "");
  return door === undefined ? refuseWith(context, "door-closed") : answerMcp(door, context);
}

const notPages: ReadonlySet<string> = new Set(["/mcp", streamPath, "/openapi.json", "/login", "/health"]);

/** A file of the console. The page itself is no secret: without a session it says how to sign in. */
function maybePage(console: ConsoleFiles, context: Context): Response | undefined {
  const { method, path } = context.req;
  const isPage = method === "GET" || method === "HEAD";
  return isPage && !path.startsWith("/api/") && !notPages.has(path) ? console.answer(path) : undefined;
}

function addOperations(app: Hono<Env>, parts: DaemonParts, dispatcher: Dispatcher): void {
  const methods = new Map<string, string[]>();
  for (const [name, operation] of Object.entries(operations)) {
    const reader = once(() => makeReader(operation));
    const path = operation.http.path.replaceAll(/\{(\w+)\}/g, ":$1");
    methods.set(path, [...(methods.get(path) ?? []), operation.http.method]);
    app.on(operation.http.method, path, async (context) => {
      const input = await readRequest(reader(), context);
      if (!input.ok) return refuseWith(context, input.refusal.code, input.refusal.data);
      const outcome = await ask(parts, dispatcher, name, input.value, context);
      return outcome.ok ? context.json(outcome.value as object) : toErrorResponse(outcome.refusal);
    });
  }
  for (const [path, allowed] of methods) {
    app.all(path, (context) => {
      const data = { path: context.req.path.slice(0, 100), method: context.req.method, allowed: allowed.join(", ") };
      const response = refuseWith(context, "wrong-method", data);
      response.headers.set("allow", allowed.join(", "));
      return response;
    });
  }
}

function ask(
  parts: DaemonParts,
  dispatcher: Dispatcher,
  name: string,
  input: unknown,
  context: Context<Env>,
): Promise<Result<unknown, WireError>> {
  const face = faceOf(context.env.incoming.headers);
  const gone = new AbortController();
  context.env.outgoing.once("close", () => gone.abort());
  const caller: Caller = { actor: face === "mcp" ? "agent:mcp" : parts.person, face, signal: gone.signal };
  return new Promise((resolve) => {
    const cancel = parts.clock.setTimer(requestMsMax, () => resolve(refuse(toWireError("timed-out", { what: name }))));
    dispatcher.dispatch(name, input, caller, (outcome) => {
      cancel();
      resolve(outcome.ok ? ok(outcome.value) : outcome);
    });
  });
}

async function answerMcp(mcp: McpHttp, context: Context<Env>): Promise<Response> {
  if (context.req.method !== "POST") return mcp.answer(context.req.raw, null);
  const body = await readText(context);
  return body.ok ? mcp.answer(context.req.raw, body.value) : refuseWith(context, body.refusal.code, body.refusal.data);
}

function refuseWith(context: Context, code: ErrorCode, data: ErrorData = {}): Response {
  const error = toWireError(code, data);
  const wantsPage =
    context.req.header("accept")?.includes("text/html") === true && !context.req.path.startsWith("/api/");
  return wantsPage ? toErrorPage(error) : toErrorResponse(error);
}

function toErrorResponse(error: WireError): Response {
  const headers: Record<string, string> = { "content-type": "application/json" };
  // What is left of a body that is too large is not read; the connection cannot be used again.
  if (error.code === "too-large") headers["connection"] = "close";
  if (error.retryAfterMs !== undefined) headers["retry-after"] = String(Math.ceil(error.retryAfterMs / 1000));
  return new Response(JSON.stringify({ error }), { status: statusOf(error.code), headers });
}

/** For people who come with a browser: the same sentence, as a page. */
function toErrorPage(error: WireError): Response {
  const text = error.message.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signalbox</title></head><body><h1>Signalbox</h1><p>${text}</p></body></html>`;
  return new Response(page, { status: statusOf(error.code), headers: { "content-type": "text/html; charset=utf-8" } });
}
