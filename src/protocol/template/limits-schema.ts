// What may be used, of a service or of an agent as a whole: the same words for both.

import { z } from "zod";
import { agentLimitDefaults } from "./agent-spec.ts";
import { sizePattern, spellBytes, toBytes } from "./size.ts";

export const useLimits = {
  memoryBytesMin: 4 * 1024 ** 2,
  memoryBytesMax: 16 * 1024 ** 4,
  cpuMin: 0.01,
  cpuMax: 1024,
  processesMax: agentLimitDefaults.processes,
  filesMin: 16,
  filesMax: 1_048_576,
  diskBytesMin: 1024 ** 2,
  diskBytesMax: 16 * 1024 ** 4,
} as const;

const sizeForm = "a size is a number with a unit, such as 512MiB or 1.5GiB";

export function size(what: string, { min, max }: { readonly min: number; readonly max: number }): z.ZodString {
  return z
    .string(sizeForm)
    .regex(sizePattern, sizeForm)
    .refine(
      (value) => !sizePattern.test(value) || (toBytes(value) >= min && toBytes(value) <= max),
      `it is from ${spellBytes(min)} to ${spellBytes(max)}`,
    )
    .describe(`${what} From ${spellBytes(min)} to ${spellBytes(max)}.`);
}

const keys = {
  memory: size("How much memory its processes may have together; one that takes more is ended.", {
    min: useLimits.memoryBytesMin,
    max: useLimits.memoryBytesMax,
  }).optional(),
  memory_max: size("How much it may be given where that was not enough; left out, it is not given more.", {
    min: useLimits.memoryBytesMin,
    max: useLimits.memoryBytesMax,
  }).optional(),
  cpu: z
    .number()
    .min(useLimits.cpuMin)
    .max(useLimits.cpuMax)
    .optional()
    .describe("How many processors they may keep busy together."),
  processes: z.int().min(1).max(useLimits.processesMax).optional().describe("How many of them there may be."),
  files: z
    .int()
    .min(useLimits.filesMin)
    .max(useLimits.filesMax)
    .optional()
    .describe("How many files each of them may have open."),
};

const wrongForm = {
  error: ({ code }: { readonly code?: string }) =>
    code === "invalid_type" ? "limits are an object such as { memory: 512MiB, cpu: 1 }" : undefined,
};

export const serviceLimits = z.strictObject(keys, wrongForm).describe("What it may use; not more than its agent may.");

export const agentLimits = z
  .strictObject(
    {
      ...keys,
      processes: keys.processes.meta({ default: agentLimitDefaults.processes }),
      disk: size("How much of the disk it may take, with scratch, home and temporary files.", {
        min: useLimits.diskBytesMin,
        max: useLimits.diskBytesMax,
      }).optional(),
    },
    wrongForm,
  )
  .describe(
    "What everything in the agent may use together; of what is left out, a share of the machine (operating/disk.md).",
  );

export type SaidLimits = z.output<typeof agentLimits>;
