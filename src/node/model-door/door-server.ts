// A run's door as an MCP server. It knows nothing but the list of tools and the function that does them.

import { McpServer, type StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { toolUseIn } from "../../protocol/tool-use.ts";
import { doorTools } from "./door-tools.ts";
import type { ToolAnswer } from "./model-door.ts";
import { type PlainSchema, toPlainSchema } from "./plain-schema.ts";

/** `use` is what the program calls it, where that says so. */
export type CallTool = (name: string, args: unknown, use: string | undefined) => Promise<ToolAnswer>;

const shown = new Map(doorTools.map((tool) => [tool.name, asStandard(toPlainSchema(tool.input))]));

/** `names` has those tools that are shown under another name than their own. */
export function makeDoorServer(
  title: string,
  call: CallTool,
  version: string,
  offers: (tool: string) => boolean,
  names: Readonly<Record<string, string>>,
): McpServer {
  const server = new McpServer(
    { name: "signalbox-run", title, version },
    { instructions: instructionsFor(title), capabilities: { tools: {} } },
  );
  for (const { name, description } of doorTools) {
    const inputSchema = shown.get(name);
    if (inputSchema === undefined || !offers(name)) continue;
    server.registerTool(names[name] ?? name, { description, inputSchema }, async (args, { mcpReq }) => {
      const { text, isError } = await call(name, args, toolUseIn(mcpReq._meta));
      return { content: [{ type: "text", text }], ...(isError ? { isError } : {}) };
    });
  }
  return server;
}

function instructionsFor(title: string): string {
  return [
    `Your task: ${title}`,
    "You work in a copy of the project that nobody else sees until your result lands. Use only these tools.",
    "What you change is claimed for you, so that no other run has it at the same time; claim or submit_plan first what you know you will need.",
    "A no is an answer: it says what is in the way and what to call next. When you are done, call finish.",
  ].join("\n");
}

/** The schema is only shown here; arguments are judged where they are used, in our own words. */
function asStandard(schema: PlainSchema): StandardSchemaWithJSON<Record<string, unknown>> {
  const show = (): Record<string, unknown> => ({ ...schema });
  return {
    "~standard": {
      version: 1,
      vendor: "signalbox",
      validate: (value) => ({ value: (value ?? {}) as Record<string, unknown> }),
      jsonSchema: { input: show, output: show },
    },
  };
}
