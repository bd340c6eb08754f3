// Terminals of agents. What is typed and shown travels over a WebSocket (terminal-stream.ts); here they are opened, listed,
// ended, and their recordings read.

import { z } from "zod";
import { argv, limit, line, nothing, runId } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { agentRef } from "../wire/agent.ts";
import {
  cols,
  keyboardActs,
  recordedSchema,
  rows,
  saidText,
  terminalId,
  terminalSchema,
  viewerId,
  viewerName,
  viewSchema,
  windowName,
} from "../wire/terminal.ts";

export const terminalOperations = {
  "terminal.open": operation({
    summary:
      "Opens a terminal in the cage of a run or of a living agent, or finds the window that is open. For people.",
    effect: "write",
    input: z
      .strictObject({
        run: runId.optional(),
        agent: agentRef.optional(),
        window: windowName.optional().describe("Left out: your own; for a program, one that is called like it."),
        join: z.boolean().default(false).describe("Answers with the window of that name where it is open."),
        argv: argv.optional().describe("A program in place of the shell."),
        cols: cols.default(80),
        rows: rows.default(24),
      })
      .refine(({ run, agent }) => (run === undefined) !== (agent === undefined), "say either run or agent"),
    output: z.object({ terminal: z.string() }),
    http: { method: "POST", path: "/api/v1/terminals" },
    mcp: null,
  }),
  "terminal.list": operation({
    summary: "Lists terminals, the newest first.",
    effect: "read",
    input: z.strictObject({
      run: runId.optional(),
      agent: agentRef
        .optional()
        .describe("Those of its own and of the runs in it, and its views. Also one that was removed, by id or name."),
      all: z.boolean().default(false).describe("Also those that have ended and whose recording is kept."),
      removed: z.boolean().default(false).describe("Only those whose run or agent was removed. Means `all`."),
      limit,
    }),
    output: z.object({
      terminals: z.array(terminalSchema),
      views: z.array(viewSchema).describe("Windows of the agent that are no terminals. Empty where none was named."),
      nowMs: z.number(),
    }),
    http: { method: "GET", path: "/api/v1/terminals" },
    mcp: {
      tool: "terminal_list",
      description:
        "Lists the terminals that people have open in the cages of runs and agents, with who looks and who types. With `agent` also its views: services, the run in it, its processes. Next: terminal_get for what one shows; service_output, run_log or agent_top for a view.",
    },
  }),
  "terminal.get": operation({
    summary: "Shows a terminal, and the lines that it shows now.",
    effect: "read",
    input: z.strictObject({ terminal: terminalId }),
    output: z.object({
      terminal: terminalSchema,
      lines: z.array(z.string()).describe("Without colours. Empty where it has ended."),
      processes: z.number().describe("How many run in it, its own program among them. 0 where it has ended."),
    }),
    http: { method: "GET", path: "/api/v1/terminals/{terminal}" },
    mcp: {
      tool: "terminal_get",
      description:
        "Shows what a terminal shows now, as plain lines, with who looks and who types. You cannot type there: use the tools of your run.",
    },
  }),
  "terminal.rename": operation({
    summary: "Gives a terminal that is open another name. For people.",
    effect: "write",
    input: z.strictObject({ terminal: terminalId, window: windowName }),
    output: nothing,
    http: { method: "PATCH", path: "/api/v1/terminals/{terminal}" },
    mcp: null,
  }),
  "terminal.say": operation({
    summary: "Says a line to everybody who looks at a terminal. It is not typed and not recorded. For people.",
    effect: "write",
    input: z.strictObject({ terminal: terminalId, text: saidText, name: viewerName.optional() }),
    output: z.object({ heard: z.number().describe("How many were there.") }),
    http: { method: "POST", path: "/api/v1/terminals/{terminal}/say" },
    mcp: null,
  }),
  "terminal.close": operation({
    summary: "Ends a terminal with everything that was started in it. For people.",
    effect: "write",
    input: z.strictObject({ terminal: terminalId }),
    output: nothing,
    http: { method: "DELETE", path: "/api/v1/terminals/{terminal}" },
    mcp: null,
  }),
  "terminal.keyboard": operation({
    summary: "Asks for the keyboard of a terminal, takes it, gives it to somebody or lets it go. For people.",
    effect: "write",
    input: z.strictObject({
      terminal: terminalId,
      act: z.enum(keyboardActs),
      viewer: viewerId,
      name: viewerName,
      to: z.strictObject({ viewer: viewerId, name: viewerName }).optional().describe("Left out: who asked first."),
    }),
    output: nothing,
    http: { method: "POST", path: "/api/v1/terminals/{terminal}/keyboard" },
    mcp: null,
  }),
  "terminal.recording": operation({
    summary: "Reads a part of what was said in a terminal, with when. Values of secrets are blotted out. For people.",
    effect: "read",
    input: z.strictObject({ terminal: terminalId, from: z.int().min(0).default(0) }),
    output: z.object({
      head: z.object({ argv: z.array(z.string()), cols: z.number(), rows: z.number(), wallMs: z.number() }),
      events: z.array(recordedSchema),
      next: z.number().nullable().describe("From where to go on; null at the end."),
      totalBytes: z.number(),
    }),
    http: { method: "GET", path: "/api/v1/terminals/{terminal}/recording" },
    mcp: null,
  }),
  "terminal.forget": operation({
    summary: "Removes the recording of a terminal that has ended, and all that is known of it. For people.",
    effect: "write",
    input: z.strictObject({ terminal: terminalId }),
    output: nothing,
    http: { method: "DELETE", path: "/api/v1/terminals/{terminal}/recording" },
    mcp: null,
  }),
  "terminal.search": operation({
    summary: "Finds lines in what was said in terminals, the newest terminal first. For people.",
    effect: "read",
    input: z.strictObject({
      text: line(limits.patternCharsMax),
      run: runId.optional(),
      agent: agentRef.optional().describe("Also one that was removed."),
      limit,
    }),
    output: z.object({
      matches: z.array(
        z.object({
          terminal: z.string(),
          run: z.string().nullable(),
          agent: z.string().nullable(),
          agentName: z.string().nullable(),
          removedAtMs: z.number().nullable().describe("When its run or agent was removed."),
          atMs: z.number().describe("Since it began."),
          line: z.string(),
        }),
      ),
      more: z.boolean(),
    }),
    http: { method: "GET", path: "/api/v1/recordings/search" },
    mcp: null,
  }),
};
