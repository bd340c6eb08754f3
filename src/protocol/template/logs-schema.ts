// How much of what a service says is kept.

import { z } from "zod";
import { logDefaults } from "./agent-spec.ts";
import { size } from "./limits-schema.ts";
import { spellBytes } from "./size.ts";

const logLimits = { bytesMin: 64 * 1024, bytesMax: 1024 ** 3, keepMax: 100 } as const;

export const serviceLogs = z
  .strictObject(
    {
      max_size: size("So much goes into one file, then the next is begun.", {
        min: logLimits.bytesMin,
        max: logLimits.bytesMax,
      })
        .optional()
        .meta({ default: spellBytes(logDefaults.maxBytes) }),
      keep: z
        .int()
        .min(1, "at least one full file is kept, or its last words would be gone at any moment")
        .max(logLimits.keepMax)
        .optional()
        .meta({ default: logDefaults.keep })
        .describe("So many full files are kept beside the one that is written."),
    },
    {
      error: ({ code }: { readonly code?: string }) =>
        code === "invalid_type" ? "logs are an object such as { max_size: 10MiB, keep: 5 }" : undefined,
    },
  )
  .describe("How much of what it says is kept, of each life. Without it, the first 4MiB and the last 2MiB or more.");
