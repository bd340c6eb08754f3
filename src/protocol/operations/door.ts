import { z } from "zod";
import { runId } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { doorSchema } from "../wire/run.ts";

const artifactName = z
  .string()
  .max(limits.nameCharsMax)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "an artifact is called like report.md or output-12");

export const doorOperations = {
  "run.door": operation({
    summary: "Makes a new token for the door of a run; earlier ones do not open it any more.",
    effect: "write",
    input: z.strictObject({ run: runId }),
    output: doorSchema,
    http: { method: "POST", path: "/api/v1/runs/{run}/door" },
    mcp: null,
  }),
  "run.artifacts": operation({
    summary:
      "Lists what a run left to read: files it published, what its commands said, and what models were asked for it.",
    effect: "read",
    input: z.strictObject({
      run: runId,
      exchanges: z.boolean().default(true).describe("False: without those."),
    }),
    output: z.object({ artifacts: z.array(z.object({ name: z.string(), bytes: z.number() })) }),
    http: { method: "GET", path: "/api/v1/runs/{run}/artifacts" },
    mcp: {
      tool: "run_artifacts",
      description:
        "Lists what a run left to read: files, `output-N` (what the command of call N said), `exchange-ID` (a request to its model, answered). Next: run_artifact.",
    },
  }),
  "run.artifact": operation({
    summary: "Reads a part of an artifact.",
    effect: "read",
    input: z.strictObject({
      run: runId,
      name: artifactName.describe("The artifact's name."),
      from: z.int().min(0).default(0).describe("The first byte."),
      limit: z
        .int()
        .min(1)
        .max(limits.artifactBytesMax)
        .default(limits.artifactBytesMax)
        .describe("At most so many bytes."),
    }),
    output: z.object({
      base64: z.string(),
      from: z.number(),
      totalBytes: z.number().describe("Of the whole artifact; go on from where this part ends."),
    }),
    http: { method: "GET", path: "/api/v1/runs/{run}/artifacts/{name}" },
    mcp: {
      tool: "run_artifact",
      description: "Reads a part of an artifact of a run, as base64, from a byte on.",
    },
  }),
};
