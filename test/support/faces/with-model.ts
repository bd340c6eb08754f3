import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "vitest";
import { type FaceWorld, inFaceWorld } from "./face-world.ts";

type Call = (name: string, given: Record<string, unknown>) => Promise<string | undefined>;

/** Somebody who speaks MCP, as models do; each call answers `ok` or the code of its refusal. */
export async function withModel(act: (world: FaceWorld, call: Call) => Promise<void>): Promise<void> {
  await inFaceWorld(async (world) => {
    const client = new Client({ name: "somebody", version: "1.0.0" });
    const requestInit = { headers: { authorization: `Bearer ${world.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${world.server.url}/mcp`), { requestInit }));
    try {
      await act(world, async (name, given) => {
        const { isError, content } = await client.callTool({ name, arguments: given });
        return isError === true ? String((content as { text: string }[])[0]?.text).split(":")[0] : "ok";
      });
      expect(world.defects).toEqual([]);
    } finally {
      await client.close();
    }
  });
}
