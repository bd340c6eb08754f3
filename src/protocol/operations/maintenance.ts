import { z } from "zod";
import { operation } from "../operation.ts";
import { maintenanceSchema } from "../wire/maintenance.ts";

export const maintenanceOperations = {
  maintain: operation({
    summary:
      "Tidies up as the daemon does by itself now and then: recordings, garbage, images, leftovers, its own logs.",
    effect: "write",
    input: z.strictObject({ dryRun: z.boolean().default(false).describe("Only says what would go.") }),
    output: maintenanceSchema,
    http: { method: "POST", path: "/api/v1/maintain" },
    // What lets go of something is for people.
    mcp: null,
  }),
};
