// MCP over streamable HTTP. Who may come in has been decided before.

import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";
import { statusOf, toWireError, type WireError } from "../protocol/errors.ts";
import { parseJson } from "../protocol/json.ts";
import { limits } from "../protocol/limits.ts";
import { rpcErrorOf } from "./rpc-error.ts";

export type McpHttp = {
  /** Answers a request whose body, if any, has been read as text. */
  answer(request: Request, body: string | null): Promise<Response>;
  close(): Promise<void>;
};

/** Serves with a server instance for each request. */
export function makeMcpHttp(makeServer: (request: Request | undefined) => McpServer): McpHttp {
  const handler = createMcpHandler(({ requestInfo }) => makeServer(requestInfo), {
    maxRequestBodySize: limits.requestBytesMax,
  });
  return {
    answer: async (request, body) => {
      if (body === null) return handler.fetch(request);
      const parsed = parseJson(body);
      if (!parsed.ok) return toRpcError(toWireError(parsed.refusal.code, { why: parsed.refusal.why }));
      return handler.fetch(request, { parsedBody: parsed.value });
    },
    close: () => handler.close(),
  };
}

function toRpcError(error: WireError): Response {
  return new Response(JSON.stringify(rpcErrorOf(null, error)), {
    status: statusOf(error.code),
    headers: { "content-type": "application/json" },
  });
}
