// Making agents: what a template says is read, what it needs of this machine is looked for, and then it is asked for.

import { assert } from "../../base/assert.ts";
import { type AgentSpec, type EgressSpec, secretsIn } from "../../core/agent/agent-spec.ts";
import { portKeysOf } from "../../core/agent/instances.ts";
import { type Egress, isMore } from "../../core/egress/egress.ts";
import { imagesIn } from "../../core/project/image.ts";
import type { Answer } from "../../core/inputs.ts";
import type { Project } from "../../core/project/project.ts";
import { offerPorts } from "../../node/agents/offer-ports.ts";
import { protocolError } from "../../protocol/errors.ts";
import { faceAgentRule, fitsFaceHost } from "../../protocol/face-host.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import { readTemplate } from "../../protocol/template/read-template.ts";
import { findUnknownValue, withValues } from "../../protocol/template/with-values.ts";
import type { Caller, Context, Reply } from "../context.ts";
import type { AgentView } from "../../protocol/wire/agent.ts";
import { findAgent, toAgentView } from "../views/agent-view.ts";
import { mustHaveRoom, tellBeyond } from "../machine-room.ts";
import { findProject } from "../views/project-view.ts";
import { checkAssistant, withPrompt } from "./agent-assist.ts";
import { mustBePerson } from "./must-be-person.ts";

export async function createAgent(
  context: Context,
  input: ParsedInputOf<"agent.create">,
  caller: Caller,
  reply: Reply<OutputOf<"agent.create">>,
): Promise<void> {
  try {
    const said = readSpec(input);
    const { id: project, egress } = projectFor(context, input.project, said);
    const spec = await mustBeHere(context, said, caller, egress);
    mustHaveLayers(context, spec);
    const { name = null, count } = input;
    if (spec.faces.length > 0 && name !== null && !fitsFaceHost(count === 1 ? name : `${name}-${count}`))
      throw protocolError("bad-input", { where: "name", why: faceAgentRule });
    await mustHaveRoom(context, spec, count);
    const [node = "local"] = context.parts.nodes;
    const beyond = await tellBeyond(context, spec, { project, node });
    const offered = await portsFor(context, spec, count);
    const made = { type: "agent.create", name, project, node, spec, offered, count } as const;
    context.submit(caller, made, reply, (answer) => {
      const agents = idsOf(answer).map((id) => viewOf(context, id));
      const [agent] = agents;
      assert(agent !== undefined, "at least one was made");
      return { agent, agents, warnings: beyond };
    });
  } catch (error) {
    reply({ ok: false, refusal: context.toThrown(error) });
  }
}

export async function restoreAgent(
  context: Context,
  { agent: ref }: ParsedInputOf<"agent.restore">,
  caller: Caller,
  reply: Reply<OutputOf<"agent.restore">>,
): Promise<void> {
  try {
    const { id, spec } = findAgent(context.state, ref);
    const offered = await portsFor(context, spec);
    context.submit(caller, { type: "agent.restore", agent: id, offered }, reply, () => ({
      agent: viewOf(context, id),
    }));
  } catch (error) {
    reply({ ok: false, refusal: context.toThrown(error) });
  }
}

function viewOf({ state, facts }: Context, id: string): AgentView {
  return toAgentView(state, findAgent(state, id), facts.faces);
}

function idsOf(answer: Answer): readonly string[] {
  return answer.of === "ids" ? answer.ids : [];
}

type Said = {
  readonly template: string;
  readonly file?: string | undefined;
  /** Other values for variables at the top of the template. */
  readonly values?: Readonly<Record<string, string>>;
  /** Something else for its assistant to do. */
  readonly prompt?: string | undefined;
};

/** The project that somebody names, else the one that its template does (AG85). */
function projectFor({ state }: Context, given: string | undefined, { project: own }: AgentSpec): Project {
  const why = "the template names none either; name one, or give the template a project";
  if (given !== undefined) return findProject(state, given);
  if (own === undefined) throw protocolError("bad-input", { where: "project", why });
  try {
    return findProject(state, own);
  } catch {
    const gone = `the template is for the project ${own}, and there is none; name another, or add it`;
    throw protocolError("bad-input", { where: "project", why: gone });
  }
}

/** What a template makes of an agent, where everything that it names is here and whoever asks may have it (AW1, AW3, AW4, AW5). */
export function specOf(context: Context, said: Said, caller: Caller, granted: Egress): Promise<AgentSpec> {
  return mustBeHere(context, readSpec(said), caller, granted);
}

/** What a template and whoever asks say together. */
function readSpec({ template, file, values = {}, prompt }: Said): AgentSpec {
  const read = readTemplate(template, { file: file ?? "the template" });
  if (!read.ok) throw protocolError("bad-template", { problems: read.problems });
  const unknown = findUnknownValue(read.spec, values);
  if (unknown !== undefined)
    throw protocolError("bad-input", {
      where: `values.${unknown}`,
      why: "the template has no such variable in env at its top; give the others, or add it there",
    });
  return withPrompt(withValues(read.spec, values), prompt);
}

async function mustBeHere(context: Context, spec: AgentSpec, caller: Caller, granted: Egress): Promise<AgentSpec> {
  await checkAssistant(context, spec);
  mayMake(caller, spec, granted);
  if (imagesIn(spec).length > 0) mustBePerson(caller, "choosing an image");
  const wanted = secretsOf(spec);
  if (wanted.length === 0) return spec;
  const kept = new Set((await context.parts.secrets.list()).map(({ name }) => name));
  const missing = wanted.filter((name) => !kept.has(name));
  if (missing.length > 0) throw protocolError("secret-missing", { names: missing });
  return spec;
}

/** Throws where the machine cannot lay out files as an agent wants them. One that is there keeps what it has (AG86). */
export function mustHaveLayers({ parts }: Context, { workspace }: AgentSpec): void {
  const { kind, why: instead } = parts.workspaces;
  if (workspace === "overlay" && kind !== "overlay")
    throw protocolError("bad-input", {
      where: "template",
      why: `workspace: overlay cannot be had on this machine; leave it out, or write clone. There are ${instead}`,
    });
}

/** Throws for a model where an agent would have what only people give, whether it is a first one or one more (AW3, AW4, IM8). */
export function mayMake(caller: Caller, spec: AgentSpec, granted: Egress): void {
  if (spec.egress !== undefined && isBeyond(spec.egress, granted))
    mustBePerson(caller, "an agent with more of the network than its project has");
  if (imagesIn(spec).some((image) => typeof image === "object" && "dockerfile" in image))
    mustBePerson(caller, "building an image");
  // What another agent lets it see, and what it lets others see, is not for a model to say (AW22).
  if (spec.join !== undefined) mustBePerson(caller, "joining agents");
  if (secretsOf(spec).length > 0) mustBePerson(caller, "giving secrets to an agent");
}

function secretsOf({ env, services }: AgentSpec): string[] {
  return secretsIn(env, ...services.map((service) => service.env));
}

/** Whether an agent would reach somebody whom runs of its project do not: a list may name what no open network leads to. */
function isBeyond({ kind, allow }: EgressSpec, granted: Egress): boolean {
  return isMore(kind, granted.kind) || (allow ?? []).some((host) => !granted.allow.includes(host));
}

/** Enough of them, whoever's are reserved and not listened on at the moment. */
export async function portsFor({ state }: Context, spec: AgentSpec, count = 1): Promise<number[]> {
  const wanted = count * portKeysOf(spec).length;
  const reserved = [...state.agents.values()].reduce((sum, { ports }) => sum + ports.size, 0);
  return wanted === 0 ? [] : offerPorts(wanted + reserved);
}
