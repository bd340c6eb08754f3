// What was done to an agent last: a failure may come from it.

import type { Agent, AgentChange } from "./agent-state.ts";

const changesMax = 5;

/** Only the newest are kept. */
export function noteChange(agent: Agent, change: AgentChange): void {
  agent.changes = [...agent.changes, change].slice(-changesMax);
}
