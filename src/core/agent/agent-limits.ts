// What everything in an agent may use together: what its template says, with what was given to it since, and at most what
// policies allow. What it may take of the disk is in disk-limit.ts.

import { agentSubject } from "../egress/egress.ts";
import { applicable, type Policy, ruleFor } from "../policy/policy.ts";
import type { State } from "../state.ts";
import type { AgentSpec, UseLimits } from "./agent-spec.ts";
import type { Agent } from "./agent-state.ts";
import { diskLimitOf } from "./disk-limit.ts";
import { limitsOf } from "./room.ts";

export const agentLimitKinds = ["memoryBytes", "cpu", "processes", "files", "outputBytesPerS", "diskBytes"] as const;
export type AgentLimitKind = (typeof agentLimitKinds)[number];

export type AgentLimit = {
  readonly value: number;
  /** The policy that allows no more; null where that is the template's word. */
  readonly policy: string | null;
  /** Whether it may only be less than what is usual where nobody says anything: a model's policy lifts nothing (SV16). */
  readonly tightens: boolean;
};

/** Null where nobody bounds it (SV16). */
export type AgentLimits = Readonly<Record<Exclude<AgentLimitKind, "diskBytes">, AgentLimit | null>>;

type Bounded = Pick<Agent, "project" | "node" | "spec" | "room">;

/** What is usual for every agent, wherever it is (SC23). What is usual of memory follows from the machine. */
const usual = { processes: 4096, outputBytesPerS: 32 * 1024 * 1024 };

const ruleOf = {
  memoryBytes: "maxMemory",
  cpu: "maxCpu",
  processes: "maxProcesses",
  files: "maxOpenFiles",
  outputBytesPerS: "maxOutputRate",
} as const;

type PlaceRule = (typeof ruleOf)[keyof typeof ruleOf] | "maxDisk";

/** Policies for a profile or a runner speak of runs alone. */
export function agentLimitsOf(state: Pick<State, "policies">, agent: Bounded): AgentLimits {
  const policies = applicable(state.policies, agentSubject(agent));
  const own = limitsOf(agent, null);
  const of = (kind: keyof typeof ruleOf): AgentLimit | null => {
    const said = kind === "outputBytesPerS" ? null : (own?.[kind] ?? null);
    const most = mostBy(policies, kind);
    if (most !== null && most.value < (said ?? Infinity)) return said === null ? most : { ...most, tightens: false };
    return said === null ? null : { value: said, policy: null, tightens: false };
  };
  return {
    memoryBytes: of("memoryBytes"),
    cpu: of("cpu"),
    processes: of("processes"),
    files: of("files"),
    outputBytesPerS: of("outputBytesPerS"),
  };
}

function mostBy(policies: readonly Policy[], kind: keyof typeof ruleOf): AgentLimit | null {
  const rule = ruleFor(policies, ruleOf[kind]);
  if (typeof rule?.value !== "number") return null;
  const tightens = policies.some(({ name, priority }) => name === rule.policy && priority < 0);
  const most = kind === "processes" || kind === "outputBytesPerS" ? usual[kind] : Infinity;
  return tightens && rule.value >= most ? null : { value: rule.value, policy: rule.policy, tightens };
}

export type UsableLimits = UseLimits & {
  /** Of each command, service and hook. */
  readonly outputBytesPerS?: number;
};

/** As they are shown; null where nothing is said. How much memory it may be given is never more than policies allow. */
export function usableBy(state: Pick<State, "policies">, agent: Bounded): UsableLimits | null {
  const { memoryBytes, cpu, processes, files, outputBytesPerS } = agentLimitsOf(state, agent);
  const disk = diskLimitOf(state, agent);
  if ([memoryBytes, cpu, processes, files, outputBytesPerS, disk].every((each) => each === null)) return null;
  const most = limitsOf(agent, null)?.memoryBytesMax;
  return {
    memoryBytes: memoryBytes?.value ?? null,
    ...(most === undefined ? {} : { memoryBytesMax: Math.min(most, memoryAllowed(state, agent)) }),
    cpu: cpu?.value ?? null,
    processes: processes?.value ?? null,
    files: files?.value ?? null,
    ...(disk === null ? {} : { diskBytes: disk.bytes }),
    ...(outputBytesPerS === null ? {} : { outputBytesPerS: outputBytesPerS.value }),
  };
}

export type HeldLimit = { readonly limit: AgentLimitKind; readonly policy: string };

/** Which of its limits policies have said, and which policy each. */
export function heldByPolicies(state: Pick<State, "policies">, agent: Bounded): HeldLimit[] {
  const disk = diskLimitOf(state, agent);
  const all = { ...agentLimitsOf(state, agent), diskBytes: disk };
  return agentLimitKinds.flatMap((limit) => {
    const policy = all[limit]?.policy ?? null;
    return policy === null ? [] : [{ limit, policy }];
  });
}

/** Limits of a template that are more than policies allow, by their places. They hold nobody back: policies do (AG92). */
export type BeyondPolicy = {
  readonly path: string;
  readonly of: "memory" | "number" | "disk";
  readonly value: number;
  readonly most: number;
  readonly policy: string;
};

export function findBeyondPolicies(
  state: Pick<State, "policies">,
  place: Pick<Agent, "project" | "node">,
  { limits, services }: Pick<AgentSpec, "limits" | "services">,
): BeyondPolicy[] {
  const policies = applicable(state.policies, agentSubject(place));
  const found = (
    path: string,
    said: number | null | undefined,
    rule: PlaceRule,
    of: BeyondPolicy["of"],
  ): BeyondPolicy[] => {
    const most = ruleFor(policies, rule);
    if (typeof said !== "number" || typeof most?.value !== "number" || said <= most.value) return [];
    return [{ path, of, value: said, most: most.value, policy: most.policy }];
  };
  const whole = { path: "limits", limits };
  const own = services.map(({ name, limits: said }) => ({ path: `services.${name}.limits`, limits: said }));
  return [whole, ...own].flatMap(({ path, limits: said }) => [
    ...found(`${path}.memory`, said?.memoryBytes, "maxMemory", "memory"),
    ...found(`${path}.memory_max`, said?.memoryBytesMax, "maxMemory", "memory"),
    ...found(`${path}.cpu`, said?.cpu, "maxCpu", "number"),
    ...found(`${path}.processes`, said?.processes, "maxProcesses", "number"),
    ...found(`${path}.files`, said?.files, "maxOpenFiles", "number"),
    ...found(`${path}.disk`, said?.diskBytes, "maxDisk", "disk"),
  ]);
}

/** How much memory policies let an agent have; infinite where none bounds it. */
export function memoryAllowed(state: Pick<State, "policies">, agent: Pick<Agent, "project" | "node">): number {
  const policies = applicable(state.policies, agentSubject(agent));
  return mostBy(policies, "memoryBytes")?.value ?? Infinity;
}
