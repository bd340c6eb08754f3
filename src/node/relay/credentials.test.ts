import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { modelCredentials } from "../../protocol/template/check-secrets.ts";
import { Credentials } from "./credentials.ts";
import { providers } from "./providers.ts";

test("[BG18] the store goes before a file, and a file before the environment", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "sbk-"));
  const file = path.join(folder, "key");
  await writeFile(file, "from-a-file\n");
  const kept = new Map([["ANTHROPIC_AUTH_TOKEN", "from-the-store"]]);
  const secrets = { get: (name: string) => Promise.resolve(kept.get(name) ?? null) };
  const env = { ANTHROPIC_API_KEY: "from-env", ANTHROPIC_API_KEY_FILE: file, GEMINI_API_KEY: "bad\nkey" };
  const credentials = new Credentials(secrets, env);
  expect(await credentials.of("anthropic")).toMatchObject({
    from: "store",
    header: "authorization",
    headerValue: "Bearer from-the-store",
  });
  kept.clear();
  expect(await credentials.of("anthropic")).toMatchObject({ from: "file", value: "from-a-file", header: "x-api-key" });
  await rm(folder, { recursive: true });
  expect(await credentials.describe("anthropic")).toEqual({ name: "ANTHROPIC_API_KEY", from: "environment" });
  expect(await credentials.outside()).toEqual([{ name: "ANTHROPIC_API_KEY", from: "environment" }]);
  expect([await credentials.describe("openai"), await credentials.describe("gemini")]).toEqual([null, null]);
});

test("[AW3] no template may name what pays for models", () => {
  const names = Object.values(providers).flatMap(({ credentials }) => credentials.map(({ name }) => name));
  expect(modelCredentials.toSorted()).toEqual(names.toSorted());
});
