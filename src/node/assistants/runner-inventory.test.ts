import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ModelServer } from "../../../test/support/model-server/model-server.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { ClaudeAssistant } from "../../adapters/assistant/claude/claude-assistant.ts";
import { Fault } from "../../base/fault.ts";
import { Credentials } from "../relay/credentials.ts";
import { providers } from "../relay/providers.ts";
import { findProgram, type FoundProgram } from "./find-program.ts";
import { ModelSources } from "./model-sources.ts";
import { RunnerInventory } from "./runner-inventory.ts";
import { Ways } from "./ways.ts";

const key = "sk-ant-canary-0123456789";
const claude = new ClaudeAssistant();
let model: ModelServer;

beforeAll(async () => {
  model = await ModelServer.start(`
conversations:
  - { name: probe, match: { marker: Hi }, turns: [{ say: Hello. }, { error: { status: 429 } }] }
`);
});
afterAll(() => model.close());

async function inventoryOf(version: string | null, env: Record<string, string>): Promise<RunnerInventory> {
  const bin = makeTempFolder();
  if (version !== null) await writeFile(join(bin, "claude"), `#!/bin/sh\necho ${version}\n`);
  if (version !== null) await chmod(join(bin, "claude"), 0o755);
  const programOf = async (): Promise<FoundProgram> => {
    const found = await findProgram("claude", [bin]);
    if (found === undefined)
      throw new Fault("runner-missing", { retry: "never", message: `get it: ${claude.install}` });
    return found;
  };
  const credentials = new Credentials({ get: () => Promise.resolve(null) }, env);
  const subscriptions = { has: () => Promise.resolve(false), credentialOf: () => Promise.resolve(null) };
  return new RunnerInventory({
    own: { script: {} },
    assistants: () => [claude],
    ways: new Ways(bin),
    ground: bin,
    programOf,
    models: new ModelSources({ credentials, subscriptions, env, said: () => undefined }),
  });
}

test("says what is installed, what it can do, and where its credential is from", async () => {
  const inventory = await inventoryOf("2.1.300", { ANTHROPIC_API_KEY: key });
  const [script, found] = await inventory.list();
  expect(script).toMatchObject({ name: "script", kind: "built-in", missing: null, credential: null });
  expect(found).toMatchObject({
    name: "claude",
    version: "2.1.300",
    warning: null,
    missing: null,
    can: { resume: true },
    credential: { name: "ANTHROPIC_API_KEY", from: "environment" },
  });
  expect(found?.path).toMatch(/claude$/);
  expect(JSON.stringify(await inventory.list())).not.toContain(key);
  expect(await inventory.missing("claude")).toBeNull();
});

test.each([
  ["1.9.9", "older"],
  ["99.0.0", "newer"],
  ["none", "does not say"],
])("warns of version %s: it is %s", async (version, words) => {
  const found = (await (await inventoryOf(version, {})).list()).at(-1);
  expect(found?.warning).toContain(words);
});

test("[RN41, AW18] says why a run of it would fail before it began, and what to do", async () => {
  expect(await (await inventoryOf(null, {})).whyNot("claude")).toContain("npm install");
  expect(await (await inventoryOf("2.1.325", {})).whyNot("claude")).toContain("signalbox secret set ANTHROPIC_API_KEY");
  expect(await (await inventoryOf("2.1.325", { ANTHROPIC_API_KEY: key })).whyNot("claude")).toBeNull();
  expect(await (await inventoryOf("2.1.325", {})).whyNot("script")).toBeNull();
});

test("says how to get what is missing", async () => {
  const inventory = await inventoryOf(null, {});
  expect(await inventory.missing("claude")).toContain("npm install");
  const found = (await inventory.list()).at(-1);
  expect(found?.path).toBeNull();
  expect(found?.missing).toContain("npm install");
});

test("a probe asks the model for one token, and says what is in the way", async () => {
  const inventory = await inventoryOf("2.1.300", { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: model.url });
  expect(await inventory.probe("claude", null)).toEqual({
    model: providers.anthropic.presets.cheap,
    ok: true,
    status: 200,
    why: null,
  });
  expect(JSON.parse(model.received[0]?.body ?? "{}")).toMatchObject({
    max_tokens: 1,
    model: providers.anthropic.presets.cheap,
  });
  expect(await inventory.probe("claude", null)).toMatchObject({ ok: false, status: 429 });
  const without = await inventoryOf("2.1.300", {});
  expect((await without.probe("claude", null))?.why).toContain("secret set");
  const gone = await inventoryOf("2.1.300", { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: "http://127.0.0.1:1" });
  expect(await gone.probe("claude", null)).toMatchObject({ ok: false, status: null });
  expect(await inventory.probe("script", null)).toBeNull();
});
