// The MCP server: one tool for each operation that a model may ask for. It knows nobody but the function that asks, so
// the same tools serve a pipe and a port.

import { McpServer, type StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { once } from "../base/once.ts";
import { ProtocolError, toWireError, type WireError } from "../protocol/errors.ts";
import { inputSchemaOf } from "../protocol/openapi.ts";
import type { Operation } from "../protocol/operation.ts";
import { type OperationName, operations } from "../protocol/operations.ts";
import { shortenInput } from "./shorten-input.ts";

/** Asks for an operation. Throws a ProtocolError when the answer is no. */
export type Ask = (name: OperationName, input: unknown, signal: AbortSignal) => Promise<unknown>;

const instructions = [
  "Signalbox runs agents side by side on real repositories and sees to it that no two hold the same piece of it.",
  "Work units are file:PATH, dir:PATH and process:NAME, with paths relative to the project.",
  "To do work yourself: claim_make the units first, renew while you work, claim_release at the end.",
  "To have work done: run_submit, then run_wait. `locks` shows who holds what and who waits for whom.",
  "A refusal is an answer: it names a code, says what is in the way, and lists ways out.",
].join(" ");

type Tool = {
  readonly name: OperationName;
  readonly operation: Operation;
  readonly tool: string;
  readonly description: string;
};

const tools: readonly Tool[] = Object.entries(operations).flatMap(([name, operation]: [string, Operation]) =>
  operation.mcp === null ? [] : [{ name: name as OperationName, operation, ...operation.mcp }],
);
// Spelling out what no model has asked for yet would take longer than the rest of a daemon's start.
const schemas = new Map(
  tools.map(({ tool, operation }) => [tool, asStandard(() => shortenInput(inputSchemaOf(operation)))]),
);

/** A server instance for one connection, or for one request where there are no connections. */
export function makeMcpServer(ask: Ask, version: string): McpServer {
  const server = new McpServer(
    { name: "signalbox", title: "Signalbox", version },
    { instructions, capabilities: { tools: {} } },
  );
  for (const { name, operation, tool, description } of tools) {
    const inputSchema = schemas.get(tool);
    if (inputSchema === undefined) continue;
    const reads = operation.effect === "read";
    server.registerTool(
      tool,
      {
        title: operation.summary.replace(/\.$/, ""),
        description,
        inputSchema,
        annotations: {
          readOnlyHint: reads,
          destructiveHint: /remove|stop|kill|cancel/.test(tool),
          openWorldHint: false,
        },
      },
      async (input, context) => {
        try {
          const value = (await ask(name, input, context.mcpReq.signal)) as Record<string, unknown>;
          return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
        } catch (error) {
          const wire = error instanceof ProtocolError ? error.toWire() : toWireError("internal");
          return { isError: true, content: [{ type: "text", text: toText(wire) }] };
        }
      },
    );
  }
  return server;
}

/** A refusal as a model should read it. */
function toText({ code, message, ways, retryAfterMs }: WireError): string {
  const out = [`${code}: ${message}`];
  if (ways.length > 0) out.push("Ways out:", ...ways.map((way) => `- ${way}`));
  if (retryAfterMs !== undefined) out.push(`Try again in ${retryAfterMs} ms.`);
  return out.join("\n");
}

/**
 * The schema is only shown here. What comes in is judged where every face's input is judged, so that a model gets the
 * same codes and sentences as everybody else.
 */
function asStandard(make: () => Readonly<Record<string, unknown>>): StandardSchemaWithJSON<Record<string, unknown>> {
  const schema = once(make);
  const show = (): Record<string, unknown> => ({ ...schema() });
  return {
    "~standard": {
      version: 1,
      vendor: "signalbox",
      validate: (value) => ({ value: (value ?? {}) as Record<string, unknown> }),
      jsonSchema: { input: show, output: show },
    },
  };
}
