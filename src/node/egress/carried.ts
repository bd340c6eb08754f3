// What is carried of an HTTP request and of its answer, where two parties who need not be honest speak through us: how long a
// body is stands in the head in one way only, and a head that cannot be passed on ends nobody but itself.

import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";

/** Headers that say how long a body is; none where there is no body, and then none may be sent. */
export function framingOf(headers: IncomingHttpHeaders): Readonly<Record<string, string>> | undefined {
  if (headers["transfer-encoding"] !== undefined) return { "transfer-encoding": "chunked" };
  const length = headers["content-length"];
  return length === undefined ? undefined : { "content-length": length };
}

/** Passes the head of an answer on. False where it is nothing that may be passed on. */
export function passHead(got: IncomingMessage, answer: ServerResponse, left: (name: string) => boolean): boolean {
  const { statusCode = 0, statusMessage = "", headers } = got;
  if (statusCode < 200) return false;
  const reason = /^[\t\x20-\x7e]*$/.test(statusMessage) ? statusMessage : (STATUS_CODES[statusCode] ?? "");
  try {
    answer.writeHead(statusCode, reason, Object.fromEntries(Object.entries(headers).filter(([name]) => !left(name))));
    return true;
  } catch {
    // A server can say what Node refuses to repeat.
    return false;
  }
}
