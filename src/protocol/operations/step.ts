// Going back to a step of a run, and on from there in another one.

import { z } from "zod";
import { runId, runnerName, text } from "../fields.ts";
import { operation } from "../operation.ts";

const step = z.int().min(0).describe("The number of a call in run.log.");

export const stepOperations = {
  "run.rewind": operation({
    summary: "Takes the workspace of a run back to what it was after a step. What is given up is in the trash.",
    effect: "write",
    input: z.strictObject({ run: runId, step }),
    output: z.object({
      changed: z.array(z.string()).describe("Paths that are something else now."),
      trash: z.array(z.string()).describe("What was given up for it."),
      stayed: z
        .array(z.string())
        .describe("Paths that stayed as they were: their old content does not fit what has landed since."),
    }),
    http: { method: "POST", path: "/api/v1/runs/{run}/rewind" },
    mcp: {
      tool: "run_rewind",
      description:
        "Takes the workspace of a run that is paused, waiting or in review back to what it was after call `step`; what is given up is in the trash, and the run is told. Look at run_diff with that step first. Next: run_resume.",
    },
  }),
  "run.fork": operation({
    summary: "Starts a new run of the same task, in a workspace that begins as a step of another run left it.",
    effect: "write",
    input: z.strictObject({
      run: runId,
      step,
      runner: runnerName.optional().describe("Left out: the same."),
      message: text().optional().describe("For the new run."),
    }),
    output: z.object({ run: z.string() }),
    http: { method: "POST", path: "/api/v1/runs/{run}/fork" },
    mcp: {
      tool: "run_fork",
      description:
        "Starts a new run of the same task whose workspace begins as call `step` of this one left it, with another runner or a message if you like. It claims what is changed there; the old run goes on by itself. Next: run_wait with the new id.",
    },
  }),
};
