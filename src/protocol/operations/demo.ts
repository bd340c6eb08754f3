import { z } from "zod";
import { line } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";

export const demoOperations = {
  "demo.start": operation({
    summary: "Makes a sample repository and lets five scripted agents work on it at once.",
    effect: "write",
    input: z.strictObject({
      folder: line(limits.pathCharsMax)
        .refine((value) => value.startsWith("/"), "the folder is an absolute path")
        .optional()
        .describe("Where to make the repository; a new folder. Left out: a temporary one."),
      stay: z
        .boolean()
        .default(false)
        .describe("Also three runs that stay: one to be reviewed, one that works on, and one that waits for it."),
    }),
    output: z.object({
      folder: z.string(),
      project: z.string(),
      name: z.string(),
      runs: z.array(z.string()).describe("Those that end by themselves."),
      staying: z.array(z.string()),
      seq: z.number().describe("The newest event before it began."),
    }),
    http: { method: "POST", path: "/api/v1/demo" },
    mcp: null,
  }),
};
