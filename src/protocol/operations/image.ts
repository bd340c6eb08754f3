import { z } from "zod";
import { operation } from "../operation.ts";
import { keptImageSchema } from "../wire/image.ts";

export const imageOperations = {
  "image.list": operation({
    summary: "Lists the images whose files are kept for agents, the longest unused first.",
    effect: "read",
    input: z.strictObject({}),
    output: z.object({ images: z.array(keptImageSchema) }),
    http: { method: "GET", path: "/api/v1/images" },
    mcp: {
      tool: "image_list",
      description:
        "Lists the images whose files are kept for agents, with what they take of the disk, when they were last used and whether an agent has one now. Which image a project or run works in says project_get or run_get.",
    },
  }),
  "image.prune": operation({
    summary: "Takes away the files of images that no agent has. They are made again when they are needed. For people.",
    effect: "write",
    input: z.strictObject({}),
    output: z.object({ images: z.array(keptImageSchema).describe("What was taken away.") }),
    http: { method: "POST", path: "/api/v1/images/prune" },
    mcp: null,
  }),
};
