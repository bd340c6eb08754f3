import { z } from "zod";
import { line, name, priority, projectRef } from "../fields.ts";
import { limits } from "../limits.ts";

const patterns = z.array(line(limits.patternCharsMax)).max(limits.patternsMax);
const names = z.array(name("runner")).max(limits.patternsMax);
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const policyRulesSchema = z.strictObject({
  maxConcurrent: count.optional().describe("Runs at work at the same time."),
  maxFiles: count.optional().describe("Distinct files that one run may change."),
  maxBytes: count.optional().describe("Bytes that one run may write."),
  maxTimeMs: count.optional().describe("How long a run may be at work."),
  allowedRunners: names.optional(),
  deniedRunners: names.optional(),
  allowedPaths: patterns.optional().describe("Globs of paths that may be changed; all others may not."),
  deniedPaths: patterns.optional().describe("Globs of paths that may not be changed."),
  approvalRequired: z.boolean().optional().describe("Whether a person has to approve the result."),
  autoApprove: patterns
    .optional()
    .describe("When every changed path matches one of these globs, no approval is needed."),
  claiming: z
    .enum(["auto", "explicit"])
    .optional()
    .describe("auto: the first write claims. explicit: a write without a lease is refused."),
  holdPatienceMs: count
    .nullable()
    .optional()
    .describe("How long a finished run's leases resist those who wait; null is forever."),
});

export const policyScopeSchema = z.strictObject({
  project: projectRef.optional(),
  profile: name("profile").optional(),
  runner: name("runner").optional(),
  node: name("node").optional(),
});

export const setPolicySchema = z.strictObject({
  name: name("policy's name"),
  priority: priority.default(0).describe("The higher one decides where several state the same rule."),
  enabled: z.boolean().default(true),
  scope: policyScopeSchema.default({}).describe("Which runs it speaks of; a field that is left out means any."),
  rules: policyRulesSchema,
});

export const policySchema = z.object({
  name: z.string(),
  priority: z.number(),
  enabled: z.boolean(),
  scope: policyScopeSchema,
  rules: policyRulesSchema,
});
export type Policy = z.output<typeof policySchema>;
