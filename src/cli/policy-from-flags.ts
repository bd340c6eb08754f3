// A policy from a file, from flags, or from both: flags are put over what the file says. Whether it makes sense, the
// daemon says; it knows the rules.

import type { InputOf } from "../protocol/operations.ts";
import type { Cli } from "./cli.ts";
import type { EgressKind } from "./flags.ts";
import { readSettingsFile } from "./read-settings-file.ts";
import { UsageError } from "./usage-error.ts";

type Policy = InputOf<"policy.set">;
type Rules = Policy["rules"];
type StuckAct = NonNullable<Rules["onLoop"]>;

export type PolicyFlags = {
  readonly priority?: number;
  readonly enabled?: boolean;
  readonly project?: string;
  readonly profile?: string;
  readonly runner?: string;
  readonly node?: string;
  readonly maxConcurrent?: number;
  readonly maxFiles?: number;
  readonly maxBytes?: number;
  readonly maxDisk?: number;
  readonly maxMemory?: number;
  readonly maxCpu?: number;
  readonly maxProcesses?: number;
  readonly maxOpenFiles?: number;
  readonly maxOutputRate?: number;
  readonly maxTime?: number;
  readonly allowRunner: readonly string[];
  readonly denyRunner: readonly string[];
  readonly allowPath: readonly string[];
  readonly denyPath: readonly string[];
  readonly approvalRequired?: boolean;
  readonly autoApprove: readonly string[];
  readonly autoApproveMaxBytes?: number;
  readonly autoApproveBinary?: boolean;
  readonly maxFileBytes?: number;
  readonly denyBinary?: boolean;
  readonly claiming?: "auto" | "explicit";
  readonly holdPatience?: number | "forever";
  readonly maxSwept?: number;
  readonly stuckAfter?: number | "forever";
  readonly stuckAfterRepeats?: number;
  readonly stuckAfterErrors?: number;
  readonly stuckAfterToolErrors?: number;
  readonly onSilent?: StuckAct;
  readonly onLoop?: StuckAct;
  readonly onErrors?: StuckAct;
  readonly onToolErrors?: StuckAct;
  readonly escalateAfter?: number | "forever";
  readonly maxRetries?: number;
  readonly retryWait?: number;
  readonly maxDepth?: number;
  readonly maxTreeRuns?: number;
  readonly reuse: readonly string[];
  readonly maxAgents?: number;
  readonly maxRestarts?: number;
  readonly terminalClipboard?: "allow" | "deny";
  readonly terminalTitles?: "allow" | "deny";
  readonly terminalLinks?: "allow" | "deny";
  readonly outputDays?: number;
  readonly outputBytes?: number;
  readonly recordingDays?: number;
  readonly recordingBytes?: number;
  readonly egress?: EgressKind;
  readonly maxRunCost?: number;
  readonly maxTreeCost?: number;
  readonly maxDayCost?: number;
  readonly maxTotalCost?: number;
};

/** What a file says, as plain data. */
export async function readPolicyFile(cli: Cli, path: string, name: string): Promise<Partial<Policy>> {
  const policy = (await readSettingsFile(cli, path)) as Partial<Policy>;
  if (policy.name !== undefined && policy.name !== name) {
    throw new UsageError(`--file "${path}" is about the policy ${policy.name}, not ${name}: give the same name.`);
  }
  return policy;
}

export function toPolicy(name: string, base: Partial<Policy>, flags: PolicyFlags): Policy {
  const { priority, enabled, project, profile, runner, node } = flags;
  const scope = { ...base.scope, ...given({ project, profile, runner, node }) };
  return { ...base, name, ...given({ priority, enabled }), scope, rules: { ...base.rules, ...toRules(flags) } };
}

function toRules(flags: PolicyFlags): Rules {
  const { maxConcurrent, maxFiles, maxBytes, maxDisk, approvalRequired, claiming, maxSwept } = flags;
  return given({
    maxConcurrent,
    maxFiles,
    maxBytes,
    maxDisk,
    maxMemory: flags.maxMemory,
    maxCpu: flags.maxCpu,
    maxProcesses: flags.maxProcesses,
    maxOpenFiles: flags.maxOpenFiles,
    maxOutputRate: flags.maxOutputRate,
    maxTimeMs: flags.maxTime,
    allowedRunners: some(flags.allowRunner),
    deniedRunners: some(flags.denyRunner),
    allowedPaths: some(flags.allowPath),
    deniedPaths: some(flags.denyPath),
    approvalRequired,
    autoApprove: some(flags.autoApprove),
    autoApproveMaxBytes: flags.autoApproveMaxBytes,
    autoApproveBinary: flags.autoApproveBinary,
    maxFileBytes: flags.maxFileBytes,
    deniedBinary: flags.denyBinary,
    claiming,
    maxSwept,
    maxRunCostMicros: flags.maxRunCost,
    maxTreeCostMicros: flags.maxTreeCost,
    maxDayCostMicros: flags.maxDayCost,
    maxTotalCostMicros: flags.maxTotalCost,
    holdPatienceMs: flags.holdPatience === "forever" ? null : flags.holdPatience,
    stuckAfterMs: flags.stuckAfter === "forever" ? null : flags.stuckAfter,
    stuckAfterRepeats: flags.stuckAfterRepeats,
    stuckAfterErrors: flags.stuckAfterErrors,
    stuckAfterToolErrors: flags.stuckAfterToolErrors,
    onSilent: flags.onSilent,
    onLoop: flags.onLoop,
    onErrors: flags.onErrors,
    onToolErrors: flags.onToolErrors,
    escalateAfterMs: flags.escalateAfter === "forever" ? null : flags.escalateAfter,
    maxRetries: flags.maxRetries,
    retryWaitMs: flags.retryWait,
    maxDepth: flags.maxDepth,
    maxTreeRuns: flags.maxTreeRuns,
    reuse: some(flags.reuse),
    maxAgents: flags.maxAgents,
    maxRestarts: flags.maxRestarts,
    terminalClipboard: flags.terminalClipboard,
    terminalTitles: flags.terminalTitles,
    terminalLinks: flags.terminalLinks,
    outputDays: flags.outputDays,
    outputBytes: flags.outputBytes,
    recordingDays: flags.recordingDays,
    recordingBytes: flags.recordingBytes,
    allowedEgress: flags.egress,
  });
}

function some(items: readonly string[]): string[] | undefined {
  return items.length === 0 ? undefined : [...items];
}

/** Only what was said: an absent field means "any" to a policy, so it must stay absent. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
