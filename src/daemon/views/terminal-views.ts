// The windows of an agent that are no terminals: what its services say, what the run in it says, what it is busy with.
// Nothing runs for them. Whoever looks draws them from what everybody can ask for (decision 0022).

import type { Agent } from "../../core/agent/agent-state.ts";
import { tenantOf } from "../../core/agent/tenancy.ts";
import type { State } from "../../core/state.ts";
import { monitorWindow, runWindow } from "../../core/terminal/windows.ts";
import type { View } from "../../protocol/wire/terminal.ts";

export function viewsOf(state: State, agent: Agent): View[] {
  const { id } = agent;
  const run = tenantOf(state, agent);
  return [
    ...[...agent.services.values()].map(({ spec, state: is }): View => {
      return { window: spec.name, kind: "service", agent: id, of: spec.name, state: is };
    }),
    ...(run === undefined
      ? []
      : [{ window: runWindow, kind: "run", agent: id, of: run.id, state: run.state } as const]),
    { window: monitorWindow, kind: "monitor", agent: id, of: id, state: agent.state },
  ];
}
