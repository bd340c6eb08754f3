// Assistants of agents: that the profile of one is there and can take a prompt, and what somebody asks of it.

import type { AgentSpec } from "../../core/agent/agent-spec.ts";
import { looksSecret } from "../../node/relay/looks-secret.ts";
import { ProtocolError, protocolError } from "../../protocol/errors.ts";
import type { OutputOf } from "../../protocol/operations.ts";
import type { Caller, Context } from "../context.ts";
import { findAgent, toAgentView } from "../views/agent-view.ts";
import { knownSecrets } from "./known-secrets.ts";
import { mustKnow } from "./must-know.ts";

export function withPrompt(spec: AgentSpec, prompt: string | undefined): AgentSpec {
  if (prompt === undefined) return spec;
  if (spec.assistant !== undefined) return { ...spec, assistant: { ...spec.assistant, prompt } };
  const why = "the template has no assistant that could be given something to do; add it there, or leave this out";
  throw protocolError("bad-input", { where: "prompt", why });
}

/** Throws where the assistant of a template could never begin, or would have a secret in its prompt (AW18, PF7). */
export async function checkAssistant(context: Context, { assistant }: AgentSpec): Promise<void> {
  if (assistant === undefined) return;
  const { profiles } = context.state;
  mustKnow("profile", assistant.profile, [...profiles.keys()]);
  const runner = profiles.get(assistant.profile)?.settings.runner;
  if (runner === undefined || !context.parts.inventory.isAssistant(runner)) {
    const lacks = runner === undefined ? "names no runner" : `has the runner ${runner}, which takes no prompt`;
    const why = `the profile ${assistant.profile} ${lacks}; name a profile of an assistant: signalbox runners`;
    throw protocolError("bad-input", { where: "assistant.profile", why });
  }
  await mustBeNoSecret(context, assistant.prompt);
}

async function mustBeNoSecret({ parts }: Context, prompt: string): Promise<void> {
  if (looksSecret(prompt, await knownSecrets(parts))) throw protocolError("secret-in-plain", { where: "prompt" });
}

export async function assistAgent(
  context: Context,
  { agent: ref, prompt }: { readonly agent: string; readonly prompt: string | null },
  caller: Caller,
): Promise<OutputOf<"agent.assist">> {
  const { id } = findAgent(context.state, ref);
  if (prompt !== null) await mustBeNoSecret(context, prompt);
  return new Promise((resolve, reject) => {
    context.submit(
      caller,
      { type: "agent.assist", agent: id, prompt },
      (outcome) => (outcome.ok ? resolve(outcome.value) : reject(new ProtocolError(outcome.refusal))),
      () => ({ agent: toAgentView(context.state, findAgent(context.state, id), context.facts.faces) }),
    );
  });
}
