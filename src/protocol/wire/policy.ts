import { z } from "zod";
import { findGlobFlaw } from "../glob-flaw.ts";
import { line, name, priority, projectRef, runnerName } from "../fields.ts";
import { limits } from "../limits.ts";
import { stuckActs } from "../stuck-acts.ts";
import { useLimits } from "../template/limits-schema.ts";
import { egressKindSchema } from "./egress.ts";

const patterns = z.array(line(limits.patternCharsMax)).max(limits.patternsMax);
const names = z.array(runnerName).max(limits.patternsMax);
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const stuckAct = z.enum(stuckActs);
const passing = z.enum(["allow", "deny"]);

export const policyRulesSchema = z.strictObject({
  maxConcurrent: count.optional().describe("Runs at work at the same time; 0 keeps all of them waiting."),
  maxFiles: count.optional().describe("Distinct files that one run may change; 0 is none."),
  maxBytes: count.optional().describe("Bytes that one run may write; 0 is none."),
  maxDisk: count.optional().describe("Bytes that a workspace or living agent may take on the disk."),
  maxMemory: count
    .min(useLimits.memoryBytesMin, "no program starts with less than 4 MiB; leave the rule out for no limit")
    .optional()
    .describe("Bytes of memory of a run or living agent."),
  maxCpu: z
    .number()
    .min(useLimits.cpuMin)
    .max(useLimits.cpuMax)
    .optional()
    .describe("Processors, likewise, such as 0.5."),
  maxProcesses: count
    .min(8, "a command takes a few processes of its own; leave the rule out for the usual limit")
    .optional()
    .describe("Processes and threads of a run or living agent; left out, 4096."),
  maxOpenFiles: count
    .min(useLimits.filesMin)
    .max(useLimits.filesMax)
    .optional()
    .describe("Files that each process may have open."),
  maxOutputRate: count
    .min(1024, "less than a kilobyte a second would hold up every command")
    .optional()
    .describe("Bytes that a command or service may say in a second; left out, 32 MiB."),
  maxTimeMs: count
    .min(1, "a run needs some time, at least 1 ms; leave the rule out for no limit")
    .optional()
    .describe("How long a run may be at work."),
  allowedRunners: names.optional(),
  deniedRunners: names.optional(),
  allowedPaths: patterns.optional().describe("Globs of paths that may be changed; all others may not."),
  deniedPaths: patterns.optional().describe("Globs of paths that may not be changed."),
  approvalRequired: z.boolean().optional().describe("Whether a person has to approve the result."),
  autoApprove: patterns.optional().describe("No approval where every changed path matches one of these globs."),
  autoApproveMaxBytes: count.optional().describe("Bytes that a file may have at most to need no approval."),
  autoApproveBinary: z.boolean().optional().describe("false: what is no text needs approval, whatever its name is."),
  maxFileBytes: count.optional().describe("Bytes that one changed file may have; larger ones do not land."),
  deniedBinary: z.boolean().optional().describe("true: changed files that are no text do not land."),
  claiming: z
    .enum(["auto", "explicit"])
    .optional()
    .describe("auto: the first write claims. explicit: a write without a lease is refused."),
  holdPatienceMs: count
    .nullable()
    .optional()
    .describe("How long a finished run's leases resist those who wait; null is forever."),
  maxSwept: count.optional().describe("Paths outside its leases that one command may change and have claimed."),
  stuckAfterMs: count
    .min(1000, "less than a second would call every run stuck")
    .nullable()
    .optional()
    .describe("After how long without a sign of work a run is stuck; null is never."),
  stuckAfterRepeats: count
    .min(2, "a call that comes once is no repetition")
    .optional()
    .describe("The same, after how many calls in a row that are the same."),
  stuckAfterErrors: count.min(1).optional().describe("The same, after how many turns in a row that failed."),
  stuckAfterToolErrors: count
    .min(2)
    .optional()
    .describe("The same, after how many calls in a row that failed or were refused."),
  onSilent: stuckAct.optional().describe("What is done then: tell (left out), nudge, pause or stop."),
  onLoop: stuckAct.optional().describe("The same, for repeated calls; left out, nudge."),
  onErrors: stuckAct.optional().describe("The same, for turns that fail; left out, tell."),
  onToolErrors: stuckAct.optional().describe("The same, for calls that fail; left out, nudge."),
  escalateAfterMs: count
    .min(1000, "nobody answers within a second")
    .nullable()
    .optional()
    .describe("After how long what needs a person is escalated; null is never."),
  maxRetries: count.max(1000).optional().describe("Tries of an assistant after a rate limit or an outage."),
  retryWaitMs: count
    .min(1000, "less than a second would be no wait")
    .max(3_600_000)
    .optional()
    .describe("The first wait for that; each further one is twice as long."),
  maxDepth: count.max(1000).optional().describe("Generations of runs that may stem from one."),
  maxTreeRuns: count.min(1, "the first run is one").optional().describe("Runs that may stem from one, itself too."),
  reuse: patterns.optional().describe("Globs of names of living agents that runs work in which name none."),
  maxAgents: count.optional().describe("Living agents, stopped ones too; 0 is none."),
  maxRestarts: count
    .min(1, "with none nothing would ever be started again")
    .optional()
    .describe("Services that may be started again within ten seconds."),
  outputDays: count.max(36_500).optional().describe("Days that outputs and model requests of runs are kept."),
  outputBytes: count.optional().describe("Bytes of them that a project keeps; the oldest go."),
  recordingDays: count.max(36_500).optional().describe("Days that recordings of terminals are kept after their end."),
  recordingBytes: count.optional().describe("Bytes of recordings that a project keeps."),
  terminalClipboard: passing.optional().describe("Left out, deny."),
  terminalTitles: passing.optional(),
  terminalLinks: passing.optional(),
  allowedEgress: egressKindSchema.optional().describe("The most network that a run may have."),
  maxRunCostMicros: count.optional().describe("What model requests of one run may cost, in micro-dollars."),
  maxTreeCostMicros: count.optional().describe("The same, of all runs that stem from one run."),
  maxDayCostMicros: count.optional().describe("The same, of all its runs on one day (UTC)."),
  maxTotalCostMicros: count.optional().describe("The same, together and ever."),
});

/** Rules as somebody states them: there is one at least, and none of them undoes another. */
const statedRulesSchema = policyRulesSchema.superRefine((rules, context) => {
  const complain = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: "custom", path, message, input: undefined });
  if (Object.values(rules).every((value) => value === undefined))
    complain([], `a policy states at least one rule: ${Object.keys(policyRulesSchema.shape).join(", ")}`);
  for (const name of ["allowedPaths", "deniedPaths", "autoApprove"] as const) {
    for (const [at, glob] of (rules[name] ?? []).entries()) {
      const flaw = findGlobFlaw(glob);
      if (flaw !== undefined) complain([name, at], `${flaw}; given was ${JSON.stringify(glob)}`);
    }
  }
  for (const [allowed, denied] of [
    ["allowedRunners", "deniedRunners"],
    ["allowedPaths", "deniedPaths"],
  ] as const) {
    if (rules[allowed]?.length === 0)
      complain(
        [allowed],
        `an empty list would allow nothing at all; leave it out, or name in ${denied} what is denied`,
      );
    const both = rules[allowed]?.find((each) => rules[denied]?.includes(each) === true);
    if (both !== undefined) complain([denied], `"${both}" is allowed and denied at once; name it in one of the lists`);
  }
  if (rules.approvalRequired === false && (rules.autoApprove?.length ?? 0) > 0)
    complain(["autoApprove"], "it makes exceptions from an approval that approvalRequired: false does not ask for");
});

export const policyScopeSchema = z.strictObject({
  project: projectRef.optional(),
  profile: name("profile").optional(),
  runner: runnerName.optional(),
  node: name("node").optional(),
});

export const setPolicySchema = z.strictObject({
  name: name("policy's name"),
  priority: priority.default(0).describe("The higher one decides where several state the same rule."),
  enabled: z.boolean().default(true),
  scope: policyScopeSchema.default({}).describe("Which runs it speaks of; a field that is left out means any."),
  rules: statedRulesSchema,
});

export const policySchema = z.object({
  name: z.string(),
  priority: z.number(),
  enabled: z.boolean(),
  scope: policyScopeSchema,
  rules: policyRulesSchema,
});
export type Policy = z.output<typeof policySchema>;
