// One thing that people, programs and agents can ask for. It is defined once; HTTP, lines, the client, the MCP tools and
// the OpenAPI document all follow from the definition.

import type { z } from "zod";

export type HttpRoute = { readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; readonly path: string };

/** How a model sees it. The description says what it does, when to use it and what to call next. */
export type McpTool = { readonly tool: string; readonly description: string };

export type Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> = {
  readonly summary: string;
  readonly effect: "read" | "write";
  readonly input: Input;
  readonly output: Output;
  readonly http: HttpRoute;
  /** Null for what only people do: approving, clearing a closed unit, ending the daemon. */
  readonly mcp: McpTool | null;
};

export function operation<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Operation<Input, Output>,
): Operation<Input, Output> {
  return definition;
}
