// What was done to an agent last: a failure may come from it.

import type { Agent, AgentChange } from "./agent-state.ts";

const changesMax = 8;
/** What comes again and again, such as files that change while somebody works, does not push out what is rare. */
const ofOneKindMax = 4;

/** Only the newest are kept. */
export function noteChange(agent: Agent, change: AgentChange): void {
  agent.changes = newestOf([...agent.changes, change]);
}

/** The oldest first, as they are given. */
export function newestOf(changes: readonly AgentChange[]): AgentChange[] {
  const newest = changes.filter(({ kind }, at) => {
    const since = changes.slice(at + 1).filter((later) => later.kind === kind).length;
    return since < ofOneKindMax;
  });
  return newest.slice(-changesMax);
}
