// Prices, cost and secrets over the real socket.

import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProtocolError } from "../../src/protocol/errors.ts";
import { type FaceWorld, openFaceWorld } from "../support/faces/face-world.ts";
import { claudeLogin } from "../support/token-server.ts";
import { toSubmit } from "../support/engine-rig.ts";

let world: FaceWorld;
let run: string;
const canary = "sk-canary-0123456789";

beforeAll(async () => {
  world = await openFaceWorld();
  const { project } = await world.http.call("project.add", { root: world.folder, name: "shop" });
  const outcome = await world.submit(toSubmit(project, { profile: "fast" }));
  run = outcome.ok && outcome.value.of === "id" ? outcome.value.id : "";
  await world.submit({ type: "run.driven", run, family: `${run}.1` });
});
afterAll(() => world.close());

/** One request and its answer, past the relay. */
async function spend(key: string, model: string): Promise<void> {
  const about = { key, provider: "openai", model, credential: "store:OPENAI_API_KEY" };
  const asked = await world.submit({ type: "model.request", run, ...about, inputTokens: 1000, outputTokens: 1000 });
  const request = asked.ok && asked.value.of === "id" ? asked.value.id : "";
  const usage = { inputTokens: 100, outputTokens: 50, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const came = { model: null, extent: "whole", status: 200, artifact: null } as const;
  await world.submit({ type: "model.answer", request, ...usage, ...came });
}

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "none",
    (error: unknown) => (error instanceof ProtocolError ? error.code : String(error)),
  );

test("prices are set, listed before the built-in ones, and removed", async () => {
  await world.http.call("price.set", { model: "house-model", inputMicros: 2_000_000, outputMicros: 4_000_000 });
  const { prices } = await world.lines.call("price.list", {});
  expect(prices[0]).toEqual({
    model: "house-model",
    inputMicros: 2_000_000,
    outputMicros: 4_000_000,
    cacheReadMicros: 2_000_000,
    cacheWriteMicros: 2_000_000,
    from: "person",
  });
  expect(prices.some(({ model, from }) => model === "gpt-5" && from === "built-in")).toBe(true);
  expect(await codeOf(world.http.call("price.remove", { model: "gpt-5" }))).toBe("in-use");
  expect(await codeOf(world.http.call("price.remove", { model: "unheard-of" }))).toBe("not-found");
  await world.http.call("price.set", { model: "passing", inputMicros: 0, outputMicros: 0 });
  await world.http.call("price.remove", { model: "passing" });
});

test("[BG22] cost is told apart by all that a run belongs to, and a run shows its own", async () => {
  await spend("1", "house-model");
  await spend("2", "homemade");
  const rowsBy = async (by: "project" | "profile" | "runner" | "model" | "agent" | "user" | "run"): Promise<object[]> =>
    (await world.http.call("cost", { by })).rows.map((row) => ({ [row.name]: row.spend.costMicros }));
  expect(await rowsBy("project")).toEqual([{ shop: 400 }]);
  expect(await rowsBy("profile")).toEqual([{ fast: 400 }]);
  expect(await rowsBy("runner")).toEqual([{ script: 400 }]);
  expect(await rowsBy("model")).toEqual([{ "house-model": 400 }, { homemade: 0 }]);
  expect(await rowsBy("agent")).toEqual([{ none: 400 }]);
  const { run: whose } = await world.lines.call("run.get", { run });
  expect(await rowsBy("user")).toEqual([{ [whose.user]: 400 }]);
  expect(await rowsBy("run")).toEqual([{ [run]: 400 }]);
  const { rows: tasks } = await world.http.call("cost", { by: "task" });
  expect(tasks).toMatchObject([{ name: whose.task, title: whose.title, spend: { requests: 2, costMicros: 400 } }]);
  expect(await codeOf(world.http.call("cost", { by: "run", days: 7 }))).toBe("bad-input");
  const { rows, total } = await world.http.call("cost", { by: "day", days: 1, project: "shop" });
  expect(rows.map(({ name }) => name)).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]);
  expect(total).toMatchObject({ requests: 2, unpriced: 1, costMicros: 400 });
  await world.http.call("policy.set", { name: "thrift", rules: { maxRunCostMicros: 5000 } });
  const { run: own } = await world.http.call("cost", { run });
  const budget = { rule: "maxRunCostMicros", policy: "thrift", limitMicros: 5000, spentMicros: 400, reservedMicros: 0 };
  expect(own).toMatchObject({ run, tree: run, spend: { costMicros: 400 }, ownCostMicros: null, budgets: [budget] });
  const { run: shown } = await world.lines.call("run.get", { run });
  expect(shown).toMatchObject({ spend: { costMicros: 400 }, treeSpend: { requests: 2 }, modelRefused: null });
  expect(await codeOf(world.http.call("cost", { run: "r_zz" }))).toBe("not-found");
});

test("[BG17] [BG19] a login goes in, is no secret that has a name, and never comes out", async () => {
  const file = claudeLogin(canary, `${canary}-refresh`, 7_200_000);
  await world.http.call("subscription.set", { runner: "claude", file });
  const { subscriptions } = await world.lines.call("subscription.list", {});
  expect(subscriptions).toEqual([
    {
      ...{ runner: "claude", setAt: "1970-01-01T00:00:00.000Z", expiresAt: "1970-01-01T02:00:00.000Z" },
      ...{ renewedAt: null, renews: true, refused: null, usedAtMs: null },
    },
  ]);
  const { secrets } = await world.http.call("secret.list", {});
  expect(secrets.map(({ from }) => from)).toEqual(["environment"]);
  const withToken = { name: "loud", settings: { prompt: [`Use ${canary}-refresh.`] } };
  expect(await codeOf(world.http.call("profile.set", withToken))).toBe("secret-in-plain");
  const answers = [
    subscriptions,
    await readFile(`${world.home}/secrets.json`, "utf8"),
    await world.store.read(0, 1000),
    await world.http.call("subscription.set", { runner: "codex", file }).catch(String),
    await world.http.call("subscription.set", { runner: "gemini" as never, file }).catch(String),
    await world.http.call("subscription.set", { runner: "claude", file: { canary } as never }).catch(String),
  ];
  expect(JSON.stringify(answers)).not.toContain(canary);
  await world.http.call("subscription.remove", { runner: "claude" });
  expect(await codeOf(world.http.call("subscription.remove", { runner: "claude" }))).toBe("not-found");
});

test("[BG17] a secret goes in and never comes out", async () => {
  await world.http.call("secret.set", { name: "OPENAI_API_KEY", value: canary });
  const { secrets } = await world.http.call("secret.list", {});
  expect(secrets).toMatchObject([
    { name: "OPENAI_API_KEY", from: "store", setAt: "1970-01-01T00:00:00.000Z" },
    { name: "OPENAI_API_KEY", from: "environment", setAt: null, usedAtMs: null },
  ]);
  expect(secrets[0]?.usedAtMs).toBeGreaterThan(0);
  const answers = [
    secrets,
    await readFile(`${world.home}/secrets.json`, "utf8"),
    world.stateText(),
    await world.store.read(0, 1000),
    await world.http.call("secret.set", { name: "lower", value: canary }).catch(String),
    await world.http.call("secret.set", { name: "A", value: canary.repeat(2000) }).catch(String),
    await world.http.call("secret.set", { name: "A", value: [canary] as never }).catch(String),
    await world.http.call("secret.set", { name: "A", value: { canary } as never }).catch(String),
  ];
  expect(JSON.stringify(answers)).not.toContain(canary);
  expect(await codeOf(world.http.call("secret.set", { name: "A", value: "short" }))).toBe("bad-input");
  await world.lines.call("secret.remove", { name: "OPENAI_API_KEY" });
  expect(await codeOf(world.lines.call("secret.remove", { name: "OPENAI_API_KEY" }))).toBe("not-found");
});
