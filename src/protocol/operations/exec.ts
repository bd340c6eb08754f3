// Commands that somebody runs inside an agent and listens to while they run. What answers once, at the end, is agent.exec.

import { z } from "zod";
import { argv, nothing, text } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { agentRef, serviceName } from "../wire/agent.ts";

/** Base64 of this many bytes fits into one request. */
export const execInputBytesMax = 524_288;
const base64CharsMax = Math.ceil(execInputBytesMax / 3) * 4;
const tagCharsMax = 64;
const graceMsMax = 60_000;
const graceMsDefault = 10_000;

const execId = z.uuid().describe("Which command, as exec.start answered.");
const one = z.strictObject({ agent: agentRef, exec: execId });

// A model reads one answer at a time: it has agent_exec.
const mcp = null;

export const execOperations = {
  "exec.start": operation({
    summary:
      "Begins a command inside an agent. It is ended when nobody asks for it for half a minute, and waits for whoever reads it.",
    effect: "write",
    input: z.strictObject({
      agent: agentRef,
      service: serviceName.optional().describe("Beside this one: in its folder, and with its variables."),
      argv,
      cwd: text(limits.pathCharsMax).optional().describe("A folder of the workspace."),
      timeoutMs: z.int().min(1).max(limits.deadlineMsMax).optional().describe("Left out: as long as it takes."),
      stdin: z.boolean().default(false).describe("Whether exec.input will come. Else there is nothing to read."),
      key: z.uuid().optional().describe("Of your own: asked again with the same one, it is begun once."),
    }),
    output: z.object({ exec: z.string() }),
    http: { method: "POST", path: "/api/v1/agents/{agent}/execs" },
    mcp,
  }),
  "exec.output": operation({
    summary: "Reads what a command said, from an offset on; what comes before that may be let go.",
    effect: "read",
    input: one.extend({
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(limits.outputBytesMax).default(limits.outputBytesMax),
      waitMs: z.int().min(0).max(limits.waitMsMax).default(0).describe("How long to wait for more than there is."),
    }),
    output: z.object({
      base64: z.string().describe("Both streams together, in the order in which they were said."),
      offset: z.int().describe("Where the bytes stand in everything that it said."),
      size: z.int(),
      end: z
        .object({ exit: z.union([z.int(), z.literal("unknown")]), why: z.string() })
        .nullable()
        .describe("How it ended. There may be more to read nevertheless, up to `size`."),
    }),
    http: { method: "GET", path: "/api/v1/agents/{agent}/execs/{exec}/output" },
    mcp,
  }),
  "exec.input": operation({
    summary: "Gives a command something to read, and answers when it has read it, but for what its pipe holds.",
    effect: "write",
    input: one.extend({
      base64: z.base64().max(base64CharsMax).default(""),
      end: z.boolean().default(false).describe("Nothing more will come."),
      tag: z.string().min(1).max(tagCharsMax).describe("Of your own: what comes again under the same tag is left out."),
    }),
    output: z.object({ taken: z.boolean().describe("False when it reads no more.") }),
    http: { method: "POST", path: "/api/v1/agents/{agent}/execs/{exec}/input" },
    mcp,
  }),
  "exec.stop": operation({
    summary: "Ends a command with everything that it started, first gently.",
    effect: "write",
    input: one.extend({
      signal: z.enum(["INT", "TERM", "HUP", "QUIT"]).default("TERM"),
      graceMs: z.int().min(0).max(graceMsMax).default(graceMsDefault).describe("How long it has until it is killed."),
      forget: z.boolean().default(false).describe("Also lets go of what it said."),
    }),
    output: nothing,
    http: { method: "POST", path: "/api/v1/agents/{agent}/execs/{exec}/stop" },
    mcp,
  }),
};
