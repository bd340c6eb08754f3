// What we ourselves say at a face's origin: a sentence as text for programs, a page that can do nothing for browsers.

import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { statusOf, type WireError } from "../../protocol/errors.ts";
import { securityHeaders } from "../http/turn-away.ts";

const inert = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function sayOurselves(request: IncomingMessage, response: ServerResponse, error: WireError): void {
  const wantsPage = request.headers.accept?.includes("text/html") === true;
  // Whoever is turned away does not keep the connection for sending on.
  if (!request.complete) response.shouldKeepAlive = false;
  const body = wantsPage ? toPage(error) : `${error.message}\n`;
  response.writeHead(statusOf(error.code), {
    ...securityHeaders,
    "content-security-policy": inert,
    "content-type": wantsPage ? "text/html; charset=utf-8" : "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** Sends a browser on, at the same origin. */
export function sendOn(response: ServerResponse, path: string, more: OutgoingHttpHeaders = {}): void {
  response.writeHead(303, { ...securityHeaders, "content-security-policy": inert, location: path, ...more });
  response.end();
}

function toPage({ message }: WireError): string {
  const text = message.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signalbox</title></head><body><h1>Signalbox</h1><p>${text}</p></body></html>\n`;
}
