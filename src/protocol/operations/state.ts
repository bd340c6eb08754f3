import { z } from "zod";
import { at } from "../fields.ts";
import { operation } from "../operation.ts";
import { stateSchema } from "../wire/state.ts";

export const stateOperations = {
  state: operation({
    summary: "Shows everything at once: projects, runs, agents, leases, the machine, the inbox and budgets.",
    effect: "read",
    input: z.strictObject({ at }),
    output: stateSchema,
    http: { method: "GET", path: "/api/v1/state" },
    mcp: {
      tool: "state",
      description:
        "Shows everything in one document of bounded size: projects, runs that are not over, agents with services and health, leases and who waits, the machine, what needs a person, and budgets. Read it first to manage the whole; lists say how many there are where they have only some. Next: agent_get, run_get or locks for one of them.",
    },
  }),
};
