// Says no on the bare connection: to requests that are not for us, to upgrades, and to what is not HTTP at all.

import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { statusOf, type WireError } from "../../protocol/errors.ts";

export const securityHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};

/** How long somebody who was turned away has for reading why. */
const lingerMs = 1000;

export function turnAway(wire: Duplex, error: WireError): void {
  if (!wire.writable) return;
  const body = JSON.stringify({ error });
  const status = statusOf(error.code);
  const headers = {
    ...securityHeaders,
    connection: "close",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  // Whoever does not close their side keeps a file of ours open: it is closed for them.
  const timer = setTimeout(() => wire.destroy(), lingerMs);
  wire.once("close", () => clearTimeout(timer));
  wire.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines, "", body].join("\r\n"));
}
