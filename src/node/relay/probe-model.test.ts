import { afterAll, beforeAll, expect, test } from "vitest";
import { ModelServer } from "../../../test/support/model-server/model-server.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { Credential } from "./credentials.ts";
import { Credentials } from "./credentials.ts";
import { probeModel, type ProbeOptions } from "./probe-model.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await ModelServer.start(`
conversations:
  - { name: probe, match: { marker: Hi }, repeat: true, turns: [{ say: Hello. }] }
`);
});
afterAll(() => model.close());

const opencode = { name: "opencode", provider: null, presets: {} };
const codex = { name: "codex", provider: "openai", presets: {} } as const;
const mine = { name: "acp:mine", provider: "openai", presets: {} } as const;

function around(env: Record<string, string>, more: Partial<ProbeOptions> = {}): ProbeOptions {
  const places = {
    ANTHROPIC_BASE_URL: model.url,
    OPENAI_BASE_URL: `${model.url}/v1`,
    GOOGLE_GEMINI_BASE_URL: model.url,
  };
  return {
    credentials: new Credentials({ get: () => Promise.resolve(null) }, env),
    subscriptions: { credentialOf: () => Promise.resolve(null) },
    env: { ...places, ...env },
    ownOf: () => undefined,
    ...more,
  };
}

const last = (): { target: string; headers: object; body: unknown } => {
  const { target = "", headers = {}, body = "{}" } = model.received.at(-1) ?? {};
  return { target, headers, body: JSON.parse(body) as unknown };
};

const asOwn = { command: ["mine"], auth: null, env: {}, files: [], name: "acp:mine", credential: "MY_KEY" } as const;

test("a runner of several makers is probed at the one that is named, or the first that somebody pays", async () => {
  const paid = around({ OPENAI_API_KEY: "sk-openai-1", GEMINI_API_KEY: "gem-key-1" });
  expect(await probeModel(paid, opencode, null)).toEqual({ model: "gpt-5-nano", ok: true, status: 200, why: null });
  expect(last()).toMatchObject({ target: "/v1/responses", headers: { authorization: "Bearer sk-openai-1" } });
  expect(await probeModel(paid, opencode, "google/gemini-x")).toMatchObject({ model: "gemini-x", ok: true });
  expect(last().target).toBe("/v1beta/models/gemini-x:generateContent");
  expect((await probeModel(around({}), opencode, null)).why).toContain("no credential for any maker");
});

test("a runner of one's own is asked in its format, where its models are, with its credential", async () => {
  const there = around(
    { MY_KEY: "sk-mine-123", OPENAI_API_KEY: "sk-openai-1" },
    { ownOf: () => ({ ...asOwn, format: "openai-chat", baseUrl: `${model.url}/v1` }) },
  );
  expect(await probeModel(there, mine, "their-model")).toMatchObject({ model: "their-model", ok: true });
  expect(last()).toMatchObject({
    target: "/v1/chat/completions",
    headers: { authorization: "Bearer sk-mine-123" },
    body: { model: "their-model", max_completion_tokens: 1 },
  });
  const before = model.received.length;
  const unknown = await probeModel(there, mine, null);
  expect(unknown).toMatchObject({ model: null, ok: false, status: null });
  expect(unknown.why).toContain("signalbox runners probe acp:mine --model MODEL");
  const without = around({}, { ownOf: () => ({ ...asOwn, format: "openai-chat", baseUrl: null }) });
  expect((await probeModel(without, mine, null)).why).toContain("signalbox secret set MY_KEY");
  expect(model.received).toHaveLength(before);
});

test("[BG19] a login is tried as its program would use it, and one that is over says what to do", async () => {
  const login: Credential = {
    ...{ name: "codex", from: "subscription", value: "tok-codex-1", header: "authorization" },
    ...{ headerValue: "Bearer tok-codex-1", also: { "chatgpt-account-id": "a-7" }, beta: null },
    baseUrl: `${model.url}/v1`,
  };
  const by = (credentialOf: () => Promise<Credential>): ProbeOptions => around({}, { subscriptions: { credentialOf } });
  expect(
    await probeModel(
      by(() => Promise.resolve(login)),
      codex,
      "gpt-x",
    ),
  ).toMatchObject({ ok: true });
  expect(last()).toMatchObject({
    headers: { authorization: "Bearer tok-codex-1", "chatgpt-account-id": "a-7" },
    body: { model: "gpt-x", stream: true, store: false },
  });
  const over = by(() => Promise.reject(protocolError("subscription-expired", { runner: "codex", why: "x", how: "y" })));
  expect((await probeModel(over, codex, null)).why).toContain("signalbox subscription add codex");
});
