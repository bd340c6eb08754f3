// What a policy that came, went or is another takes from an agent, or gives it: what fails afterwards may fail because of that.

import { agentEgressOf, isMore } from "../egress/egress.ts";
import type { State } from "../state.ts";
import { agentLimitKinds, type AgentLimitKind, agentLimitsOf } from "./agent-limits.ts";
import type { Agent } from "./agent-state.ts";
import { diskLimitOf } from "./disk-limit.ts";
import { noteChange } from "./note-change.ts";

type Bounds = Pick<ReturnType<typeof agentEgressOf>, "kind"> & Readonly<Record<AgentLimitKind, number>>;

const words: Readonly<Record<AgentLimitKind, string>> = {
  ...{ memoryBytes: "memory", cpu: "processors", processes: "processes", files: "open files" },
  ...{ outputBytesPerS: "output", diskBytes: "disk" },
};

/** Changes the policies, and notes for every agent what that means for it. */
export function changePolicies(state: State, atMs: number, said: string, change: () => void): void {
  const agents = [...state.agents.values()].filter(({ isArchived }) => !isArchived);
  const before = agents.map((agent) => boundsOf(state, agent));
  change();
  for (const [at, agent] of agents.entries()) {
    const what = before[at] === undefined ? "" : tell(before[at], boundsOf(state, agent));
    if (what !== "") noteChange(agent, { kind: "policy", what: `${said}, it may have ${what}`, atMs });
  }
}

function boundsOf(state: State, agent: Agent): Bounds {
  const limits = { ...agentLimitsOf(state, agent), diskBytes: null };
  const values = agentLimitKinds.map((kind) => [kind, limits[kind]?.value ?? Infinity] as const);
  const bounds = Object.fromEntries(values) as Record<AgentLimitKind, number>;
  return {
    ...{ ...bounds, diskBytes: diskLimitOf(state, agent)?.bytes ?? Infinity },
    kind: agentEgressOf(state, agent).kind,
  };
}

function tell(before: Bounds, now: Bounds): string {
  const less = agentLimitKinds.filter((kind) => now[kind] < before[kind]).map((kind) => words[kind]);
  const more = agentLimitKinds.filter((kind) => now[kind] > before[kind]).map((kind) => words[kind]);
  if (isMore(before.kind, now.kind)) less.push("network");
  if (isMore(now.kind, before.kind)) more.push("network");
  const parts = [
    ["less", less],
    ["more", more],
  ] as const;
  return parts.flatMap(([how, of]) => (of.length === 0 ? [] : [`${how} ${of.join(", ")}`])).join(" and ");
}
