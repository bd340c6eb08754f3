// Logins of subscriptions: what a person gave for a runner, kept like any secret and renewed here and nowhere else. A renewal
// makes the old tokens worthless, so two who renew the same login would throw each other out.

import type { SecretStore } from "../../ports/secret-store.ts";
import { ProtocolError, protocolError } from "../../protocol/errors.ts";
import type { Credential } from "./credentials.ts";
import type { ProviderName } from "./providers.ts";
import { redact } from "./redactor.ts";
import {
  type Login,
  renewedLogin,
  subscriptionKinds,
  type SubscriptionName,
  subscriptionNames,
} from "./subscription-kinds.ts";

export type SubscriptionsOptions = {
  readonly secrets: Pick<SecretStore, "get" | "set" | "remove">;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly wallMs: () => number;
};

export type SubscriptionFacts = {
  readonly runner: SubscriptionName;
  readonly setAtMs: number;
  readonly renewedAtMs: number | null;
  readonly expiresAtMs: number | null;
  /** Whether it can be renewed, as far as is known. */
  readonly renews: boolean;
  /** Why its provider would not renew it. */
  readonly refused: string | null;
};

type Kept = Login & Pick<SubscriptionFacts, "setAtMs" | "renewedAtMs" | "refused">;

/** How long before its end a login is renewed: requests under way should not meet the end. */
const marginMs = 300_000;
const renewMsMax = 30_000;
/** After a renewal that did not come about, nobody tries again for so long. */
const restMs = 10_000;
const answerCharsMax = 300;
/** No name that a person can give to a secret. */
const prefix = "subscription:";

/** Whether a secret of this name is a login, which has commands of its own. */
export function isSubscription(secret: string): boolean {
  return secret.startsWith(prefix);
}

/** Whose models a runner asks that can have a login. */
export function providerOf(runner: string): ProviderName | null {
  return isNamed(runner) ? subscriptionKinds[runner].provider : null;
}

export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  /** Changes of one login come one after another, and each looks at what the one before has left. */
  readonly #last = new Map<SubscriptionName, Promise<unknown>>();
  readonly #faults = new Map<SubscriptionName, { readonly atMs: number; readonly error: ProtocolError }>();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  /** Keeps the login that is in a file of the runner's program, in place of an earlier one. */
  async set(runner: SubscriptionName, file: string): Promise<void> {
    const login = subscriptionKinds[runner].read(file);
    if (typeof login === "string") throw protocolError("bad-input", { where: "file", why: login });
    await this.#alone(runner, async () => {
      this.#faults.delete(runner);
      await this.#write(runner, { ...login, setAtMs: this.#options.wallMs(), renewedAtMs: null, refused: null });
    });
  }

  /** Says whether there was one. */
  remove(runner: SubscriptionName): Promise<boolean> {
    return this.#alone(runner, () => this.#options.secrets.remove(`${prefix}${runner}`));
  }

  async list(): Promise<SubscriptionFacts[]> {
    const found = await Promise.all(
      subscriptionNames.map(async (runner) => ({ runner, kept: await this.#read(runner) })),
    );
    return found.flatMap(({ runner, kept }) => {
      if (kept === null) return [];
      const { setAtMs, renewedAtMs, expiresAtMs, refreshToken, refused } = kept;
      return [
        { runner, setAtMs, renewedAtMs, expiresAtMs, renews: refreshToken !== null && refused === null, refused },
      ];
    });
  }

  async has(runner: string): Promise<boolean> {
    return isNamed(runner) && (await this.#read(runner)) !== null;
  }

  /** What pays for a runner's models, good for a while; null where it has no login. Throws `subscription-expired`. */
  async credentialOf(runner: string): Promise<Credential | null> {
    const kept = isNamed(runner) ? await this.#read(runner) : null;
    if (kept === null || !isNamed(runner)) return null;
    const { expiresAtMs, accessToken } = kept;
    if (expiresAtMs === null || this.#options.wallMs() < expiresAtMs - marginMs)
      return this.#toCredential(runner, kept);
    try {
      return this.#toCredential(runner, await this.#renew(runner, accessToken));
    } catch (error) {
      // As long as it is good, it does: renewing may go better the next time.
      if (error instanceof ProtocolError && this.#options.wallMs() < expiresAtMs)
        return this.#toCredential(runner, kept);
      throw error;
    }
  }

  /** The same after the provider would not take this one. */
  async renewed(runner: string, stale: Credential): Promise<Credential> {
    if (!isNamed(runner)) return stale;
    return this.#toCredential(runner, await this.#renew(runner, stale.value));
  }

  /** Every token, for those who have to recognise one where it must not be. */
  async values(): Promise<string[]> {
    const kept = await Promise.all(subscriptionNames.map((runner) => this.#read(runner)));
    return kept
      .flatMap((each) => (each === null ? [] : [each.accessToken, each.refreshToken ?? ""]))
      .filter((each) => each !== "");
  }

  /** Renews it, unless that has happened since: however many ask, the provider is asked once. */
  #renew(runner: SubscriptionName, stale: string): Promise<Kept> {
    return this.#alone(runner, async () => {
      const kept = await this.#read(runner);
      if (kept === null) throw expired(runner, "it was removed");
      if (kept.accessToken !== stale) return kept;
      if (kept.refused !== null) throw expired(runner, kept.refused);
      if (kept.refreshToken === null) throw expired(runner, "nothing came with it that renews it");
      const fault = this.#faults.get(runner);
      if (fault !== undefined && this.#options.wallMs() - fault.atMs < restMs) throw fault.error;
      return this.#ask(runner, kept, kept.refreshToken);
    });
  }

  async #ask(runner: SubscriptionName, kept: Kept, refreshToken: string): Promise<Kept> {
    const { wallMs } = this.#options;
    const { tokenUrl, tokenUrlName, clientId, clientIdName } = subscriptionKinds[runner];
    const url = this.#stated(tokenUrlName, tokenUrl);
    const scope = kept.scopes.length === 0 ? {} : { scope: kept.scopes.join(" ") };
    const body = {
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      client_id: this.#stated(clientIdName, clientId),
    };
    try {
      const answer = await fetch(url, {
        method: "POST",
        redirect: "error",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ ...body, ...scope }),
        signal: AbortSignal.timeout(renewMsMax),
      });
      const text = await answer.text();
      const login = answer.ok ? renewedLogin(kept, parse(text), wallMs()) : undefined;
      if (login !== undefined) {
        this.#faults.delete(runner);
        const fresh = { ...kept, ...login, renewedAtMs: wallMs() };
        // Kept before it is used: the tokens from before are worth nothing any more.
        await this.#write(runner, fresh);
        return fresh;
      }
      if ([400, 401, 403].includes(answer.status)) return await this.#giveUp(runner, kept, answer.status, text);
      throw new Error(`${new URL(url).host} answered ${answer.status}`);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const said = error instanceof Error ? sentenceOf(error) : String(error);
      const why = `its login could not be renewed: ${redact(said, [kept.accessToken, refreshToken])}`;
      const fault = protocolError("model-unreachable", { provider: subscriptionKinds[runner].provider, why });
      this.#faults.set(runner, { atMs: wallMs(), error: fault });
      throw fault;
    }
  }

  /** Its provider will not have it any more. That stays so until a person logs in again. */
  async #giveUp(runner: SubscriptionName, kept: Kept, status: number, text: string): Promise<never> {
    const said = redact(reasonIn(text), [kept.accessToken, kept.refreshToken ?? ""]);
    const refused = `its provider would not renew it (${status}${said === "" ? "" : `: ${said}`})`;
    await this.#write(runner, { ...kept, refused });
    throw expired(runner, refused);
  }

  #toCredential(runner: SubscriptionName, { accessToken, account }: Kept): Credential {
    const { accountHeader, beta, base } = subscriptionKinds[runner];
    return {
      ...{ name: runner, from: "subscription", value: accessToken },
      ...{ header: "authorization", headerValue: `Bearer ${accessToken}` },
      also: accountHeader === null || account === null ? {} : { [accountHeader]: account },
      beta,
      baseUrl: base === null ? null : this.#stated(base.name, base.url),
    };
  }

  /** What the daemon's environment says instead, if anything. */
  #stated(name: string, usual: string): string {
    const named = this.#options.env[name] ?? "";
    return named === "" ? usual : named;
  }

  async #read(runner: SubscriptionName): Promise<Kept | null> {
    const text = await this.#options.secrets.get(`${prefix}${runner}`);
    return text === null ? null : (JSON.parse(text) as Kept);
  }

  #write(runner: SubscriptionName, kept: Kept): Promise<void> {
    return this.#options.secrets.set(`${prefix}${runner}`, JSON.stringify(kept));
  }

  #alone<T>(runner: SubscriptionName, act: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(runner) ?? Promise.resolve()).then(act);
    this.#last.set(
      runner,
      done.catch(() => undefined),
    );
    return done;
  }
}

function expired(runner: SubscriptionName, why: string): ProtocolError {
  return protocolError("subscription-expired", { runner, why, how: subscriptionKinds[runner].how });
}

function isNamed(runner: string): runner is SubscriptionName {
  return (subscriptionNames as readonly string[]).includes(runner);
}

/** What a token endpoint says of an error: a code with a sentence, or a sentence alone. */
function reasonIn(text: string): string {
  const { error, error_description: more } = (parse(text) ?? {}) as { error?: unknown; error_description?: unknown };
  const inside = typeof error === "object" && error !== null ? (error as { message?: unknown }).message : error;
  return [inside, more]
    .filter((each) => typeof each === "string")
    .join(": ")
    .slice(0, answerCharsMax);
}

function sentenceOf(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
