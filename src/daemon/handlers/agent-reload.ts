// An agent beside what its template says now.

import { planReload, type ReloadPlan } from "../../core/agent/reload-plan.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import { readTemplate } from "../../protocol/template/read-template.ts";
import type { Caller, Context, Reply } from "../context.ts";
import { findAgent, toAgentView } from "../views/agent-view.ts";
import { findProject } from "../views/project-view.ts";
import { portsFor, specOf } from "./agent-create.ts";

type Asked = ParsedInputOf<"agent.reload">;

export async function reloadAgent(
  context: Context,
  input: Asked,
  caller: Caller,
  reply: Reply<OutputOf<"agent.reload">>,
): Promise<void> {
  try {
    if (input.dryRun) {
      const drift = driftOf(context, input);
      context.read(() => drift, reply);
      return;
    }
    const { id, project } = findAgent(context.state, input.agent);
    const spec = await specOf(context, input, caller, findProject(context.state, project).egress);
    const offered = await portsFor(context, spec);
    const plan = toPlain(planReload(findAgent(context.state, id).spec, spec));
    context.submit(caller, { type: "agent.reload", agent: id, spec, offered }, reply, () => ({
      agent: toAgentView(context.state, findAgent(context.state, id), context.facts.faces),
      ...plan,
    }));
  } catch (error) {
    reply({ ok: false, refusal: context.toThrown(error) });
  }
}

/** Whoever only looks needs nothing of what the template names to be there. */
function driftOf({ state, facts }: Context, { agent: ref, template, file }: Asked): OutputOf<"agent.reload"> {
  const agent = findAgent(state, ref);
  const read = readTemplate(template, { file: file ?? "the template" });
  if (!read.ok) throw protocolError("bad-template", { problems: read.problems });
  return { agent: toAgentView(state, agent, facts.faces), ...toPlain(planReload(agent.spec, read.spec)) };
}

function toPlain({ changes, restarts, effect }: ReloadPlan): Omit<OutputOf<"agent.reload">, "agent"> {
  return { changes: changes.map((change) => ({ ...change })), restarts: [...restarts], effect };
}
