import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { claudeLogin, codexLogin, TokenServer, tokenUntil } from "../../../test/support/token-server.ts";
import { FileSecretStore } from "../../adapters/secret/file-secret-store.ts";
import { Subscriptions } from "./subscriptions.ts";

const nowMs = 1_780_000_000_000;
const hourMs = 3_600_000;

let tokens: TokenServer;
let folder: string;
let at: number;
beforeEach(async () => {
  tokens = await TokenServer.start();
  folder = makeTempFolder();
  at = nowMs;
});
afterEach(() => tokens.close());

function open(env: Record<string, string> = {}): Subscriptions {
  const wallMs = (): number => at;
  const files = { file: join(folder, "secrets.json"), keyFile: join(folder, "secrets.key") };
  return new Subscriptions({
    secrets: new FileSecretStore({ ...files, wallMs }),
    env: { SIGNALBOX_CLAUDE_TOKEN_URL: tokens.url, SIGNALBOX_CODEX_TOKEN_URL: tokens.url, ...env },
    wallMs,
  });
}

async function withClaude(expiresAt: number | null, refresh: string | null = "refresh-one"): Promise<Subscriptions> {
  const subscriptions = open();
  await subscriptions.set("claude", claudeLogin("access-one", refresh, expiresAt));
  return subscriptions;
}

describe("a login", () => {
  test("[BG19] is kept encrypted, is good for its runner alone, and outlives a restart", async () => {
    await withClaude(nowMs + hourMs);
    const again = open();
    expect(await again.credentialOf("claude")).toEqual({
      ...{ name: "claude", from: "subscription", value: "access-one", baseUrl: null, also: {} },
      ...{ header: "authorization", headerValue: "Bearer access-one", beta: "oauth-2025-04-20" },
    });
    expect(await again.credentialOf("opencode")).toBeNull();
    expect(await again.credentialOf("codex")).toBeNull();
    expect(await again.values()).toEqual(["access-one", "refresh-one"]);
    expect(await readFile(join(folder, "secrets.json"), "utf8")).not.toMatch(/access-one|refresh-one/);
    expect(tokens.asked).toEqual([]);
    expect(await again.remove("claude")).toBe(true);
    expect([await again.remove("claude"), await again.credentialOf("claude")]).toEqual([false, null]);
  });

  test("[BG19] of Codex goes to where its models are, with its account", async () => {
    const access = tokenUntil(nowMs + hourMs, "one");
    const subscriptions = open({ SIGNALBOX_CODEX_BASE_URL: "http://127.0.0.1:1/codex" });
    await subscriptions.set("codex", codexLogin(access, "refresh-one", "account-7"));
    expect(await subscriptions.credentialOf("codex")).toMatchObject({
      ...{ headerValue: `Bearer ${access}`, also: { "chatgpt-account-id": "account-7" } },
      ...{ beta: null, baseUrl: "http://127.0.0.1:1/codex" },
    });
    expect(await open().credentialOf("codex")).toMatchObject({ baseUrl: "https://chatgpt.com/backend-api/codex" });
    expect((await subscriptions.list())[0]).toMatchObject({ expiresAtMs: nowMs + hourMs, renews: true });
  });

  test.each([
    ["claude", "{}"],
    ["claude", "not one, but two"],
    ["claude", '{"claudeAiOauth":{"accessToken":"line\\nbreak"}}'],
    ["codex", '{"OPENAI_API_KEY":"sk-0123456789"}'],
    ["codex", '{"tokens":{"access_token":"access-one"}}'],
    ["codex", "[1]"],
  ] as const)("of %s that is none is refused, and not repeated: %s", async (runner, file) => {
    const refused = await open()
      .set(runner, file)
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "bad-input" });
    expect(String(refused)).not.toMatch(/sk-0123|access-one|not one/);
    expect(await open().list()).toEqual([]);
  });

  test("that never ends, as claude setup-token makes it, is a token alone", async () => {
    const subscriptions = open();
    await subscriptions.set("claude", "sk-ant-oat01-forever\n");
    expect(await subscriptions.credentialOf("claude")).toMatchObject({ value: "sk-ant-oat01-forever" });
    expect((await subscriptions.list())[0]).toMatchObject({ expiresAtMs: null, renews: false });
  });
});

describe("renewing", () => {
  test("[BG20] comes before the end, once, however many ask, and is kept", async () => {
    const subscriptions = await withClaude(nowMs + 60_000);
    tokens.say(200, { access_token: "access-two", refresh_token: "refresh-two", expires_in: 7200 });
    const release = tokens.hold();
    const all = Promise.all(Array.from({ length: 8 }, () => subscriptions.credentialOf("claude")));
    release();
    expect(new Set((await all).map((each) => each?.value))).toEqual(new Set(["access-two"]));
    expect(tokens.asked).toEqual([
      {
        ...{ grant_type: "refresh_token", refresh_token: "refresh-one", scope: "user:inference user:profile" },
        client_id: "9d1c250a-e61b-44d9-88ed-5944d1962f5e",
      },
    ]);
    const [facts] = await open().list();
    expect(facts).toMatchObject({ expiresAtMs: nowMs + 7_200_000, renewedAtMs: nowMs, refused: null });
    expect(await open().values()).toEqual(["access-two", "refresh-two"]);
  });

  test("[BG20] after a no of the provider too, unless somebody was faster", async () => {
    const subscriptions = await withClaude(nowMs + hourMs);
    const first = await subscriptions.credentialOf("claude");
    if (first === null) throw new Error("there is a login");
    tokens.say(200, { access_token: "access-two", expires_in: 7200 });
    const both = await Promise.all([subscriptions.renewed("claude", first), subscriptions.renewed("claude", first)]);
    expect(both.map(({ value }) => value)).toEqual(["access-two", "access-two"]);
    expect(tokens.asked).toHaveLength(1);
    // One that came without a new refresh token keeps the one it has.
    expect(await subscriptions.values()).toEqual(["access-two", "refresh-one"]);
  });

  test("[BG20] what a person gives meanwhile is not overwritten", async () => {
    const subscriptions = await withClaude(nowMs + 1000);
    tokens.say(200, { access_token: "access-two", refresh_token: "refresh-two", expires_in: 60 });
    const release = tokens.hold();
    const asked = subscriptions.credentialOf("claude");
    const given = subscriptions.set("claude", claudeLogin("access-nine", "refresh-nine", nowMs + hourMs));
    release();
    await Promise.all([asked, given]);
    expect(await subscriptions.values()).toEqual(["access-nine", "refresh-nine"]);
  });

  test("[BG21] that is refused is not tried again until a person logs in, and says what to do", async () => {
    const subscriptions = await withClaude(nowMs - 1);
    tokens.say(400, { error: "invalid_grant", error_description: "refresh-one was used before" });
    const refused = await subscriptions.credentialOf("claude").catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "subscription-expired" });
    expect(String(refused)).toContain("(400: invalid_grant: [redacted] was used before)");
    expect(String(refused)).toContain("signalbox subscription add claude --from FILE");
    await expect(open().credentialOf("claude")).rejects.toMatchObject({ code: "subscription-expired" });
    expect(tokens.asked).toHaveLength(1);
    const [facts] = await subscriptions.list();
    expect([facts?.renews, facts?.refused]).toEqual([false, expect.stringContaining("400")]);
    await subscriptions.set("claude", claudeLogin("access-two", "refresh-two", nowMs + hourMs));
    expect(await subscriptions.credentialOf("claude")).toMatchObject({ value: "access-two" });
  });

  test("[BG21] that does not come about is an outage; what is still good is used, and nobody is asked too often", async () => {
    const subscriptions = await withClaude(nowMs + 60_000);
    tokens.say(503, {});
    expect(await subscriptions.credentialOf("claude")).toMatchObject({ value: "access-one" });
    at = nowMs + 61_000;
    tokens.say(503, {});
    await expect(subscriptions.credentialOf("claude")).rejects.toMatchObject({ code: "model-unreachable" });
    await expect(subscriptions.credentialOf("claude")).rejects.toMatchObject({ code: "model-unreachable" });
    expect(tokens.asked).toHaveLength(2);
    at += 10_000;
    tokens.say(200, { access_token: "access-two", expires_in: 7200 });
    expect(await subscriptions.credentialOf("claude")).toMatchObject({ value: "access-two" });
  });

  test("[BG21] without anything to renew it, a login ends", async () => {
    const subscriptions = await withClaude(nowMs + 60_000, null);
    expect(await subscriptions.credentialOf("claude")).toMatchObject({ value: "access-one" });
    at = nowMs + 61_000;
    await expect(subscriptions.credentialOf("claude")).rejects.toThrow("nothing came with it");
    expect(tokens.asked).toEqual([]);
  });
});
