// How many living agents there may be. A limit is a policy with a scope, and an agent needs room under every one that speaks of
// it; what nobody has limited is limited all the same, because a model can make agents.

import { compareText } from "../../base/canonical.ts";
import { builtIn, defaultRules, deny, type Policy, type PolicyDenied, type PolicyScope } from "../policy/policy.ts";
import type { State } from "../state.ts";

type Placed = { readonly project: string; readonly node: string };

/**
 * Why there may not be one more, if so (AG60). Those that are stopped count too: they have their
 * workspace and their ports. Those that are put away do not.
 */
export function findFullLimit(state: State, wanted: Placed, more = 1): PolicyDenied | undefined {
  const agents = [...state.agents.values()].filter(({ isArchived }) => !isArchived);
  const stating = [...state.policies.values()]
    .filter(({ enabled, rules, scope }) => enabled && rules.maxAgents !== undefined && speaksOf(scope, wanted))
    .toSorted((a, b) => b.priority - a.priority || compareText(a.name, b.name));
  for (const { name, scope, rules } of stating) {
    const count = agents.filter((agent) => speaksOf(scope, agent)).length;
    const max = rules.maxAgents ?? 0;
    if (count + more > max) return deny(name, "maxAgents", toWords(count + more, max));
  }
  const max = defaultRules.maxAgents;
  if (stating.some(isOfPerson) || agents.length + more <= max) return undefined;
  return deny(builtIn, "maxAgents", toWords(agents.length + more, max));
}

/** What a profile or a runner is limited by are runs. */
function speaksOf({ project, node, profile, runner }: PolicyScope, placed: Placed): boolean {
  if (profile !== undefined || runner !== undefined) return false;
  return (project === undefined || project === placed.project) && (node === undefined || node === placed.node);
}

/** A model's policies are below 0 (SC20): they may tighten what is built in, and not lift it. */
function isOfPerson({ priority }: Policy): boolean {
  return priority >= 0;
}

function toWords(count: number, max: number): string {
  return `${count} agents, where ${max} may be`;
}
