// Runners over the real socket: what is there, and what is missing.

import { afterAll, beforeAll, expect, test } from "vitest";
import { ClaudeAssistant } from "../../src/adapters/assistant/claude/claude-assistant.ts";
import { Fault } from "../../src/base/fault.ts";
import { RunnerInventory } from "../../src/node/assistants/runner-inventory.ts";
import { Ways } from "../../src/node/assistants/ways.ts";
import { type FaceWorld, openFaceWorld } from "../support/faces/face-world.ts";

let world: FaceWorld;
let project: string;

beforeAll(async () => {
  const inventory = new RunnerInventory({
    own: { script: {}, mcp: {} },
    assistants: () => [new ClaudeAssistant()],
    ways: new Ways(),
    programOf: () => Promise.reject(new Fault("runner-missing", { retry: "never", message: "install it with: this" })),
    models: {
      credentialOf: () => Promise.resolve({ name: "ANTHROPIC_API_KEY", from: "store" }),
      presetsOf: ({ name }) => Promise.resolve(world.engine.state.presets.get(name) ?? {}),
      probe: () => Promise.resolve({ model: "small", ok: true, status: 200, why: null }),
    },
  });
  world = await openFaceWorld({ inventory, runners: ["script", "mcp", "claude"] });
  ({ project } = await world.http.call("project.add", { root: world.folder, name: "shop" }));
});
afterAll(() => world.close());

test("runners are listed with what is missing, and a credential by its name alone", async () => {
  const { runners } = await world.lines.call("runner.list", {});
  expect(runners.map(({ name }) => name)).toEqual(["script", "mcp", "claude"]);
  expect(runners[2]).toMatchObject({
    kind: "assistant",
    missing: "install it with: this",
    credential: { name: "ANTHROPIC_API_KEY", from: "store" },
  });
});

test("a run whose runner is not there is refused at once, and nothing is recorded", async () => {
  const before = world.stateText();
  const submitted = world.http.call("run.submit", { project, title: "t", runner: "claude" });
  await expect(submitted).rejects.toThrow("install it with: this");
  expect(world.stateText()).toBe(before);
});

test("[RN41] a run that is taken in says what it will fail for or lack, and no more when that is mended", async () => {
  const facts = await openFaceWorld();
  try {
    await facts.http.call("project.add", { root: facts.folder, name: "shop" });
    const codes = async (more: object): Promise<string[]> => {
      const { warnings } = await facts.http.call("run.submit", { project: "shop", title: "t", ...more });
      return warnings.map(({ code }) => code);
    };
    expect(await codes({ runner: "claude" })).toEqual(["credential-missing", "version-untried", "no-test"]);
    expect(await codes({ runner: "mcp" })).toEqual(["no-test"]);
    expect(await codes({ runner: "mcp", acceptance: ["true"] })).toEqual([]);
    await facts.http.call("project.change", { project: "shop", landingTest: ["true"] });
    expect(await codes({ runner: "mcp" })).toEqual([]);
    const { warnings } = await facts.http.call("run.submit", { project: "shop", title: "t", runner: "claude" });
    expect(warnings[0]?.message).toContain("signalbox secret set ANTHROPIC_API_KEY");
  } finally {
    await facts.close();
  }
});

test("[RN41] a run that the next of its profile does says whom it would have had, and why not", async () => {
  await world.http.call("profile.set", { name: "two", settings: { runner: "claude", fallbacks: ["mcp"] } });
  const { warnings } = await world.http.call("run.submit", {
    project,
    title: "t",
    profile: "two",
    acceptance: ["true"],
  });
  expect(warnings).toEqual([{ code: "runner-missing", message: "install it with: this. mcp does it instead." }]);
});

test("a probe wants a runner that is there and has a model", async () => {
  await expect(world.http.call("runner.probe", { runner: "claude" })).rejects.toMatchObject({ code: "runner-missing" });
  await expect(world.http.call("runner.probe", { runner: "script" })).rejects.toMatchObject({ code: "no-model" });
  await expect(world.http.call("runner.probe", { runner: "nobody" })).rejects.toMatchObject({ code: "not-found" });
});

test("[PF15] people say what a preset means to a runner that asks models", async () => {
  const set = (runner: string, model: string | null) =>
    world.http.call("runner.preset", { runner, preset: "cheap", model });
  await expect(set("script", "m")).rejects.toMatchObject({ code: "no-model" });
  await expect(set("nobody", "m")).rejects.toMatchObject({ code: "not-found" });
  await expect(set("claude", null)).rejects.toMatchObject({ code: "not-found" });
  expect(await set("claude", "house-model")).toEqual({ presets: { cheap: "house-model" } });
  expect(await set("claude", null)).toEqual({ presets: {} });
});

test("[PF9] people define runners, models do not, and no secret stands in one", async () => {
  const mine = { name: "mine", command: ["my-agent", "--acp"], format: "anthropic" as const };
  await world.http.call("secret.set", { name: "OWN_KEY", value: "own-secret-4711" });
  const withSecret = { ...mine, files: [{ path: "s", text: "key=own-secret-4711" }] };
  await expect(world.http.call("runner.set", withSecret)).rejects.toMatchObject({ code: "secret-in-plain" });
  for (const files of [[{ path: "/etc/x", text: "" }], [{ path: "a/../../x", text: "" }]])
    await expect(world.http.call("runner.set", { ...mine, files })).rejects.toMatchObject({ code: "bad-input" });
  await expect(world.http.call("runner.set", { ...mine, command: ["/bin/sh"] })).rejects.toThrow("by its name");
  await world.http.call("runner.set", mine);
  await world.http.call("profile.set", { name: "own", settings: { runner: "acp:mine" } });
  await expect(world.http.call("runner.remove", { name: "mine" })).rejects.toMatchObject({ code: "in-use" });
  await world.http.call("profile.remove", { name: "own" });
  await world.http.call("runner.remove", { name: "mine" });
  await expect(world.http.call("run.submit", { project, title: "t", runner: "acp:mine" })).rejects.toMatchObject({
    code: "not-found",
  });
});
