import type { FaceWorld } from "./face-world.ts";

/** Calls a tool as a model would, over plain HTTP, and answers the bytes that came. */
export async function askTool({ token, server }: FaceWorld, name: string, given: object): Promise<string> {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
  const accept = "application/json, text/event-stream";
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", accept };
  return (await fetch(`${server.url}/mcp`, { method: "POST", headers, body: JSON.stringify(body) })).text();
}
