// The subscriptions that runners can be paid for with: what the file of a login looks like that their programs write, where a
// login is renewed, and how a provider wants to be shown one.

import type { ProviderName } from "./providers.ts";

export const subscriptionNames = ["claude", "codex"] as const;
export type SubscriptionName = (typeof subscriptionNames)[number];

/** What a login consists of. */
export type Login = {
  readonly accessToken: string;
  /** Null where nothing came with it that renews it. */
  readonly refreshToken: string | null;
  /** By the wall clock; null where nobody says. */
  readonly expiresAtMs: number | null;
  /** Whose it is, where the provider wants to be told. */
  readonly account: string | null;
  readonly scopes: readonly string[];
};

export type SubscriptionKind = {
  readonly provider: ProviderName;
  /** Where it is renewed, by whom, and the variables that say otherwise. */
  readonly tokenUrl: string;
  readonly tokenUrlName: string;
  readonly clientId: string;
  readonly clientIdName: string;
  /** Where its models are, if not where the provider's others are. */
  readonly base: { readonly url: string; readonly name: string } | null;
  /** What a request has to say that it wants to be taken by a login. */
  readonly beta: string | null;
  readonly accountHeader: string | null;
  /** How a person makes a login for it. */
  readonly how: string;
  /** The login in a file of its program, or what is wrong with the file. */
  read(text: string): Login | string;
};

type Json = Readonly<Record<string, unknown>>;

export const subscriptionKinds: Readonly<Record<SubscriptionName, SubscriptionKind>> = {
  claude: {
    provider: "anthropic",
    tokenUrl: "https://platform.claude.com/v1/oauth/token",
    tokenUrlName: "SIGNALBOX_CLAUDE_TOKEN_URL",
    clientId: "9d1c250a-e61b-44d9-88ed-5944d1962f5e",
    clientIdName: "SIGNALBOX_CLAUDE_CLIENT_ID",
    base: null,
    beta: "oauth-2025-04-20",
    accountHeader: null,
    how: "CLAUDE_CONFIG_DIR=FOLDER claude /login",
    read: readClaudeLogin,
  },
  codex: {
    provider: "openai",
    tokenUrl: "https://auth.openai.com/oauth/token",
    tokenUrlName: "SIGNALBOX_CODEX_TOKEN_URL",
    clientId: "app_EMoamEEZ73f0CkXaXp7hrann",
    clientIdName: "SIGNALBOX_CODEX_CLIENT_ID",
    base: { url: "https://chatgpt.com/backend-api/codex", name: "SIGNALBOX_CODEX_BASE_URL" },
    beta: null,
    accountHeader: "chatgpt-account-id",
    how: "CODEX_HOME=FOLDER codex login",
    read: readCodexLogin,
  },
};

/** What a token endpoint answers with, over the login that it was asked to renew; undefined where there is none in it. */
export function renewedLogin(before: Login, answer: unknown, nowMs: number): Login | undefined {
  const fields = recordOf(answer);
  const accessToken = tokenOf(fields["access_token"]);
  if (accessToken === null) return undefined;
  const seconds = fields["expires_in"];
  const isStated = typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0;
  return {
    ...before,
    accessToken,
    refreshToken: tokenOf(fields["refresh_token"]) ?? before.refreshToken,
    expiresAtMs: isStated ? nowMs + seconds * 1000 : expiryOf(accessToken),
  };
}

/** `.credentials.json` of its configuration, or what `claude setup-token` prints. */
function readClaudeLogin(text: string): Login | string {
  const alone = text.trim();
  if (!alone.startsWith("{")) {
    const accessToken = tokenOf(alone);
    if (accessToken === null) return "it is neither JSON nor a token alone";
    return { accessToken, refreshToken: null, expiresAtMs: null, account: null, scopes: [] };
  }
  const login = recordOf(recordOf(parse(alone))["claudeAiOauth"]);
  const accessToken = tokenOf(login["accessToken"]);
  if (accessToken === null) return "it has no claudeAiOauth.accessToken";
  const expiresAt = login["expiresAt"];
  return {
    accessToken,
    refreshToken: tokenOf(login["refreshToken"]),
    expiresAtMs: typeof expiresAt === "number" && Number.isFinite(expiresAt) ? expiresAt : null,
    account: null,
    scopes: Array.isArray(login["scopes"]) ? login["scopes"].filter((each) => typeof each === "string") : [],
  };
}

/** `auth.json` of its home. */
function readCodexLogin(text: string): Login | string {
  const tokens = recordOf(recordOf(parse(text))["tokens"]);
  const accessToken = tokenOf(tokens["access_token"]);
  if (accessToken === null) return "it has no tokens.access_token";
  const account = tokenOf(tokens["account_id"]) ?? accountIn(tokens["id_token"]) ?? accountIn(accessToken);
  if (account === null) return "it has no tokens.account_id";
  const refreshToken = tokenOf(tokens["refresh_token"]);
  return { accessToken, refreshToken, expiresAtMs: expiryOf(accessToken), account, scopes: [] };
}

/** When a token says that it is over. It is not checked: whoever issued it does that. */
function expiryOf(token: string): number | null {
  const seconds = claimsOf(token)["exp"];
  return typeof seconds === "number" && Number.isFinite(seconds) ? seconds * 1000 : null;
}

function accountIn(token: unknown): string | null {
  return tokenOf(recordOf(claimsOf(token)["https://api.openai.com/auth"])["chatgpt_account_id"]);
}

function claimsOf(token: unknown): Json {
  const [, claims = ""] = typeof token === "string" ? token.split(".") : [];
  return recordOf(parse(Buffer.from(claims, "base64url").toString("utf8")));
}

/** What can stand in a header. */
function tokenOf(value: unknown): string | null {
  return typeof value === "string" && /^[\x21-\x7e]{8,8192}$/.test(value) ? value : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
