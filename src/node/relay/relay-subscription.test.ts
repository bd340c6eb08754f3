// A relay whose runs are paid for with a login: real sockets, a scripted model and a scripted token endpoint.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ask, RelayRig, type Sent } from "../../../test/support/relay-rig.ts";
import { claudeLogin, codexLogin, TokenServer } from "../../../test/support/token-server.ts";
import { Subscriptions } from "./subscriptions.ts";

const scenario = `
conversations:
  - name: hello
    match: { marker: hello }
    turns: [{ say: "It is tok-access-one." }, { say: Again. }]
  - name: stale
    match: { marker: stale }
    turns: [{ error: { status: 401, type: authentication_error, message: expired } }, { say: Now. }]
  - name: barred
    match: { marker: barred }
    turns: [{ error: { status: 401 } }, { error: { status: 401, message: still not } }]
`;
const inAnHour = Date.now() + 3_600_000;

let rig: RelayRig;
let tokens: TokenServer;
let subscriptions: Subscriptions;

beforeEach(async () => {
  tokens = await TokenServer.start();
  const kept = new Map<string, string>();
  const secrets = {
    get: (name: string) => Promise.resolve(kept.get(name) ?? null),
    set: (name: string, value: string) => Promise.resolve(void kept.set(name, value)),
    remove: (name: string) => Promise.resolve(kept.delete(name)),
  };
  const env: Record<string, string> = { SIGNALBOX_CLAUDE_TOKEN_URL: tokens.url };
  subscriptions = new Subscriptions({ secrets, env, wallMs: () => Date.now() });
  rig = await RelayRig.open(scenario, { subscriptions });
  env["SIGNALBOX_CODEX_BASE_URL"] = `${rig.model.url}/v1`;
  await subscriptions.set("claude", claudeLogin("tok-access-one", "tok-refresh-one", inAnHour));
});
afterEach(async () => {
  await rig.close();
  await tokens.close();
});

async function say(runner: string, said: string, headers: Record<string, string> = {}): Promise<Sent> {
  const { socket } = await rig.run(runner);
  const body = { model: "claude-haiku-4-5", max_tokens: 8, messages: [{ role: "user", content: said }] };
  return ask(socket, "/v1/messages", body, { "x-api-key": "run-token-".padEnd(43, "t"), ...headers });
}

describe("a run whose runner has a login", () => {
  test("[BG19] is paid for with it: in its header, with the beta that it needs, and it is recorded as such", async () => {
    const answer = await say("claude", "hello", { "anthropic-beta": "tools-1" });
    expect(answer.status).toBe(200);
    const [received] = rig.model.received;
    expect(received?.headers).toMatchObject({
      authorization: "Bearer tok-access-one",
      "anthropic-beta": "tools-1,oauth-2025-04-20",
    });
    expect(received?.headers["x-api-key"]).toBeUndefined();
    expect(rig.of("model.requested")).toMatchObject([{ credential: "subscription:claude" }]);
    // What the model repeats of it is covered, and nothing of it is kept.
    expect(answer.body.toString()).not.toContain("tok-access-one");
    expect(await rig.everything()).not.toContain("tok-access-one");
  });

  test("[BG19] only that one: another runner has the key", async () => {
    await say("opencode", "hello");
    expect(rig.model.received[0]?.headers["x-api-key"]).toMatch(/^sk-canary/);
    expect(rig.model.received[0]?.headers.authorization).toBeUndefined();
  });

  test("[BG19] of Codex asks where its login is good for", async () => {
    await subscriptions.set("codex", codexLogin("tok-codex-one", "tok-codex-two", "account-7"));
    const { socket } = await rig.run("codex");
    const answer = await ask(socket, "/v1/responses", { model: "gpt-5", input: "hello" });
    expect(answer.status).toBe(200);
    expect(rig.model.received[0]).toMatchObject({
      target: "/v1/responses",
      headers: { authorization: "Bearer tok-codex-one", "chatgpt-account-id": "account-7" },
    });
  });

  test("[BG20] a 401 is answered with a renewed login, once, and the run does not notice", async () => {
    tokens.say(200, { access_token: "tok-access-two", expires_in: 3600 });
    expect((await say("claude", "stale")).body.toString()).toContain("Now.");
    expect(rig.model.received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer tok-access-one",
      "Bearer tok-access-two",
    ]);
    expect(rig.of("model.answered")).toMatchObject([{ status: 200, extent: "whole" }]);
    tokens.say(200, { access_token: "tok-access-three", expires_in: 3600 });
    const barred = await say("claude", "barred");
    expect([barred.status, barred.body.toString()]).toEqual([401, expect.stringContaining("still not")]);
    expect(tokens.asked).toHaveLength(2);
  });

  test("[BG21] that cannot be renewed is told what to do; no key stands in, and the request has cost nothing", async () => {
    tokens.say(401, { error: { message: "refresh token was used", code: "refresh_token_reused" } });
    const { run, socket } = await rig.run("claude");
    const body = { model: "claude-haiku-4-5", max_tokens: 8, messages: [{ role: "user", content: "stale" }] };
    const answer = await ask(socket, "/v1/messages", body);
    expect([answer.status, answer.headers["x-signalbox-code"]]).toEqual([403, "subscription-expired"]);
    expect(answer.body.toString()).toContain("signalbox subscription add claude");
    expect(rig.relay.lastNoOf(run)).toMatchObject({ status: 401 });
    expect(rig.of("model.answered")).toMatchObject([{ status: 401, extent: "none", outputTokens: 0 }]);
    expect(rig.model.received).toHaveLength(1);
  });

  test("[BG21] where renewing is down, its model is, and is asked again later", async () => {
    await subscriptions.set("claude", claudeLogin("tok-access-one", "tok-refresh-one", Date.now() - 1));
    tokens.say(500, {});
    const { run, socket } = await rig.run("claude");
    const answer = await ask(socket, "/v1/messages", { model: "m", max_tokens: 8, messages: [] });
    expect([answer.status, answer.headers["x-signalbox-code"]]).toEqual([502, "model-unreachable"]);
    expect(rig.relay.lastNoOf(run)).toMatchObject({ status: null });
    expect(rig.of("model.requested")).toEqual([]);
  });
});
