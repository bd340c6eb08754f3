// An agent as people and programs see it.

import { compareIds } from "../../core/step.ts";
import { byName } from "../../core/agent/agent-decide.ts";
import { type FaceSpec, type HookName, hookNames } from "../../core/agent/agent-spec.ts";
import { type Agent, portKey, type Service } from "../../core/agent/agent-state.ts";
import { recentRestarts } from "../../core/agent/ladder.ts";
import { joinedHost, joinedWith, openPortsOf } from "../../core/agent/joins.ts";
import { limitsOf } from "../../core/agent/room.ts";
import { heldByPolicies, usableBy } from "../../core/agent/agent-limits.ts";
import { membersOf } from "../../core/agent/instances.ts";
import { activityOf } from "../../core/agent/tenancy.ts";
import { agentEgressOf } from "../../core/egress/egress.ts";
import { agentImageOf } from "../../core/project/image.ts";
import type { State } from "../../core/state.ts";
import { protocolError } from "../../protocol/errors.ts";
import { outerHost } from "../../protocol/keeper/outer-host.ts";
import type {
  AgentView,
  AssistantView,
  FaceView,
  HookView,
  JoinedView,
  ServiceView,
} from "../../protocol/wire/agent.ts";

/** Knows where faces are. */
type Faces = { readonly urlOf: (agent: Agent, face: FaceSpec) => string };

/** By id or name. */
export function findLiving(state: State, ref: string): Agent | undefined {
  return state.agents.get(ref) ?? byName(state, ref);
}

export function findAgent(state: State, ref: string): Agent {
  const agent = findLiving(state, ref);
  if (agent === undefined) throw protocolError("not-found", { kind: "agent", id: ref });
  return agent;
}

export function toAgentView(state: State, agent: Agent, faces: Faces): AgentView {
  const { id, name, project, node, by, madeAtMs, because, sinceMs, life, wish, rung, spec } = agent;
  return {
    ...{ id, name, project, projectName: state.projects.get(project)?.name ?? project, template: spec.template },
    ...{ node, by, madeAtMs, state: agent.state, because, sinceMs, life, removing: wish === "remove", rung },
    ...{ activity: activityOf(state, agent), run: agent.run },
    ...{ egress: agentEgressOf(state, agent).kind, image: agentImageOf(state, agent) },
    workspace: spec.workspace ?? null,
    archived: agent.isArchived,
    limits: usableBy(state, agent),
    heldBy: heldByPolicies(state, agent),
    hooks: hookNames.flatMap((name) => (spec.hooks?.[name] === undefined ? [] : [toHookView(agent, name)])),
    assistant: toAssistantView(agent),
    joined: joinedWith(state, agent).map((peer) => toJoinedView(agent, peer)),
    services: [...agent.services.values()].map((service) => toServiceView(state, agent, service)),
    faces: facesOf(agent).map((face) => toFaceView(faces, agent, face)),
  };
}

function toHookView({ hook, hookEnds }: Agent, name: HookName): HookView {
  const last = hookEnds[name];
  const state = hook === name ? "running" : last === undefined ? "waiting" : last.ok ? "done" : "failed";
  return { name, state, end: last === undefined ? null : { ...last.end } };
}

function toJoinedView({ joins }: Agent, peer: Agent): JoinedView {
  const services = openPortsOf(peer).map(({ service, port: name, number: port }) => ({
    ...{ service, name, port },
    host: joinedHost(service, peer.name),
  }));
  return { agent: peer.name, agentId: peer.id, by: joins.get(peer.id) === true ? "person" : "templates", services };
}

function toAssistantView({ spec, assistant }: Agent): AssistantView | null {
  if (spec.assistant === undefined) return null;
  const { profile, start } = spec.assistant;
  const { state, run, because } = assistant ?? { state: "waiting", run: null, because: null };
  return { profile, start, state, run, because };
}

/** The ports of one that is put away are free, so nothing leads to it. */
export function facesOf({ spec, isArchived }: Agent): readonly FaceSpec[] {
  return isArchived ? [] : spec.faces;
}

export function toFaceView(faces: Faces, agent: Agent, face: FaceSpec): FaceView {
  const { name, kind, title, service, port } = face;
  return { name, kind, title, service, port, url: faces.urlOf(agent, face) };
}

export function toAgentViews(
  state: State,
  { project, archived }: { readonly project: string | undefined; readonly archived: boolean },
  faces: Faces,
): AgentView[] {
  return [...state.agents.values()]
    .filter((agent) => agent.isArchived === archived && (project === undefined || agent.project === project))
    .toSorted((a, b) => compareIds(a.id, b.id))
    .map((agent) => toAgentView(state, agent, faces));
}

function toServiceView({ atMs }: State, agent: Agent, service: Service): ServiceView {
  const { spec, state, wanted, healthy, because, sinceMs, dueAtMs, life, end, group, outdated } = service;
  return {
    ...{ name: spec.name, kind: spec.kind, state, wanted, healthy, because, sinceMs, dueAtMs, life },
    restarts: recentRestarts(service, atMs).length,
    end: end === null ? null : { ...end },
    nextAtMs: service.nextAtMs,
    ...{ group, outdated, spare: group !== null && !wanted && !service.stopped && isServed(agent, group) },
    ports: (agent.isArchived ? [] : spec.ports).map((name) => {
      const port = agent.ports.get(portKey(group ?? spec.name, name)) ?? 0;
      const own = group === null ? null : (agent.ports.get(portKey(spec.name, name)) ?? 0);
      return { name, port, address: `${outerHost}:${port}`, own };
    }),
    needs: spec.needs.map((need) => ({ ...need })),
    command: [...spec.argv],
    image: spec.image ?? null,
    limits: limitsOf(agent, service) ?? null,
    failures: Object.entries(service.failures)
      .map(([found, failed]) => ({ found, ...failed }))
      .toSorted((a, b) => b.lastAtMs - a.lastAtMs),
  };
}

/** Whether somebody wants a service that has instances. */
function isServed(agent: Agent, service: string): boolean {
  return membersOf(agent, service).some(({ wanted }) => wanted);
}

/** How a service is, of which there may be several: as the best of them. */
export function stateOfService(agent: Agent, name: string): Service["state"] {
  const members = membersOf(agent, name);
  const best = members.find(({ state }) => state === "up") ?? members.find(({ wanted }) => wanted) ?? members[0];
  return best?.state ?? "down";
}
