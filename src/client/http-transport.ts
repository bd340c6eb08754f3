// Requests over HTTP. It runs in a browser, where the session cookie says who asks, and in Node, with a token.

import { ProtocolError, protocolError, type WireError } from "../protocol/errors.ts";
import { faceHeader } from "../protocol/lines.ts";
import { pathParameters } from "../protocol/openapi.ts";
import { type OperationName, operations } from "../protocol/operations.ts";
import type { Transport } from "./transport.ts";

export type HttpOptions = {
  /** Such as http://127.0.0.1:4180; empty in the console, which the daemon itself serves. */
  readonly url: string;
  readonly token?: string | undefined;
  readonly face?: "mcp" | undefined;
};

export function makeHttpTransport(options: HttpOptions): Transport {
  return {
    call: (name, input, signal) => callHttp(options, name, input, signal),
    close: () => undefined,
  };
}

async function callHttp(
  options: HttpOptions,
  name: OperationName,
  input: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  const { http } = operations[name];
  const fields: Record<string, unknown> = { ...(input as Record<string, unknown> | undefined) };
  let path = http.path;
  for (const field of pathParameters(path)) {
    path = path.replace(`{${field}}`, encodeURIComponent(toText(fields[field])));
    delete fields[field];
  }
  const inQuery = http.method === "GET" || http.method === "DELETE";
  const headers: Record<string, string> = inQuery ? {} : { "content-type": "application/json" };
  if (options.token !== undefined) headers["authorization"] = `Bearer ${options.token}`;
  if (options.face !== undefined) headers[faceHeader] = options.face;
  const url = `${options.url}${path}${inQuery ? toQuery(fields) : ""}`;
  const response = await fetchOrExplain(url, {
    method: http.method,
    headers,
    redirect: "error",
    ...(inQuery ? {} : { body: JSON.stringify(fields) }),
    ...(signal === undefined ? {} : { signal }),
  });
  return readAnswer(response);
}

async function fetchOrExplain(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw protocolError("daemon-not-running", { where: url.replace(/^(\w+:\/\/[^/]*).*$/, "$1") }, { cause: error });
  }
}

async function readAnswer(response: Response): Promise<unknown> {
  let body: unknown;
  try {
    body = await response.json();
  } catch (error) {
    throw protocolError("connection-lost", { status: response.status }, { cause: error });
  }
  if (response.ok) return body;
  const error = (body as { error?: WireError } | null)?.error;
  throw error === undefined ? protocolError("internal", { status: response.status }) : new ProtocolError(error);
}

function toQuery(fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) query.append(name, toText(each));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
