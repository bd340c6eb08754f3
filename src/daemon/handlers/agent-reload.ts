// An agent beside what its template says now.

import { raisedLimits } from "../../core/agent/raised-limits.ts";
import type { AgentSpec } from "../../core/agent/agent-spec.ts";
import { planReload, planWithoutGroups } from "../../core/agent/reload-plan.ts";
import { groupTier } from "../../node/keepers/keeper-groups.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import { readTemplate } from "../../protocol/template/read-template.ts";
import type { Caller, Context, Reply } from "../context.ts";
import { findAgent, toAgentView } from "../views/agent-view.ts";
import { findProject } from "../views/project-view.ts";
import { portsFor, specOf } from "./agent-create.ts";
import { mustBePerson } from "./must-be-person.ts";

type Asked = ParsedInputOf<"agent.reload">;

export async function reloadAgent(
  context: Context,
  input: Asked,
  caller: Caller,
  reply: Reply<OutputOf<"agent.reload">>,
): Promise<void> {
  try {
    if (input.dryRun) {
      const drift = await driftOf(context, input);
      context.read(() => drift, reply);
      return;
    }
    const { id, project } = findAgent(context.state, input.agent);
    const spec = await specOf(context, input, caller, findProject(context.state, project).egress);
    const offered = await portsFor(context, spec);
    const tier = await groupTier();
    const { spec: had } = findAgent(context.state, id);
    const raised = raisedLimits(had, spec);
    if (raised.length > 0) mustBePerson(caller, `raising limits of an agent (${raised.join(", ")})`);
    const plan = toPlain(had, spec, tier);
    context.submit(caller, { type: "agent.reload", agent: id, spec, offered }, reply, () => ({
      agent: toAgentView(context.state, findAgent(context.state, id), context.facts.faces),
      ...plan,
    }));
  } catch (error) {
    reply({ ok: false, refusal: context.toThrown(error) });
  }
}

/** Whoever only looks needs nothing of what the template names to be there. */
async function driftOf(
  { state, facts }: Context,
  { agent: ref, template, file }: Asked,
): Promise<OutputOf<"agent.reload">> {
  const tier = await groupTier();
  const agent = findAgent(state, ref);
  const read = readTemplate(template, { file: file ?? "the template" });
  if (!read.ok) throw protocolError("bad-template", { problems: read.problems });
  return { agent: toAgentView(state, agent, facts.faces), ...toPlain(agent.spec, read.spec, tier) };
}

/** What it takes on this machine. */
function toPlain(
  had: AgentSpec,
  spec: AgentSpec,
  tier: Awaited<ReturnType<typeof groupTier>>,
): Omit<OutputOf<"agent.reload">, "agent"> {
  const plan = planReload(had, spec);
  const { changes, restarts, effect } = tier === "prlimit" ? planWithoutGroups(plan, had, spec) : plan;
  return { changes: changes.map((change) => ({ ...change })), restarts: [...restarts], effect };
}
