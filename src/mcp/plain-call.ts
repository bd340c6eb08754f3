// A call of a tool as nearly every client sends it: one request, one answer. A model makes thousands of them, and the library
// makes a server with all its tools for each. What differs from the plain form in anything is left to the library to judge.

import type { IncomingHttpHeaders } from "node:http";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { limits } from "../protocol/limits.ts";
import { toolUseIn } from "../protocol/tool-use.ts";

export type PlainCall = {
  readonly id: string | number;
  readonly tool: string;
  readonly args: unknown;
  /** What the program that asks calls it, where that says so. */
  readonly use?: string;
};

export type PlainAnswer = { readonly text: string; readonly isError: boolean };

type Fields = Readonly<Record<string, unknown>>;

/** Later forms of the protocol have headers and fields of their own, with rules that the library knows. */
const laterHeaders = ["mcp-method", "mcp-name", "mcp-session-id", "content-encoding", "transfer-encoding", "expect"];
const laterField = "io.modelcontextprotocol/";

/** Whether a request with these headers may be a plain call, judging by nothing else. */
export function mayBePlain(headers: IncomingHttpHeaders): boolean {
  const { accept = "", "content-type": type = "", "content-length": length } = headers;
  const version = headers["mcp-protocol-version"];
  return (
    type === "application/json" &&
    accept.includes("application/json") &&
    accept.includes("text/event-stream") &&
    length !== undefined &&
    Number(length) <= limits.requestBytesMax &&
    (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) &&
    laterHeaders.every((name) => headers[name] === undefined)
  );
}

/** The call that a body asks for; undefined where it is anything else. */
export function readPlainCall(body: unknown): PlainCall | undefined {
  if (!hasOnly(body, ["jsonrpc", "id", "method", "params"])) return undefined;
  const { jsonrpc, id, method, params } = body;
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isId(id)) return undefined;
  if (!hasOnly(params, ["name", "arguments", "_meta"])) return undefined;
  const { name, arguments: args, _meta: meta } = params;
  if (typeof name !== "string" || (args !== undefined && !isFields(args))) return undefined;
  const isPlain =
    meta === undefined || (isFields(meta) && !Object.keys(meta).some((key) => key.startsWith(laterField)));
  const use = toolUseIn(meta);
  return isPlain ? { id, tool: name, args, ...(use === undefined ? {} : { use }) } : undefined;
}

/** The answer as the library writes it. */
export function toPlainAnswer(id: PlainCall["id"], { text, isError }: PlainAnswer): string {
  const result = { content: [{ type: "text", text }], ...(isError ? { isError } : {}) };
  return JSON.stringify({ result, jsonrpc: "2.0", id });
}

function isId(id: unknown): id is PlainCall["id"] {
  return typeof id === "string" || Number.isInteger(id);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasOnly(value: unknown, names: readonly string[]): value is Fields {
  return isFields(value) && Object.keys(value).every((name) => names.includes(name));
}
