// A refusal of a whole message, in the words of JSON-RPC. What a tool refuses is a result instead.

import type { WireError } from "../protocol/errors.ts";

export type RpcError = {
  readonly jsonrpc: "2.0";
  readonly id: number | string | null;
  readonly error: { readonly code: number; readonly message: string; readonly data: { readonly code: string } };
};

const parseErrorCode = -32_700;

export function rpcErrorOf(id: RpcError["id"], { code, message }: WireError): RpcError {
  return { jsonrpc: "2.0", id, error: { code: parseErrorCode, message, data: { code } } };
}
