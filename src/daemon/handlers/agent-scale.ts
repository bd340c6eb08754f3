// Sees that there are so many agents of a template: more like the newest one, or without those that were made last.

import type { Agent } from "../../core/agent/agent-state.ts";
import { tenantOf } from "../../core/agent/tenancy.ts";
import { compareIds } from "../../core/step.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { Caller, Context } from "../context.ts";
import { toAgentView } from "../views/agent-view.ts";
import { mustHaveRoom } from "../machine-room.ts";
import { findProject } from "../views/project-view.ts";
import { mayMake, mustHaveLayers, portsFor } from "./agent-create.ts";
import { asideOf, mustBeUnchanged } from "./must-be-unchanged.ts";

export async function scaleAgents(
  context: Context,
  { project: ref, template, count, discard, setAside }: ParsedInputOf<"agent.scale">,
  caller: Caller,
): Promise<OutputOf<"agent.scale">> {
  const { id: project } = findProject(context.state, ref);
  const aside = asideOf(discard, setAside);
  const agents = (): Agent[] =>
    [...context.state.agents.values()]
      .filter((agent) => agent.project === project && agent.spec.template === template)
      .filter(({ wish, isArchived }) => wish !== "remove" && !isArchived)
      .toSorted((a, b) => compareIds(a.id, b.id));
  const before = agents();
  const newest = before.at(-1);
  if (newest === undefined) throw protocolError("not-found", { kind: "agent of the template", id: template });
  const made = before.length < count ? await makeMore(context, newest, count - before.length, caller) : [];
  const last = before.slice(count).toReversed();
  await mustBeFree(context, last, aside !== undefined);
  for (const { id } of last) await context.ask(caller, { type: "agent.remove", agent: id, force: false, aside });
  const views = agents().map((agent) => toAgentView(context.state, agent, context.facts.faces));
  return { agents: views, made: [...made], removed: last.map(({ id }) => id) };
}

/** Their ports are asked for together, and all of them are made or none. */
async function makeMore(context: Context, like: Agent, count: number, caller: Caller): Promise<readonly string[]> {
  const { project, node, spec } = like;
  mustHaveLayers(context, spec);
  mayMake(caller, spec, findProject(context.state, project).egress);
  await mustHaveRoom(context, spec, count);
  const offered = await portsFor(context, spec, count);
  const answer = await context.ask(caller, { type: "agent.create", name: null, project, node, spec, offered, count });
  return answer.of === "ids" ? answer.ids : [];
}

/** Nothing is removed where one of them cannot be. */
async function mustBeFree(context: Context, agents: readonly Agent[], mayBeChanged: boolean): Promise<void> {
  for (const agent of agents) {
    const run = tenantOf(context.state, agent);
    if (run !== undefined) throw protocolError("in-use", { kind: "agent", id: agent.name, by: run.id });
    if (!mayBeChanged) await mustBeUnchanged(context, agent);
  }
}
