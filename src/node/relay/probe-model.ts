// Asks a runner's model for as little as it answers, to see whether it can be asked at all. It belongs to no run, so no budget
// knows of it: only people may, and it costs next to nothing.

import { unreachable } from "../../base/assert.ts";
import type { ModelFormat, OwnRunner } from "../../core/runner/own-runner.ts";
import type { PresetModels } from "../../core/runner/presets.ts";
import type { Assistant } from "../../ports/assistant.ts";
import { ProtocolError } from "../../protocol/errors.ts";
import type { Credential, Credentials } from "./credentials.ts";
import { urlOf } from "./model-relay.ts";
import { findRoute, providers, type ProviderName } from "./providers.ts";
import { redact } from "./redactor.ts";
import type { Subscriptions } from "./subscriptions.ts";

export type ProbeAnswer = {
  /** The model that was asked; null where none could be. */
  readonly model: string | null;
  readonly ok: boolean;
  /** HTTP status of the answer; null where there was none. */
  readonly status: number | null;
  /** What is in the way, where something is. */
  readonly why: string | null;
};

export type ProbeOptions = {
  readonly credentials: Pick<Credentials, "of" | "paid">;
  readonly subscriptions: Pick<Subscriptions, "credentialOf">;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What a person has defined of a runner. */
  readonly ownOf: (runner: string) => OwnRunner | undefined;
};

type Probed = Pick<Assistant, "name" | "provider"> & { readonly presets: PresetModels };
type Asked = { readonly format: ModelFormat; readonly model: string; readonly baseUrl: string | null };

const probeMsMax = 30_000;
const answerCharsMax = 500;
const usualFormats = { anthropic: "anthropic", openai: "openai-responses", gemini: "gemini" } as const;

/** Asks the model that is named, or a small one of the runner's, where it would ask itself. */
export async function probeModel(options: ProbeOptions, runner: Probed, named: string | null): Promise<ProbeAnswer> {
  const no = (why: string, model: string | null = named): ProbeAnswer => ({ model, ok: false, status: null, why });
  const of = runner.provider ?? (await makerFor(options, named));
  if (of === null) return no(`there is no credential for any maker of models that ${runner.name} can ask`);
  const own = options.ownOf(runner.name);
  let credential: Credential | null;
  try {
    credential = (await options.subscriptions.credentialOf(runner.name)) ?? null;
    credential ??= await options.credentials.of(of, own?.credential);
  } catch (error) {
    if (error instanceof ProtocolError) return no(error.message);
    throw error;
  }
  if (credential === null) {
    const name = own?.credential ?? providers[of].credentials[0]?.name ?? "";
    return no(`there is no credential for ${of}; keep one with: signalbox secret set ${name}`);
  }
  const baseUrl = credential.baseUrl ?? own?.baseUrl ?? null;
  const model = named === null ? smallOf(runner, of, baseUrl) : withoutMaker(runner, of, named);
  if (model === null)
    return no(
      `which models there are at ${baseUrl} is not known here; name one: signalbox runners probe ${runner.name} --model MODEL`,
    );
  try {
    return {
      model,
      ...(await ask(options, of, { format: own?.format ?? usualFormats[of], model, baseUrl }, credential)),
    };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
    const text = error instanceof Error ? `${error.message}${cause}` : String(error);
    return no(redact(text, [credential.value]), model);
  }
}

/** Whom a runner asks that can ask several: the maker before the slash, or the first that somebody pays. */
async function makerFor({ credentials }: ProbeOptions, named: string | null): Promise<ProviderName | null> {
  const paid = await credentials.paid();
  const said = named?.split("/", 1)[0];
  return paid.find((each) => each === (said === "google" ? "gemini" : said)) ?? paid[0] ?? null;
}

function withoutMaker({ provider }: Probed, of: ProviderName, named: string): string {
  const [maker = "", ...rest] = named.split("/");
  const isMaker = provider === null && rest.length > 0 && (maker === of || (maker === "google" && of === "gemini"));
  return isMaker ? rest.join("/") : named;
}

/** Elsewhere than where a maker's models usually are, nobody knows their names. */
function smallOf(runner: Probed, of: ProviderName, baseUrl: string | null): string | null {
  return baseUrl === null ? withoutMaker(runner, of, runner.presets.cheap ?? providers[of].least) : null;
}

async function ask(
  { env }: ProbeOptions,
  provider: ProviderName,
  { format, model, baseUrl }: Asked,
  { header, headerValue, value, also, beta, from }: Credential,
): Promise<Pick<ProbeAnswer, "ok" | "status" | "why">> {
  const { path, body } =
    from === "subscription" && format === "openai-responses" ? leastByLogin(model) : leastOf(format, model);
  const target = findRoute("POST", path, {})?.target ?? path;
  const answer = await fetch(urlOf({ provider, target }, env, baseUrl), {
    method: "POST",
    redirect: "manual",
    headers: {
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      ...(beta === null ? {} : { "anthropic-beta": beta }),
      ...also,
      [header]: headerValue,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(probeMsMax),
  });
  const text = redact(await answer.text(), [value]);
  return { ok: answer.ok, status: answer.status, why: answer.ok ? null : sentenceIn(text) };
}

/** The smallest request that each format has. */
function leastOf(format: ModelFormat, model: string): { readonly path: string; readonly body: object } {
  const text = "Hi";
  const messages = [{ role: "user", content: text }];
  switch (format) {
    case "anthropic":
      return { path: "/v1/messages", body: { model, max_tokens: 1, messages } };
    case "openai-responses":
      return { path: "/v1/responses", body: { model, input: text, max_output_tokens: 16 } };
    case "openai-chat":
      return { path: "/v1/chat/completions", body: { model, messages, max_completion_tokens: 1 } };
    case "gemini": {
      const body = { contents: [{ parts: [{ text }] }], generationConfig: { maxOutputTokens: 1 } };
      return { path: `/v1beta/models/${model}:generateContent`, body };
    }
    default:
      return unreachable(format);
  }
}

/** By a login the same is asked for as its program does: in a stream, kept nowhere, without a bound. */
function leastByLogin(model: string): { readonly path: string; readonly body: object } {
  const input = [{ type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] }];
  return { path: "/v1/responses", body: { model, instructions: "Say hi.", input, store: false, stream: true } };
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
