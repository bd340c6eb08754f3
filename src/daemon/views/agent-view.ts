// An agent as people and programs see it.

import { compareIds } from "../../core/step.ts";
import { byName } from "../../core/agent/agent-decide.ts";
import { type Agent, portKey, type Service } from "../../core/agent/agent-state.ts";
import { recentRestarts } from "../../core/agent/ladder.ts";
import { activityOf } from "../../core/agent/tenancy.ts";
import type { State } from "../../core/state.ts";
import { protocolError } from "../../protocol/errors.ts";
import { outerHost } from "../../protocol/keeper/outer-host.ts";
import type { AgentView, ServiceView } from "../../protocol/wire/agent.ts";

/** By id or name. */
export function findAgent(state: State, ref: string): Agent {
  const agent = state.agents.get(ref) ?? byName(state, ref);
  if (agent === undefined) throw protocolError("not-found", { kind: "agent", id: ref });
  return agent;
}

export function toAgentView(state: State, agent: Agent): AgentView {
  const { id, name, project, node, by, madeAtMs, because, sinceMs, life, wish, rung, spec } = agent;
  return {
    ...{ id, name, project, projectName: state.projects.get(project)?.name ?? project, template: spec.template },
    ...{ node, by, madeAtMs, state: agent.state, because, sinceMs, life, removing: wish === "remove", rung },
    ...{ activity: activityOf(state, agent), run: agent.run },
    services: [...agent.services.values()].map((service) => toServiceView(state, agent, service)),
  };
}

export function toAgentViews(state: State, project: string | undefined): AgentView[] {
  return [...state.agents.values()]
    .filter((agent) => project === undefined || agent.project === project)
    .toSorted((a, b) => compareIds(a.id, b.id))
    .map((agent) => toAgentView(state, agent));
}

function toServiceView({ atMs }: State, agent: Agent, service: Service): ServiceView {
  const { spec, state, wanted, healthy, because, sinceMs, dueAtMs, life, end } = service;
  return {
    ...{ name: spec.name, kind: spec.kind, state, wanted, healthy, because, sinceMs, dueAtMs, life },
    restarts: recentRestarts(service, atMs).length,
    end: end === null ? null : { ...end },
    ports: spec.ports.map((name) => {
      const port = agent.ports.get(portKey(spec.name, name)) ?? 0;
      return { name, port, address: `${outerHost}:${port}` };
    }),
    needs: spec.needs.map((need) => ({ ...need })),
    command: [...spec.argv],
  };
}
