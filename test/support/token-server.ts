// A token endpoint on loopback that says what it is told to say, and keeps everything that it was asked.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type TokenAnswer = { readonly status: number; readonly body: unknown };

export class TokenServer {
  readonly #server: Server;
  readonly #answers: TokenAnswer[] = [];
  #gate: Promise<void> = Promise.resolve();
  readonly asked: Record<string, unknown>[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      const answer = async (): Promise<void> => {
        this.asked.push(JSON.parse(await text(request)) as Record<string, unknown>);
        const { status, body } = this.#answers.shift() ?? { status: 500, body: "nobody said what to answer" };
        await this.#gate;
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      };
      void answer();
    });
  }

  static async start(): Promise<TokenServer> {
    const server = new TokenServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/oauth/token`;
  }

  /** What it says next, after what it was told before. */
  say(status: number, body: unknown): void {
    this.#answers.push({ status, body });
  }

  /** Answers nobody until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return resolve;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}

/** The file of a login as Claude keeps it. */
export function claudeLogin(access: string, refresh: string | null, expiresAt: number | null): string {
  const login = { accessToken: access, refreshToken: refresh, expiresAt, scopes: ["user:inference", "user:profile"] };
  return JSON.stringify({ claudeAiOauth: login });
}

/** The file of a login as Codex keeps it. */
export function codexLogin(access: string, refresh: string, account: string): string {
  const tokens = { id_token: "id-token", access_token: access, refresh_token: refresh, account_id: account };
  return JSON.stringify({ OPENAI_API_KEY: null, tokens, last_refresh: "2026-11-16T00:00:00Z" });
}

/** A token that says when it is over, as those of Codex do. */
export function tokenUntil(expiresAtMs: number, name: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ exp: Math.floor(expiresAtMs / 1000), name })}.c2ln`;
}
