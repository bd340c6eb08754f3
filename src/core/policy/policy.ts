// Policies: what a run may do, and who said so. Each rule is decided by the most important policy that states it and
// applies to the run; concurrency is different: every limit that applies has to have room.

import { compareText } from "../../base/canonical.ts";
import { nameKey } from "../lease/unit.ts";
import type { EgressKind } from "../egress/egress.ts";
import { matchesGlob } from "../../base/glob.ts";

/** Which runs a policy speaks of. An absent field means any. */
export type PolicyScope = {
  readonly project?: string | undefined;
  readonly profile?: string | undefined;
  readonly runner?: string | undefined;
  readonly node?: string | undefined;
};

/** What is done about a run that is stuck: nothing; its assistant is told; it is paused; it is ended. */
export const stuckActs = ["tell", "nudge", "pause", "stop"] as const;
export type StuckAct = (typeof stuckActs)[number];

export type PolicyRules = {
  readonly maxConcurrent?: number | undefined;
  /** Distinct files that one run may change. */
  readonly maxFiles?: number | undefined;
  /** Bytes that one run may write. */
  readonly maxBytes?: number | undefined;
  /** Bytes that the workspace of one run, or of a living agent, may take on the disk, scratch and all. */
  readonly maxDisk?: number | undefined;
  /** What everything that a run starts, or everything in a living agent, may use together: bytes of memory, processors, processes. */
  readonly maxMemory?: number | undefined;
  readonly maxCpu?: number | undefined;
  readonly maxProcesses?: number | undefined;
  /** Files that each of its processes may have open, and bytes that each of its commands and services may say in a second. */
  readonly maxOpenFiles?: number | undefined;
  readonly maxOutputRate?: number | undefined;
  /** How long a run may be at work. */
  readonly maxTimeMs?: number | undefined;
  readonly allowedRunners?: readonly string[] | undefined;
  readonly deniedRunners?: readonly string[] | undefined;
  readonly allowedPaths?: readonly string[] | undefined;
  readonly deniedPaths?: readonly string[] | undefined;
  readonly approvalRequired?: boolean | undefined;
  /** When every changed path matches one of these, no approval is needed. */
  readonly autoApprove?: readonly string[] | undefined;
  /** … unless one of them is larger than this, or is no text where only text is fine. */
  readonly autoApproveMaxBytes?: number | undefined;
  readonly autoApproveBinary?: boolean | undefined;
  /** Bytes that one changed file may have, and whether files that are no text may be changed not at all. */
  readonly maxFileBytes?: number | undefined;
  readonly deniedBinary?: boolean | undefined;
  readonly claiming?: "auto" | "explicit" | undefined;
  readonly holdPatienceMs?: number | null | undefined;
  /** When people are told that a run is stuck: after how long without a sign of work (null is never), … */
  readonly stuckAfterMs?: number | null | undefined;
  /** … after how many calls in a row that are the same, and after how many turns in a row that failed. */
  readonly stuckAfterRepeats?: number | undefined;
  readonly stuckAfterErrors?: number | undefined;
  /** … or after how many calls in a row that failed or were refused. */
  readonly stuckAfterToolErrors?: number | undefined;
  /** What is done then, beside that people are told, for each of these reasons. */
  readonly onSilent?: StuckAct | undefined;
  readonly onLoop?: StuckAct | undefined;
  readonly onErrors?: StuckAct | undefined;
  readonly onToolErrors?: StuckAct | undefined;
  /** After how long what needs a person has waited for too long; null is never. */
  readonly escalateAfterMs?: number | null | undefined;
  /** How often an assistant is tried again that its model's maker keeps waiting, and after how long for the first time. */
  readonly maxRetries?: number | undefined;
  readonly retryWaitMs?: number | undefined;
  /** How many generations a run may have beneath it, and how many runs may stem from one, itself among them. */
  readonly maxDepth?: number | undefined;
  readonly maxTreeRuns?: number | undefined;
  /** Names of living agents, as globs, that runs work in which name none, as long as one of them is free. */
  readonly reuse?: readonly string[] | undefined;
  /** How many living agents there may be. */
  readonly maxAgents?: number | undefined;
  /** How many services of all agents together may be started again within ten seconds. */
  readonly maxRestarts?: number | undefined;
  /** For how many days after its end what a run has said is kept, and how many bytes of that for a project. */
  readonly outputDays?: number | undefined;
  readonly outputBytes?: number | undefined;
  /** For how many days after its end the recording of a terminal is kept, and how many bytes of them for a project. */
  readonly recordingDays?: number | undefined;
  readonly recordingBytes?: number | undefined;
  /** Whether what programs in terminals say reaches a viewer's clipboard, the title of their window, and links. */
  readonly terminalClipboard?: "allow" | "deny" | undefined;
  readonly terminalTitles?: "allow" | "deny" | undefined;
  readonly terminalLinks?: "allow" | "deny" | undefined;
  /** How many paths outside its leases one command may change and have claimed for it. */
  readonly maxSwept?: number | undefined;
  /** How much of the network a run may have at most. */
  readonly allowedEgress?: EgressKind | undefined;
  /** What model requests may cost: of one run, and of everything that stems from one run. */
  readonly maxRunCostMicros?: number | undefined;
  readonly maxTreeCostMicros?: number | undefined;
  /** What those of all runs that the policy speaks of may cost together: on one day, and ever. */
  readonly maxDayCostMicros?: number | undefined;
  readonly maxTotalCostMicros?: number | undefined;
};

export type Policy = {
  readonly name: string;
  readonly priority: number;
  readonly enabled: boolean;
  readonly scope: PolicyScope;
  readonly rules: PolicyRules;
};

/** What a policy may look at. */
export type PolicySubject = {
  readonly project: string;
  readonly profile: string | null;
  readonly runner: string;
  readonly node: string;
};

/** The name of what decides when no policy states a rule. */
export const builtIn = "built-in";

export const defaultRules = {
  claiming: "auto",
  holdPatienceMs: 10 * 60_000,
  maxSwept: 50,
  stuckAfterMs: 15 * 60_000,
  stuckAfterRepeats: 8,
  stuckAfterErrors: 3,
  stuckAfterToolErrors: 20,
  onSilent: "tell",
  onLoop: "nudge",
  onErrors: "tell",
  onToolErrors: "nudge",
  escalateAfterMs: 3_600_000,
  maxRetries: 5,
  retryWaitMs: 15_000,
  maxDepth: 8,
  maxTreeRuns: 128,
  maxAgents: 100,
  maxRestarts: 32,
  outputDays: 30,
  outputBytes: 8 * 1024 * 1024 * 1024,
  recordingDays: 30,
  recordingBytes: 4 * 1024 * 1024 * 1024,
} as const;

export type PolicyDenied = {
  readonly code: "policy-denied";
  readonly policy: string;
  readonly rule: string;
  readonly what: string;
};

/** The policies that apply, the most important first: those that speak of the run, and the one that its profile names. */
export function applicable(policies: ReadonlyMap<string, Policy>, subject: PolicySubject, named?: string): Policy[] {
  return [...policies.values()]
    .filter((policy) => policy.enabled && (policy.name === named || inScope(policy.scope, subject)))
    .toSorted((a, b) => b.priority - a.priority || compareText(a.name, b.name));
}

/** The value of a rule and the policy that decided it. */
export function ruleFor<K extends keyof PolicyRules>(
  policies: readonly Policy[],
  rule: K,
): { readonly value: NonNullable<PolicyRules[K]> | null; readonly policy: string } | undefined {
  for (const policy of policies) {
    const value = policy.rules[rule];
    if (value !== undefined) return { value, policy: policy.name };
  }
  return undefined;
}

/** Whether the runner may be used at all. */
export function checkRunner(policies: readonly Policy[], runner: string): PolicyDenied | undefined {
  const denied = ruleFor(policies, "deniedRunners");
  if (denied?.value?.includes(runner)) return deny(denied.policy, "deniedRunners", runner);
  const allowed = ruleFor(policies, "allowedRunners");
  if (allowed?.value && !allowed.value.includes(runner)) return deny(allowed.policy, "allowedRunners", runner);
  return undefined;
}

/** Whether a path may be changed. Where the project folds case, so do its policies, or another spelling would pass. */
export function checkPath(policies: readonly Policy[], path: string, foldCase: boolean): PolicyDenied | undefined {
  const denied = ruleFor(policies, "deniedPaths");
  if (denied?.value?.some((pattern) => isNamed(pattern, path, foldCase)))
    return deny(denied.policy, "deniedPaths", path);
  const allowed = ruleFor(policies, "allowedPaths");
  if (allowed?.value && !allowed.value.some((pattern) => isNamed(pattern, path, foldCase))) {
    return deny(allowed.policy, "allowedPaths", path);
  }
  return undefined;
}

/** Whether a run may have changed this much. */
export function checkAmount(policies: readonly Policy[], files: number, bytes: number): PolicyDenied | undefined {
  const maxFiles = ruleFor(policies, "maxFiles");
  if (typeof maxFiles?.value === "number" && files > maxFiles.value) {
    return deny(maxFiles.policy, "maxFiles", `${files} files of at most ${maxFiles.value}`);
  }
  const maxBytes = ruleFor(policies, "maxBytes");
  if (typeof maxBytes?.value === "number" && bytes > maxBytes.value) {
    return deny(maxBytes.policy, "maxBytes", `${bytes} bytes of at most ${maxBytes.value}`);
  }
  return undefined;
}

/** Whether a finished run needs a person, and who decided that. */
export function decideApproval(
  policies: readonly Policy[],
  changed: readonly string[],
  foldCase: boolean,
): { readonly needed: boolean; readonly policy: string } {
  const required = ruleFor(policies, "approvalRequired");
  if (required?.value !== true) return { needed: false, policy: required?.policy ?? builtIn };
  const auto = ruleFor(policies, "autoApprove");
  const isFine = (path: string): boolean => auto?.value?.some((glob) => isNamed(glob, path, foldCase)) === true;
  const all = auto !== undefined && changed.length > 0 && changed.every(isFine);
  return all ? { needed: false, policy: auto.policy } : { needed: true, policy: required.policy };
}

export function inScope(scope: PolicyScope, subject: PolicySubject): boolean {
  return (
    (scope.project === undefined || scope.project === subject.project) &&
    (scope.profile === undefined || scope.profile === subject.profile) &&
    (scope.runner === undefined || scope.runner === subject.runner) &&
    (scope.node === undefined || scope.node === subject.node)
  );
}

function isNamed(pattern: string, path: string, foldCase: boolean): boolean {
  return matchesGlob(nameKey(pattern, foldCase), nameKey(path, foldCase));
}

export function deny(policy: string, rule: string, what: string): PolicyDenied {
  return { code: "policy-denied", policy, rule, what };
}
