// What a run did, as a whole.

import { z } from "zod";
import { at, runId } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { storySchema } from "../wire/story.ts";

const count = z.int().min(0);

export const storyOperations = {
  "run.story": operation({
    summary: "Tells what a run did, from its beginning on, in an answer of bounded size.",
    effect: "read",
    input: z.strictObject({
      run: runId,
      from: count.optional().describe("Place of the first one, from 0."),
      step: count.optional().describe("Or: around this call."),
      limit: count.max(limits.storyStepsMax).default(0).describe("Steps at most."),
      drawn: count.max(limits.pageMax).optional().describe("With a timeline, of so many units."),
      at,
    }),
    output: storySchema,
    http: { method: "GET", path: "/api/v1/runs/{run}/story" },
    mcp: {
      tool: "run_story",
      description:
        "Sums up a run: time, cost, plan, last step and command; with `limit` its steps. Ask again while `more` is true. Next: run_diff with a step, or run_log.",
    },
  }),
};
