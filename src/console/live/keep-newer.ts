// What was asked for before something moved, and is answered after that was heard of, is old: it would take the move back
// for a moment. It is left out, and asked for again by the move itself.

import type { AgentView } from "../../protocol/wire/agent.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { Fetched } from "./evolve-live.ts";
import type { LiveState } from "./live-state.ts";

export function keepNewer(state: LiveState, fetched: Fetched): Fetched {
  const runOf = (run: Run): Run => newerRun(state.runs.get(run.id), run);
  const agentOf = (agent: AgentView): AgentView => newerAgent(state.agents.get(agent.id), agent);
  if (fetched.of === "run") return fetched.run === null ? fetched : { ...fetched, run: runOf(fetched.run) };
  if (fetched.of === "agent") return fetched.agent === null ? fetched : { ...fetched, agent: agentOf(fetched.agent) };
  if (fetched.of === "active") return { ...fetched, list: { ...fetched.list, runs: fetched.list.runs.map(runOf) } };
  if (fetched.of === "agents") return { ...fetched, agents: fetched.agents.map(agentOf) };
  return fetched;
}

function newerRun(known: Run | undefined, fetched: Run): Run {
  return known !== undefined && known.sinceMs > fetched.sinceMs ? known : fetched;
}

function newerAgent(known: AgentView | undefined, fetched: AgentView): AgentView {
  if (known === undefined) return fetched;
  const isOlder = fetched.services.some(({ name, sinceMs }) =>
    known.services.some((service) => service.name === name && service.sinceMs > sinceMs),
  );
  return isOlder || known.sinceMs > fetched.sinceMs ? known : fetched;
}
