// Living agents: made from templates, started, stopped, looked into, taken away.

import { Fault } from "../../base/fault.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import { agentEgressOf } from "../../core/egress/egress.ts";
import { hookOutputNameOf } from "../../node/agents/run-hook.ts";
import { outputNameOf } from "../../node/agents/service-watch.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { OutputAnswer } from "../../protocol/keeper/keeper-wire.ts";
import { limits } from "../../protocol/limits.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { agentOperations } from "../../protocol/operations/agent.ts";
import type { Caller, Context, Handlers, Reply } from "../context.ts";
import { findAgent, toAgentView, toAgentViews } from "../views/agent-view.ts";
import { findProject } from "../views/project-view.ts";
import { assistAgent } from "./agent-assist.ts";
import { createAgent, restoreAgent } from "./agent-create.ts";
import { refreshAgent } from "./agent-refresh.ts";
import { reloadAgent } from "./agent-reload.ts";
import { scaleAgents } from "./agent-scale.ts";
import { mustBePerson } from "./must-be-person.ts";
import { mustBeUnchanged } from "./must-be-unchanged.ts";
import { readHistory } from "./agent-history.ts";
import { readFailures } from "./agent-failures.ts";
import { usageHandlers } from "./usage-handlers.ts";

export const agentHandlers: Handlers<Exclude<keyof typeof agentOperations, "agent.exec">> = {
  ...usageHandlers,
  "agent.history": (context, input, _caller, reply) => context.later(readHistory(context, input), reply),
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
  "service.start": (context, { agent, service }, caller, reply) =>
    ask(context, agent, caller, reply, { type: "service.start", service }),
  "service.stop": (context, { agent, service }, caller, reply) =>
    ask(context, agent, caller, reply, { type: "service.stop", service }),
  "service.restart": (context, { agent, service }, caller, reply) =>
    ask(context, agent, caller, reply, { type: "service.restart", service }),
  "service.output": (context, input, caller, reply) => context.later(readOutput(context, input, caller), reply),
};

type Asked =
  | { readonly type: "agent.join"; readonly with: string; readonly across: boolean }
  | { readonly type: "agent.part"; readonly with: string }
  | { readonly type: "agent.start" }
  | { readonly type: "agent.restart"; readonly applications: boolean }
  | { readonly type: "agent.stop" | "agent.archive"; readonly force: boolean }
  | { readonly type: "service.start" | "service.stop" | "service.restart"; readonly service: string };

function ask(context: Context, ref: string, caller: Caller, reply: Reply<OutputOf<"agent.get">>, asked: Asked): void {
  const { id } = findAgent(context.state, ref);
  context.submit(caller, { ...asked, agent: id }, reply, () => ({
    agent: toAgentView(context.state, findAgent(context.state, id), context.facts.faces),
  }));
}

async function remove(
  context: Context,
  { agent: ref, force, discard }: ParsedInputOf<"agent.remove">,
  caller: Caller,
  reply: Reply<OutputOf<"agent.remove">>,
): Promise<void> {
  try {
    const agent = findAgent(context.state, ref);
    // What a run in it has changed is set aside with the run, where that is ended by force at all.
    if (!discard && agent.run === null) await mustBeUnchanged(context, agent);
    context.submit(caller, { type: "agent.remove", agent: agent.id, force }, reply, () => ({}));
  } catch (error) {
    reply({ ok: false, refusal: context.toThrown(error) });
  }
}

function wait(
  context: Context,
  { agent: ref, waitMs, seen }: ParsedInputOf<"agent.wait">,
  caller: Caller,
  reply: Reply<OutputOf<"agent.wait">>,
): void {
  const { id } = findAgent(context.state, ref);
  context.waits.until(id, waitMs, caller.signal, (last) => {
    const agent = context.state.agents.get(id);
    const rests = agent === undefined || (isAtRest(agent) && agent.wish === "run") || agent.state === "stopped";
    const changed = agent === undefined ? 0 : changedAt(agent);
    if (!rests && !last && (seen === undefined || seen >= changed)) return false;
    context.read((state) => {
      const now = state.agents.get(id);
      return { agent: now === undefined ? null : toAgentView(state, now, context.facts.faces), rests, seen: changed };
    }, reply);
    return true;
  });
}

/** One that runs may have services that are being begun anew. */
function isAtRest({ state, services }: Agent): boolean {
  if (state === "running") return ![...services.values()].some((each) => inMotion.has(each.state));
  return state === "error" || state === "stopped";
}

const inMotion: ReadonlySet<string> = new Set(["starting", "stopping"]);

/** The number of the event that last moved it or one of its services. */
function changedAt({ sinceSeq, services }: Agent): number {
  return Math.max(sinceSeq, ...[...services.values()].map((service) => service.sinceSeq));
}

async function readOutput(
  context: Context,
  input: ParsedInputOf<"service.output">,
  caller: Caller,
): Promise<OutputOf<"service.output">> {
  const agent = findAgent(context.state, input.agent);
  const service = agent.services.get(input.service);
  if (service === undefined)
    throw protocolError("not-found", { kind: "service", id: `${agent.name}/${input.service}` });
  const life = input.life ?? service.life;
  const { limit, offset, waitMs } = input;
  const name = outputNameOf(agent.id, input.service, life);
  const readKept = async (): Promise<OutputOf<"service.output"> | null> => {
    const kept = await context.parts.outputs.read(name, { offset: offset ?? -limit, limit });
    return kept && { life, ...toText(kept.bytes), offset: kept.offset, size: kept.size, ended: true };
  };
  const kept = await readKept();
  if (kept !== null) return kept;
  const nothing = { life, text: "", base64: "", offset: 0, size: 0, ended: life !== service.life };
  if (life === 0 || life > service.life || !agent.isMade) return nothing;
  const { keeper } = await context.parts.agents.placeOf(agent);
  const call = `${agent.id}-${input.service}-${life}`;
  const read = (from: number, signal?: AbortSignal): Promise<OutputAnswer> =>
    keeper.request(
      { op: "output", call, offset: from, limit, wait: signal !== undefined },
      signal,
    ) as Promise<OutputAnswer>;
  // A huge offset answers nothing but how much there is.
  const all = await read(Number.MAX_SAFE_INTEGER).catch(nullWhereUnknown);
  // Its process has not begun yet, or what it said has been put away just now.
  if (all === null) return (await readKept()) ?? nothing;
  const { totalBytes } = all;
  const from = offset ?? Math.max(0, totalBytes - limit);
  const patience = [AbortSignal.timeout(waitMs), ...(caller.signal === undefined ? [] : [caller.signal])];
  const answer =
    from < totalBytes || waitMs === 0
      ? await read(from)
      : await read(from, AbortSignal.any(patience)).catch(() => read(from));
  const bytes = Buffer.from(answer.base64, "base64");
  return { life, ...toText(bytes), offset: answer.offset, size: answer.totalBytes, ended: answer.ended };
}

function nullWhereUnknown(error: unknown): null {
  if (error instanceof Fault && error.code === "unknown-call") return null;
  throw error;
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
  return kept === null ? { text: last.end.said, size: 0 } : { text: toText(kept.bytes).text, size: kept.size };
}

function toText(bytes: Uint8Array): { readonly text: string; readonly base64: string } {
  const buffer = Buffer.from(bytes);
  return { text: buffer.toString("utf8"), base64: buffer.toString("base64") };
}
