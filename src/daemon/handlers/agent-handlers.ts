// Living agents: made from templates, started, stopped, looked into, taken away.

import { isAtRest, isServiceAtRest } from "../../core/agent/agent-rest.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import { agentEgressOf } from "../../core/egress/egress.ts";
import { hookOutputNameOf } from "../../node/agents/run-hook.ts";
import { protocolError } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { agentOperations } from "../../protocol/operations/agent.ts";
import type { Caller, Context, Handlers, Reply } from "../context.ts";
import { findAgent, toAgentView, toAgentViews } from "../views/agent-view.ts";
import { findProject } from "../views/project-view.ts";
import { assistAgent } from "./agent-assist.ts";
import { ask } from "./agent-ask.ts";
import { createAgent, restoreAgent } from "./agent-create.ts";
import { refreshAgent } from "./agent-refresh.ts";
import { reloadAgent } from "./agent-reload.ts";
import { scaleAgents } from "./agent-scale.ts";
import { mustBePerson } from "./must-be-person.ts";
import { asideOf, mustBeUnchanged } from "./must-be-unchanged.ts";
import { mustHaveService } from "./must-have-service.ts";
import { readHistory } from "./agent-history.ts";
import { readFailures } from "./agent-failures.ts";
import { readLogs } from "./agent-logs.ts";
import { usageHandlers } from "./usage-handlers.ts";

export const agentHandlers: Handlers<Exclude<keyof typeof agentOperations, "agent.exec">> = {
  ...usageHandlers,
  "agent.history": (context, input, _caller, reply) => context.later(readHistory(context, input), reply),
  "agent.logs": (context, input, caller, reply) => context.later(readLogs(context, input, caller), reply),
  "agent.failures": (context, input, _caller, reply) => context.later(readFailures(context, input), reply),
  "agent.create": (context, input, caller, reply) => void createAgent(context, input, caller, reply),
  "agent.scale": (context, input, caller, reply) => context.later(scaleAgents(context, input, caller), reply),
  "agent.list": (context, { project, archived, at }, _caller, reply) =>
    context.readAt(
      at,
      (state) => {
        const only = project === undefined ? undefined : findProject(state, project).id;
        return { agents: toAgentViews(state, { project: only, archived }, context.facts.faces) };
      },
      reply,
    ),
  "agent.get": (context, { agent, at }, _caller, reply) =>
    context.readAt(at, (state) => ({ agent: toAgentView(state, findAgent(state, agent), context.facts.faces) }), reply),
  "agent.egress": (context, { agent: ref }, _caller, reply) =>
    context.read((state) => {
      const agent = findAgent(state, ref);
      const { kind, allow, policy } = agentEgressOf(state, agent);
      const hosts = [...agent.reached.values()].map((reached) => ({ ...reached }));
      return { egress: { kind, allow: [...allow], policy }, hosts, nowMs: context.parts.engine.nowMs() };
    }, reply),
  "agent.start": (context, { agent }, caller, reply) => ask(context, agent, caller, reply, { type: "agent.start" }),
  "agent.join": (context, { agent, with: other, across }, caller, reply) => {
    mustBePerson(caller, "joining agents");
    ask(context, agent, caller, reply, { type: "agent.join", with: findAgent(context.state, other).id, across });
  },
  "agent.part": (context, { agent, with: other }, caller, reply) =>
    ask(context, agent, caller, reply, { type: "agent.part", with: findAgent(context.state, other).id }),
  "agent.assist": (context, { agent, prompt }, caller, reply) =>
    context.later(assistAgent(context, { agent, prompt: prompt ?? null }, caller), reply),
  "agent.stop": (context, { agent, force }, caller, reply) =>
    ask(context, agent, caller, reply, { type: "agent.stop", force }),
  "agent.restart": (context, { agent, applications }, caller, reply) =>
    ask(context, agent, caller, reply, { type: "agent.restart", applications }),
  "agent.remove": (context, input, caller, reply) => void remove(context, input, caller, reply),
  "agent.reload": (context, input, caller, reply) => void reloadAgent(context, input, caller, reply),
  "agent.refresh": (context, { agent }, caller, reply) => void refreshAgent(context, agent, caller, reply),
  "agent.archive": (context, { agent, force }, caller, reply) =>
    ask(context, agent, caller, reply, { type: "agent.archive", force }),
  "agent.restore": (context, input, caller, reply) => void restoreAgent(context, input, caller, reply),
  "hook.output": (context, input, _caller, reply) => context.later(readHookOutput(context, input), reply),
  "agent.wait": (context, input, caller, reply) => wait(context, input, caller, reply),
};

async function remove(
  context: Context,
  { agent: ref, force, discard, setAside }: ParsedInputOf<"agent.remove">,
  caller: Caller,
  reply: Reply<OutputOf<"agent.remove">>,
): Promise<void> {
  try {
    const agent = findAgent(context.state, ref);
    const aside = asideOf(discard, setAside);
    // What a run in it has changed is set aside with the run, where that is ended by force at all.
    if (aside === undefined && agent.run === null) await mustBeUnchanged(context, agent);
    context.submit(caller, { type: "agent.remove", agent: agent.id, force, aside }, reply, () => ({}));
  } catch (error) {
    reply({ ok: false, refusal: context.toThrown(error) });
  }
}

function wait(
  context: Context,
  { agent: ref, service, waitMs, seen }: ParsedInputOf<"agent.wait">,
  caller: Caller,
  reply: Reply<OutputOf<"agent.wait">>,
): void {
  const { agents } = context.parts;
  const found = findAgent(context.state, ref);
  const { id } = found;
  if (service !== undefined) mustHaveService(found, service);
  const isThere = (agent: Agent): boolean =>
    agent.wish === "run" && (service === undefined ? isAtRest(agent) : isServiceAtRest(agent, service));
  context.waits.until(id, waitMs, caller.signal, (last) => {
    const agent = context.state.agents.get(id);
    const isAdapting = agents.isAdapting(id);
    // That somebody has been told is no event, and who is looked at may be told of something else by then.
    if (isAdapting && !last) context.waits.wakeAfter(id, () => agents.adapted(id));
    const rests = agent === undefined || agent.state === "stopped" || (isThere(agent) && !isAdapting);
    const changed = agent === undefined ? 0 : changedAt(agent);
    if (!rests && !last && (seen === undefined || seen >= changed)) return false;
    context.read((state) => {
      const now = state.agents.get(id);
      return { agent: now === undefined ? null : toAgentView(state, now, context.facts.faces), rests, seen: changed };
    }, reply);
    return true;
  });
}

/** The number of the event that last moved it or one of its services. */
function changedAt({ sinceSeq, services }: Agent): number {
  return Math.max(sinceSeq, ...[...services.values()].map((service) => service.sinceSeq));
}

async function readHookOutput(
  context: Context,
  { agent: ref, hook }: ParsedInputOf<"hook.output">,
): Promise<OutputOf<"hook.output">> {
  const agent = findAgent(context.state, ref);
  if (agent.spec.hooks?.[hook] === undefined)
    throw protocolError("not-found", { kind: "hook", id: `${agent.name}/${hook}` });
  const last = agent.hookEnds[hook];
  if (last === undefined) return { text: "", size: 0 };
  const limit = limits.outputBytesMax;
  const name = hookOutputNameOf(agent.id, hook, last.number);
  const kept = await context.parts.outputs.read(name, { offset: -limit, limit });
  return kept === null
    ? { text: last.end.said, size: 0 }
    : { text: Buffer.from(kept.bytes).toString("utf8"), size: kept.size };
}
