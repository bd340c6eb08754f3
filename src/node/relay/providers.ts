// Who answers model requests, what of theirs is forwarded, how they are shown a credential, and how they say no.

import type { IncomingHttpHeaders } from "node:http";
import { unreachable } from "../../base/assert.ts";
import type { Preset } from "../../core/profile/profile.ts";
import type { WireError } from "../../protocol/errors.ts";

export const providerNames = ["anthropic", "openai", "gemini"] as const;
export type ProviderName = (typeof providerNames)[number];

/** How an answer says what it used. */
export type AnswerFormat = "anthropic" | "responses" | "chat" | "gemini";

export type Provider = {
  /** Where it is when nobody says otherwise, and the variable by which somebody does. */
  readonly baseUrl: string;
  readonly baseUrlName: string;
  /** Names of its credentials, the first one that is there is used, and the header that carries it. */
  readonly credentials: readonly { readonly name: string; readonly header: string; readonly scheme: "" | "Bearer " }[];
  /** What its base URL has already of the path that assistants ask for. */
  readonly pathPrefix: string;
  /** A small model of its, to see whether it answers. */
  readonly least: string;
  /** The models that presets of profiles mean where nobody says otherwise. Each has a price that is built in. */
  readonly presets: Readonly<Record<Preset, string>>;
};

export const providers: Readonly<Record<ProviderName, Provider>> = {
  anthropic: {
    baseUrl: "https://api.anthropic.com",
    baseUrlName: "ANTHROPIC_BASE_URL",
    credentials: [
      { name: "ANTHROPIC_API_KEY", header: "x-api-key", scheme: "" },
      { name: "ANTHROPIC_AUTH_TOKEN", header: "authorization", scheme: "Bearer " },
    ],
    pathPrefix: "",
    least: "claude-haiku-4-5",
    presets: { fast: "claude-sonnet-5-5", cheap: "claude-haiku-4-5", smart: "claude-opus-5-5" },
  },
  openai: {
    baseUrl: "https://api.openai.com/v1",
    baseUrlName: "OPENAI_BASE_URL",
    credentials: [{ name: "OPENAI_API_KEY", header: "authorization", scheme: "Bearer " }],
    pathPrefix: "/v1",
    least: "gpt-5-nano",
    presets: { fast: "gpt-6-sol", cheap: "gpt-5.1-codex-mini", smart: "gpt-6.1-sol" },
  },
  gemini: {
    baseUrl: "https://generativelanguage.googleapis.com",
    baseUrlName: "GOOGLE_GEMINI_BASE_URL",
    credentials: [
      { name: "GEMINI_API_KEY", header: "x-goog-api-key", scheme: "" },
      { name: "GOOGLE_API_KEY", header: "x-goog-api-key", scheme: "" },
    ],
    pathPrefix: "",
    least: "gemini-2.5-flash-lite",
    presets: { fast: "gemini-2.5-flash", cheap: "gemini-2.5-flash-lite", smart: "gemini-2.5-pro" },
  },
};

export type Route = {
  readonly provider: ProviderName;
  /** Null for what costs nothing: counting tokens, listing models. */
  readonly format: AnswerFormat | null;
  /** The model, where the path names it. */
  readonly model: string | null;
  /** What is asked of the provider, after its base URL. */
  readonly target: string;
};

const exact: Readonly<Record<string, Pick<Route, "provider" | "format">>> = {
  "POST /v1/messages": { provider: "anthropic", format: "anthropic" },
  "POST /v1/messages/count_tokens": { provider: "anthropic", format: null },
  "POST /v1/responses": { provider: "openai", format: "responses" },
  "POST /v1/chat/completions": { provider: "openai", format: "chat" },
  "GET /v1beta/models": { provider: "gemini", format: null },
};
const geminiCall = /^POST \/v1beta\/models\/([\w.-]{1,128}):(generateContent|streamGenerateContent|countTokens)$/;
const modelList = /^GET \/v1\/models(\/[\w.:-]{1,128})?$/;
const targetCharsMax = 2048;

/** Where a request goes, or undefined: whatever is not known is not forwarded. */
export function findRoute(method: string, target: string, headers: IncomingHttpHeaders): Route | undefined {
  if (target.length > targetCharsMax) return undefined;
  const [path = "", query = ""] = target.split("?", 2);
  const asked = `${method} ${path}`;
  const make = (provider: ProviderName, format: AnswerFormat | null, model: string | null): Route => {
    const rest = withoutKey(query);
    const own = path.slice(providers[provider].pathPrefix.length);
    return { provider, format, model, target: rest === "" ? own : `${own}?${rest}` };
  };
  const known = Object.hasOwn(exact, asked) ? exact[asked] : undefined;
  if (known !== undefined) return make(known.provider, known.format, null);
  const gemini = geminiCall.exec(asked);
  if (gemini !== null) return make("gemini", gemini[2] === "countTokens" ? null : "gemini", gemini[1] ?? "");
  if (modelList.test(asked)) return make(guessProvider(headers), null, null);
  return undefined;
}

/** Whose errors somebody understands who asked for what nobody knows. */
export function guessProvider(headers: IncomingHttpHeaders): ProviderName {
  if (headers["anthropic-version"] !== undefined || headers["x-api-key"] !== undefined) return "anthropic";
  return headers["x-goog-api-key"] === undefined ? "openai" : "gemini";
}

/** The token that an assistant presents as its key, in whichever way its provider wants keys. */
export function tokenIn(target: string, headers: IncomingHttpHeaders): string {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  const inQuery = new URLSearchParams(target.split("?", 2)[1] ?? "").get("key");
  const [header] = [headers["x-api-key"], headers["x-goog-api-key"]].flat().filter((each) => each !== undefined);
  return bearer ?? header ?? inQuery ?? "";
}

/** Headers that providers need. Whatever else a client sends stays here, above all its own credentials. */
const forwarded =
  /^(accept|content-type|user-agent|anthropic-.*|openai-beta|originator|session[_-]id|x-stainless-.*|x-goog-api-client|x-app)$/;

export function headersToForward(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(([name, value]) => forwarded.test(name) && value !== undefined);
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** Of the answer's headers, those that are about one connection or one browser. */
const ownOfTheAnswer = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-connection",
  "set-cookie",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export function headersToAnswer(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = new Set((headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ownOfTheAnswer.has(name) || named.has(name) ? [] : [[name, value]],
    ),
  );
}

const anthropicTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
};
const geminiStates: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

/** An error of ours as the provider would say it, so that assistants show its sentence. */
export function toProviderError(provider: ProviderName, status: number, error: WireError): object {
  const message = `${error.message} [signalbox: ${error.code}]`;
  switch (provider) {
    case "anthropic":
      return { type: "error", error: { type: anthropicTypes[status] ?? "api_error", message } };
    case "openai":
      return {
        error: {
          message,
          type: status < 500 ? "invalid_request_error" : "server_error",
          code: error.code,
          param: null,
        },
      };
    case "gemini":
      return { error: { code: status, message, status: geminiStates[status] ?? "INTERNAL" } };
    default:
      return unreachable(provider);
  }
}

function withoutKey(query: string): string {
  return query
    .split("&")
    .filter((part) => part !== "" && decodeName(part) !== "key")
    .join("&");
}

function decodeName(part: string): string {
  return [...new URLSearchParams(part).keys()][0] ?? "";
}
