// JSON-RPC in lines, as several programs speak it.

import { type Json, parseLine, recordOf, textOf } from "./json-line.ts";

export type RpcMessage =
  /** It wants an answer. */
  | { readonly is: "request"; readonly id: string | number; readonly method: string; readonly params: Json }
  | { readonly is: "notice"; readonly method: string; readonly params: Json }
  | { readonly is: "result"; readonly id: string; readonly result: Json }
  | { readonly is: "error"; readonly id: string; readonly error: RpcError };

export type RpcError = { readonly code: number; readonly message: string; readonly data: unknown };

/** The message in a line; undefined where it is none. */
export function readRpc(line: string): RpcMessage | undefined {
  const message = parseLine(line);
  if (message === undefined) return undefined;
  const { id, method } = message;
  const hasId = typeof id === "string" || typeof id === "number";
  if (typeof method === "string") {
    const params = recordOf(message["params"]);
    return hasId ? { is: "request", id, method, params } : { is: "notice", method, params };
  }
  if (!hasId) return undefined;
  if (message["error"] === undefined) return { is: "result", id: String(id), result: recordOf(message["result"]) };
  const { code, message: text, data } = recordOf(message["error"]);
  const error = { code: typeof code === "number" ? code : 0, message: textOf(text, "it gave no reason"), data };
  return { is: "error", id: String(id), error };
}

export function toRequest(id: string, method: string, params: object): string {
  return toLine({ id, method, params });
}

export function toNotice(method: string, params: object): string {
  return toLine({ method, params });
}

export function toResult(id: string | number, result: object): string {
  return toLine({ id, result });
}

/** The answer to what we do not do for a program. */
export function toRefusal(id: string | number, method: string): string {
  return toLine({ id, error: { code: -32_601, message: `${method} is not done here; use the tools of the door` } });
}

function toLine(message: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
}
