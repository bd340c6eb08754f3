// What one writes first: tools that read and write files, over the same library and the same HTTP server as ours.

import fs from "node:fs";
import path from "node:path";
import { serve } from "@hono/node-server";
import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { makeMcpHttp } from "../../src/mcp/http.ts";

const [folder = ""] = process.argv.slice(2);

function makeServer(): McpServer {
  const server = new McpServer({ name: "bare", version: "1.0.0" }, { capabilities: { tools: {} } });
  const text = (said: string): { content: [{ type: "text"; text: string }] } => ({
    content: [{ type: "text", text: said }],
  });
  server.registerTool("read_file", { description: "", inputSchema: z.object({ path: z.string() }) }, async (args) =>
    text(await fs.promises.readFile(path.join(folder, args.path), "utf8")),
  );
  const written = z.object({ path: z.string(), content: z.string() });
  server.registerTool("write_file", { description: "", inputSchema: written }, async (args) => {
    await fs.promises.writeFile(path.join(folder, args.path), args.content);
    return text("written");
  });
  return server;
}

const mcp = makeMcpHttp(makeServer);
serve({ fetch: (request) => mcp.answer(request, null), hostname: "127.0.0.1", port: 0 }, ({ port }) => {
  fs.writeFileSync(path.join(folder, "url.new"), `http://127.0.0.1:${port}/`);
  fs.renameSync(path.join(folder, "url.new"), path.join(folder, "url"));
});
