// Who gets in. A web page in somebody's browser can reach a port of this machine, by its address or by a name that it has
// made point here; it cannot forge Host and Origin. So both are compared with exact lists, on every route and socket,
// before the token is looked at.

import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type ErrorCode } from "../../protocol/errors.ts";
import { faceHeader } from "../../protocol/lines.ts";
import type { Sessions } from "./sessions.ts";

export type Entrance = {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  readonly token: string;
  readonly sessions: Sessions;
};

export function makeEntrance(
  port: number,
  token: string,
  sessions: Sessions,
  moreOrigins: readonly string[],
): Entrance {
  const hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`);
  return {
    hosts: new Set(hosts),
    origins: new Set([...hosts.map((host) => `http://${host}`), ...moreOrigins]),
    token,
    sessions,
  };
}

/** Whether the request is for us and comes from us, or from no page at all. */
export function checkPlace(entrance: Entrance, request: IncomingMessage): ErrorCode | undefined {
  if (!entrance.hosts.has(hostOf(request) ?? "")) return "forbidden-host";
  const { origin } = request.headers;
  if (origin !== undefined && !entrance.origins.has(origin)) return "forbidden-origin";
  return undefined;
}

/** The one name that a request calls us by. */
export function hostOf(request: IncomingMessage): string | undefined {
  // Two Host headers, or an address in place of a path: whoever stands in between may see another name than we do.
  const hosts = request.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length !== 1 || request.url?.startsWith("/") !== true) return undefined;
  return request.headers.host?.toLowerCase();
}

/** Whether the request may go on: by the token, or by the session of the console. */
export function checkIdentity(entrance: Entrance, request: IncomingMessage): ErrorCode | undefined {
  const { headers } = request;
  const token = tokenOf(headers);
  if (token !== undefined) return isSame(token, entrance.token) ? undefined : "unauthorized";
  if (!entrance.sessions.has(headers.cookie)) return "unauthorized";
  // A cookie is sent by the browser whoever asks, so here the page has to say who it is.
  const changes = request.method !== "GET" && request.method !== "HEAD";
  const upgrades = headers.upgrade !== undefined;
  if ((changes || upgrades) && headers.origin === undefined) return "forbidden-origin";
  const site = headers["sec-fetch-site"];
  return site === undefined || site === "same-origin" || site === "none" ? undefined : "forbidden-origin";
}

/** A model's request is marked, and may do less. */
export function faceOf(headers: IncomingHttpHeaders): "person" | "mcp" {
  return headers[faceHeader] === undefined ? "person" : "mcp";
}

export function tokenOf(headers: IncomingHttpHeaders): string | undefined {
  const { authorization } = headers;
  if (authorization !== undefined)
    return /^bearer /i.test(authorization) ? authorization.slice("bearer ".length).trim() : "";
  // A page cannot set headers on a WebSocket; the token may come as a subprotocol instead.
  const protocols = headers["sec-websocket-protocol"]?.split(",").map((each) => each.trim()) ?? [];
  return protocols.find((each) => each.startsWith("bearer."))?.slice("bearer.".length);
}

/** Compares in the same time wherever they differ, and whatever their lengths. */
export function isSame(a: string, b: string): boolean {
  return timingSafeEqual(createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest());
}
