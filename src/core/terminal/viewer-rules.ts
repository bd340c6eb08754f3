// What reaches beyond the window of whoever looks at a terminal: their clipboard, the title of their window, links. Where no policy
// says otherwise titles and links do, and the clipboard, which is the person's, does not.

import { agentSubject } from "../egress/egress.ts";
import { applicable, type Policy } from "../policy/policy.ts";
import { policiesOf, type State } from "../state.ts";
import type { TerminalOwner } from "./terminal-events.ts";

export type ViewerRules = { readonly clipboard: boolean; readonly titles: boolean; readonly links: boolean };

type Rule = "terminalClipboard" | "terminalTitles" | "terminalLinks";

/** What viewers of the terminals of a run, or of a living agent, get to see (TM10). */
export function viewerRulesOf(state: State, owner: TerminalOwner): ViewerRules {
  const policies = policiesFor(state, owner);
  return {
    clipboard: mayPass(policies, "terminalClipboard", false),
    titles: mayPass(policies, "terminalTitles", true),
    links: mayPass(policies, "terminalLinks", true),
  };
}

function policiesFor(state: State, owner: TerminalOwner): readonly Policy[] {
  if ("agent" in owner) {
    const agent = state.agents.get(owner.agent);
    return agent === undefined ? [] : applicable(state.policies, agentSubject(agent));
  }
  const run = state.runs.get(owner.run);
  return run === undefined ? [] : policiesOf(state, run);
}

/** The most important policy that states it decides. A model's are below 0 (SC20): they may forbid, and allow nothing. */
function mayPass(policies: readonly Policy[], rule: Rule, usual: boolean): boolean {
  const stating = policies.find(({ rules }) => rules[rule] !== undefined);
  if (stating === undefined) return usual;
  const isAllowed = stating.rules[rule] === "allow";
  return stating.priority >= 0 ? isAllowed : isAllowed && usual;
}
