// Who gets in to a face. Pages of other origins do not: not those of the console, of other faces, or of the web.

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { faceKeyHeader } from "../../protocol/face-host.ts";
import { tokenOf } from "../http/guards.ts";
import type { FaceKey, FaceKeys } from "./face-keys.ts";

type Keys = Pick<FaceKeys, "admits" | "hasCookie">;

/** Why a request may not go on, or undefined. */
export function checkFace(
  keys: Keys,
  request: Pick<IncomingMessage, "headers" | "method">,
  { key, origin }: { readonly key: FaceKey; readonly origin: string },
): "forbidden-origin" | "face-closed" | undefined {
  const { headers } = request;
  const isOwn = comesFrom(headers, origin);
  if (isOwn === false) return "forbidden-origin";
  const called = headers[faceKeyHeader];
  if (typeof called === "string") return keys.admits(called, key) ? undefined : "face-closed";
  const token = tokenOf(headers);
  if (token !== undefined && keys.admits(token, key)) return undefined;
  if (!keys.hasCookie(headers.cookie, key)) return "face-closed";
  if (isOwn) return undefined;
  // A cookie is sent by the browser whoever asks: what changes something has to come from the page itself.
  const changes = request.method !== "GET" && request.method !== "HEAD";
  if (changes || isSocket(headers)) return "forbidden-origin";
  return isLooking(headers) ? undefined : "forbidden-origin";
}

export function isSocket({ upgrade }: IncomingHttpHeaders): boolean {
  return upgrade?.toLowerCase() === "websocket";
}

/** Whether it comes from the face's own page; undefined where no page says that it does. */
function comesFrom({ origin, "sec-fetch-site": site }: IncomingHttpHeaders, own: string): boolean | undefined {
  const bySite = site === "same-origin" ? true : undefined;
  if (origin === undefined) return bySite;
  // A page that tells nobody where it is sends `null`, also to itself; browsers then still say whether it is the same.
  return origin === own || (origin === "null" && bySite === true);
}

/** Whether somebody typed the address or followed a link, as far as the browser says. */
function isLooking(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "none") return true;
  return headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
}
