// Single services of agents.

import type { Agent } from "../../core/agent/agent-state.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { serviceOperations } from "../../protocol/operations/service.ts";
import type { ServiceSpec } from "../../protocol/template/agent-spec.ts";
import { readTemplate } from "../../protocol/template/read-template.ts";
import { writeTemplate } from "../../protocol/template/write-template.ts";
import type { Caller, Context, Handlers, Reply } from "../context.ts";
import { findAgent, toAgentView } from "../views/agent-view.ts";
import { ask } from "./agent-ask.ts";
import { reloadAgent } from "./agent-reload.ts";
import { mustHaveService } from "./must-have-service.ts";
import { readOutput, searchOutput } from "./service-output.ts";

export const serviceHandlers: Handlers<Exclude<keyof typeof serviceOperations, "service.exec">> = {
  "service.get": (context, { agent: ref, service }, _caller, reply) =>
    context.read((state) => {
      const agent = findAgent(state, ref);
      const names = namesOf(agent, service);
      const { services } = toAgentView(state, agent, context.facts.faces);
      return { agent: agent.id, name: agent.name, services: services.filter(({ name }) => names.has(name)) };
    }, reply),
  "service.start": (context, { agent, service }, caller, reply) =>
    ask(context, agent, caller, reply, { type: "service.start", service }),
  "service.stop": (context, { agent, service }, caller, reply) =>
    ask(context, agent, caller, reply, { type: "service.stop", service }),
  "service.restart": (context, { agent, service }, caller, reply) =>
    ask(context, agent, caller, reply, { type: "service.restart", service }),
  "service.scale": (context, input, caller, reply) => scale(context, input, caller, reply),
  "service.reload": (context, input, caller, reply) => reload(context, input, caller, reply),
  "service.stats": (context, input, _caller, reply) => context.later(readStats(context, input), reply),
  "service.top": (context, input, _caller, reply) => context.later(readTop(context, input), reply),
  "service.output": (context, input, caller, reply) => context.later(readOutput(context, input, caller), reply),
  "service.search": (context, input, caller, reply) => context.later(searchOutput(context, input, caller), reply),
};

async function readStats(
  { parts, state }: Context,
  { agent: ref, service }: ParsedInputOf<"service.stats">,
): Promise<OutputOf<"service.stats">> {
  const agent = findAgent(state, ref);
  const names = namesOf(agent, service);
  const [use] = await parts.usage.stats([agent], { disk: false, data: true });
  const services = (use?.services ?? []).filter(({ name }) => names.has(name));
  return { agent: agent.id, name: agent.name, services };
}

async function readTop(
  { parts, state }: Context,
  { agent: ref, service, limit }: ParsedInputOf<"service.top">,
): Promise<OutputOf<"service.top">> {
  const agent = findAgent(state, ref);
  const found = await parts.usage.top(agent, { limit, services: namesOf(agent, service) });
  return { agent: agent.id, name: agent.name, ...found };
}

function namesOf(agent: Agent, service: string): ReadonlySet<string> {
  return new Set(mustHaveService(agent, service).map(({ spec }) => spec.name));
}

function scale(
  context: Context,
  { agent: ref, service, instances }: ParsedInputOf<"service.scale">,
  caller: Caller,
  reply: Reply<OutputOf<"service.scale">>,
): void {
  const agent = findAgent(context.state, ref);
  const made = madeOf(agent, service);
  become(context, agent, { ...made, instances }, { dryRun: false }, caller, reply);
}

function reload(
  context: Context,
  { agent: ref, service, template, file, dryRun }: ParsedInputOf<"service.reload">,
  caller: Caller,
  reply: Reply<OutputOf<"service.reload">>,
): void {
  const agent = findAgent(context.state, ref);
  const { name } = madeOf(agent, service);
  const read = readTemplate(template, { file: file ?? "the template" });
  if (!read.ok) throw protocolError("bad-template", { problems: read.problems });
  if (read.spec.template !== agent.spec.template)
    throw protocolError("reload-refused", { agent: agent.name, paths: ["template"] });
  const said = read.spec.services.find((each) => each.name === name);
  if (said === undefined) throw protocolError("not-found", { kind: "service", id: `${read.spec.template}/${name}` });
  become(context, agent, said, { dryRun }, caller, reply);
}

/** What a service was made of, also by the name of one of its instances. */
function madeOf(agent: Agent, name: string): ServiceSpec {
  const [first] = mustHaveService(agent, name);
  const of = first?.group ?? name;
  const made = agent.spec.services.find((each) => each.name === of);
  if (made === undefined) throw protocolError("not-found", { kind: "service", id: `${agent.name}/${name}` });
  return made;
}

/**
 * The agent as it is, with one service as said. It goes through a template: whether the others still find in it what they name
 * is asked in the same way as ever.
 */
function become(
  context: Context,
  agent: Agent,
  said: ServiceSpec,
  { dryRun }: { readonly dryRun: boolean },
  caller: Caller,
  reply: Reply<OutputOf<"agent.reload">>,
): void {
  const services = agent.spec.services.map((each) => (each.name === said.name ? said : each));
  const template = writeTemplate({ ...agent.spec, services });
  const file = `${agent.name} with ${said.name} as asked for`;
  void reloadAgent(context, { agent: agent.id, template, file, dryRun }, caller, reply);
}
