// The daemon's faces, all on one port of this machine and one socket in its home.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { WebSocketServer } from "ws";
import { makeMcpHttp } from "../mcp/http.ts";
import { type Ask, makeMcpServer } from "../mcp/mcp-server.ts";
import { protocolError, toWireError } from "../protocol/errors.ts";
import { streamPath } from "../protocol/stream.ts";
import { terminalPath } from "../protocol/terminal-stream.ts";
import { AgentFaces } from "./agent-faces/agent-faces.ts";
import { isSocket } from "./agent-faces/face-guard.ts";
import { Context, type ServerFacts } from "./context.ts";
import { askAs, Dispatcher } from "./dispatcher.ts";
import { makeDoorControl } from "./door-control.ts";
import { DurableReads } from "./durable-reads.ts";
import { EventSubjects } from "./event-subjects.ts";
import { History } from "./history.ts";
import { makeApp } from "./http/app.ts";
import { ConsoleFiles } from "./http/console-files.ts";
import { DoorFace } from "./http/door-face.ts";
import { checkIdentity, checkPlace, type Entrance, faceOf, makeEntrance } from "./http/guards.ts";
import { linkLifeMs } from "./http/once-links.ts";
import { Sessions } from "./http/sessions.ts";
import { plainCallsFirst } from "./http/plain-calls.ts";
import { securityHeaders, turnAway } from "./http/turn-away.ts";
import { startLinesServer } from "./lines-server.ts";
import type { DaemonParts } from "./parts.ts";
import { StreamHub, tooManyReaders } from "./stream/stream-hub.ts";
import { TerminalSockets } from "./terminals/terminal-sockets.ts";
import { Waits } from "./waits.ts";

export type RunningServer = {
  readonly url: string;
  readonly port: number;
  /** The Unix socket, or null when the home's path is too long for one. */
  readonly socket: string | null;
  readonly faces: Pick<AgentFaces, "callable">;
  makeLoginLink(): { url: string; expiresInMs: number };
  close(): Promise<void>;
};

/** How long a request to us may take to arrive. */
const requestMsMax = 30_000;
const readersMax = 1024;
const subscribeBytesMax = 65_536;
const typedBytesMax = 262_144;

export async function startServer(parts: DaemonParts): Promise<RunningServer> {
  const http = createServer({
    // A client whose next request meets the end of an idle connection hears of a reset, and not why.
    keepAliveTimeout: 60_000,
    headersTimeout: 10_000,
    // What is sent to a face may take long; what is sent to us has a bound of its own.
    requestTimeout: 0,
    maxHeaderSize: 16_384,
    // The guards say no to a missing Host, in the same words as to a wrong one.
    requireHostHeader: false,
    // Other protocols that a client would rather speak are offers that may be declined.
    shouldUpgradeCallback: ({ headers }) => isSocket(headers),
  });
  const port = await listen(http, parts.port);
  const url = `http://127.0.0.1:${port}`;
  const faces = new AgentFaces(parts, port);
  const sessions = new Sessions(parts.clock, port, parts.token);
  const makeLoginLink = (): { url: string; expiresInMs: number } => ({
    url: `${url}/login?once=${sessions.makeLink()}`,
    expiresInMs: linkLifeMs,
  });
  const subjects = new EventSubjects(parts);
  const history = new History(parts.store, subjects);
  const hub = new StreamHub(parts, history, subjects);
  const reads = new DurableReads(parts);
  const waits = new Waits(parts);
  let socket: string | null = null;
  const facts: ServerFacts = {
    url,
    get socket() {
      return socket;
    },
    startedAtMs: parts.clock.wallMs(),
    subscribers: () => hub.size,
    makeLoginLink,
    faces,
  };
  const dispatcher = new Dispatcher(new Context(parts, { reads, waits, history, facts }));
  const entrance = makeEntrance(port, parts.token, sessions, parts.moreOrigins ?? []);
  const files = new ConsoleFiles(parts.consoleFolder);
  const ask: Ask = (name, input, signal) => askAs("agent:mcp", dispatcher, name, input, signal);
  const mcp = makeMcpHttp(() => makeMcpServer(ask, parts.version));
  const doors = new DoorFace(parts.doors, parts);
  parts.gates?.connect(doors);
  parts.doors.connect(makeDoorControl(parts, dispatcher));
  const app = makeApp({ parts, entrance, dispatcher, console: files, mcp, doors });
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const otherwise = (request: IncomingMessage, response: ServerResponse): void => void listener(request, response);
  const answer = plainCallsFirst({ doors, headers: securityHeaders, otherwise });
  const answerOurselves = (request: IncomingMessage, response: ServerResponse): void => {
    const refused = checkPlace(entrance, request);
    if (refused !== undefined) return turnAway(request.socket, toWireError(refused));
    const cancel = parts.clock.setTimer(requestMsMax, () => {
      if (!request.complete) turnAway(request.socket, toWireError("timed-out", { what: "reading the request" }));
    });
    response.once("close", cancel);
    answer(request, response);
  };
  http.on("request", (request, response) => {
    const label = faces.labelOf(request);
    if (label === undefined) answerOurselves(request, response);
    else faces.answer(label, request, response);
  });
  http.on("checkContinue", (request, response) => {
    const label = faces.labelOf(request);
    if (label !== undefined) return faces.answer(label, request, response, true);
    response.writeContinue();
    answerOurselves(request, response);
  });
  http.on("clientError", (error: NodeJS.ErrnoException, wire) => {
    const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
    turnAway(wire, toWireError(tooLarge ? "too-large" : "bad-input", { why: tooLarge ? "the headers" : "not HTTP" }));
  });
  const terminals = new TerminalSockets(parts, parts.terminals);
  const webSockets = acceptSockets(http, entrance, { hub, terminals, faces });
  const lines = await startLinesServer(parts.home, dispatcher, parts.person);
  socket = lines?.path ?? null;
  return {
    url,
    port,
    socket,
    faces,
    makeLoginLink,
    close: async () => {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      waits.close();
      hub.close();
      terminals.close();
      faces.close();
      reads.close();
      await mcp.close();
      await doors.close();
      await lines?.close();
      http.closeIdleConnections();
      // Answers that are on their way may leave; then the doors are shut.
      const cancel = parts.clock.setTimer(500, () => {
        for (const { clients } of webSockets) for (const client of clients) client.terminate();
        http.closeAllConnections();
      });
      await closed;
      cancel();
    },
  };
}

function listen(http: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => {
      const taken = cause.code === "EADDRINUSE";
      reject(taken ? protocolError("port-in-use", { port }, { cause }) : cause);
    };
    http.once("error", fail);
    http.listen({ port, host: "127.0.0.1" }, () => {
      http.off("error", fail);
      resolve((http.address() as AddressInfo).port);
    });
  });
}

type Sockets = { readonly hub: StreamHub; readonly terminals: TerminalSockets; readonly faces: AgentFaces };

/** Upgrades pass the same guards as every route. */
function acceptSockets(http: Server, entrance: Entrance, { hub, terminals, faces }: Sockets): WebSocketServer[] {
  const options = {
    noServer: true,
    handleProtocols: (offered: Set<string>) => (offered.has("signalbox") ? "signalbox" : false),
  } as const;
  const streams = new WebSocketServer({ ...options, maxPayload: subscribeBytesMax, perMessageDeflate: false });
  // Screens and colours shrink well, and what is typed is short.
  const perMessageDeflate = { threshold: 1024, concurrencyLimit: 4, zlibDeflateOptions: { level: 1 } } as const;
  const screens = new WebSocketServer({ ...options, maxPayload: typedBytesMax, perMessageDeflate });
  http.on("upgrade", (request: IncomingMessage, wire: Duplex, head: Buffer) => {
    wire.on("error", () => undefined);
    const label = faces.labelOf(request);
    // This server listens on the network's sockets alone.
    if (label !== undefined) return faces.upgrade(label, request, wire as Socket, head);
    const refused = checkPlace(entrance, request) ?? checkIdentity(entrance, request);
    if (refused !== undefined) return turnAway(wire, toWireError(refused));
    const path = request.url?.split("?")[0];
    if (path !== streamPath && path !== terminalPath) {
      return turnAway(wire, toWireError("not-found", { kind: "route", id: "for WebSockets" }));
    }
    if (path === terminalPath && faceOf(request.headers) !== "person")
      return turnAway(wire, toWireError("forbidden", { what: "a terminal" }));
    if (hub.size >= readersMax || terminals.size >= readersMax) return turnAway(wire, tooManyReaders);
    if (path === streamPath) streams.handleUpgrade(request, wire, head, (socket) => hub.accept(socket, wire));
    else screens.handleUpgrade(request, wire, head, (socket) => terminals.accept(socket, wire));
    return undefined;
  });
  return [streams, screens];
}
