import { z } from "zod";
import { operation } from "../operation.ts";
import { agentRef, faceListed, faceName } from "../wire/agent.ts";

export const faceOperations = {
  "face.list": operation({
    summary: "Lists the faces of agents: web pages and MCP endpoints of their services.",
    effect: "read",
    input: z.strictObject({ agent: agentRef.optional() }),
    output: z.object({ faces: z.array(faceListed) }),
    http: { method: "GET", path: "/api/v1/faces" },
    mcp: {
      tool: "face_list",
      description:
        "Lists web pages and MCP endpoints of agents, each with its address and how its service is. A person opens one with `signalbox face open AGENT FACE`; to look at a page yourself, use agent_exec with curl and the service's own port.",
    },
  }),
  "face.open": operation({
    summary:
      "Opens a face: a page by a link that works once, within ten minutes; an MCP endpoint by a token. For people.",
    effect: "write",
    input: z.strictObject({ agent: agentRef, face: faceName }),
    output: z.object({
      url: z.string(),
      expiresInMs: z.number(),
      token: z
        .string()
        .nullable()
        .describe("Of an MCP endpoint: to be sent as a bearer token. It is good for this face alone."),
    }),
    http: { method: "POST", path: "/api/v1/agents/{agent}/faces/{face}/open" },
    mcp: null,
  }),
};
