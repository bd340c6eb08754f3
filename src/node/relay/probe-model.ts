// Asks a model for as little as it answers, to see whether it can be asked at all. It belongs to no run, so no budget knows
// of it: only people may, and it costs next to nothing.

import { unreachable } from "../../base/assert.ts";
import type { Credential, Credentials } from "./credentials.ts";
import { urlOf } from "./model-relay.ts";
import { findRoute, providers, type ProviderName } from "./providers.ts";
import { redact } from "./redactor.ts";

export type ProbeAnswer = {
  readonly ok: boolean;
  /** HTTP status of the answer; null where there was none. */
  readonly status: number | null;
  /** What is in the way, where something is. */
  readonly why: string | null;
};

export type ProbeOptions = {
  readonly credentials: Pick<Credentials, "of">;
  readonly env: Readonly<Record<string, string | undefined>>;
};

const probeMsMax = 30_000;
const answerCharsMax = 500;

export async function probeModel(options: ProbeOptions, provider: ProviderName, model: string): Promise<ProbeAnswer> {
  const credential = await options.credentials.of(provider);
  if (credential === null) {
    const name = providers[provider].credentials[0]?.name ?? "";
    const why = `there is no credential for ${provider}; keep one with: signalbox secret set ${name}`;
    return { ok: false, status: null, why };
  }
  try {
    return await ask(options, provider, model, credential);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
    const text = error instanceof Error ? `${error.message}${cause}` : String(error);
    return { ok: false, status: null, why: redact(text, [credential.value]) };
  }
}

async function ask(
  { env }: ProbeOptions,
  provider: ProviderName,
  model: string,
  { header, headerValue, value }: Credential,
): Promise<ProbeAnswer> {
  const { path, body } = leastOf(provider, model);
  const target = findRoute("POST", path, {})?.target ?? path;
  const answer = await fetch(urlOf({ provider, target }, env), {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01", [header]: headerValue },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(probeMsMax),
  });
  const text = redact(await answer.text(), [value]);
  return { ok: answer.ok, status: answer.status, why: answer.ok ? null : sentenceIn(text) };
}

/** The smallest request that each provider takes. */
function leastOf(provider: ProviderName, model: string): { readonly path: string; readonly body: object } {
  const text = "Hi";
  switch (provider) {
    case "anthropic":
      return { path: "/v1/messages", body: { model, max_tokens: 1, messages: [{ role: "user", content: text }] } };
    case "openai":
      return { path: "/v1/responses", body: { model, input: text, max_output_tokens: 16 } };
    case "gemini": {
      const body = { contents: [{ parts: [{ text }] }], generationConfig: { maxOutputTokens: 1 } };
      return { path: `/v1beta/models/${model}:generateContent`, body };
    }
    default:
      return unreachable(provider);
  }
}

/** What a provider says of an error, as it says it. */
function sentenceIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } };
    if (typeof error?.message === "string") return error.message.slice(0, answerCharsMax);
  } catch {
    // It is no JSON: then the text itself has to do.
  }
  return text.trim().slice(0, answerCharsMax);
}
