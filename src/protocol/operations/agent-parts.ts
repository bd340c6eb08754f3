// What operations on agents and on their services have in common.

import { z } from "zod";
import { text } from "../fields.ts";
import { limits } from "../limits.ts";
import { agentRef, agentSchema, serviceName } from "../wire/agent.ts";

const templateCharsMax = 65_536;
const execMsMax = 600_000;
const execSecondsDefault = 60;

export const oneAgent = z.strictObject({ agent: agentRef });
export const oneService = z.strictObject({ agent: agentRef, service: serviceName });
export const agentAnswer = z.object({ agent: agentSchema });
export const next = "Next: agent_get shows how far it is.";

export const templateText = text(templateCharsMax).describe("The template itself, as YAML.");
export const templateFile = text(limits.pathCharsMax)
  .optional()
  .describe("What the template's file is called, for messages about it.");

const effect = z
  .enum(["none", "service", "place", "never"])
  .describe("none: it becomes so. service: services restart. place: made anew around its files. never: another agent.");

/** What becoming what a template says takes. */
export const reloadPlan = {
  changes: z.array(
    z.object({
      path: z.string().describe("Where, as in `services.web.env`."),
      effect,
      agent: z.string().nullable().describe("What the agent has, as JSON."),
      template: z.string().nullable().describe("What the template says, as JSON."),
    }),
  ),
  restarts: z.array(z.string()).describe("Services that would be started again, those that need others among them."),
  effect,
};

export const dryRun = z.boolean().default(false).describe("Only says what differs, and what it would take.");

export const execCwd = text(limits.pathCharsMax).optional().describe("A folder of the workspace.");
export const execTimeout = z
  .int()
  .min(1)
  .max(execMsMax)
  .default(execSecondsDefault * 1000);
export const execAnswer = z.object({
  exit: z.union([z.int(), z.literal("unknown")]),
  why: z.string(),
  output: z.string().describe("The end of what it said."),
  outputBytes: z.int(),
});
