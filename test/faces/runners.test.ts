// Runners over the real socket: what is there, and what is missing.

import { afterAll, beforeAll, expect, test } from "vitest";
import { ClaudeAssistant } from "../../src/adapters/assistant/claude/claude-assistant.ts";
import { Fault } from "../../src/base/fault.ts";
import { RunnerInventory } from "../../src/node/assistants/runner-inventory.ts";
import { Ways } from "../../src/node/assistants/ways.ts";
import { FaceNode } from "../support/faces/face-node.ts";
import { type FaceWorld, openFaceWorld } from "../support/faces/face-world.ts";

let world: FaceWorld;
let project: string;

beforeAll(async () => {
  const inventory = new RunnerInventory({
    own: { script: {}, mcp: {} },
    assistants: () => [new ClaudeAssistant()],
    ways: new Ways("/nowhere"),
    ground: "/nowhere",
    programOf: () => Promise.reject(new Fault("runner-missing", { retry: "never", message: "install it with: this" })),
    models: {
      credentialOf: () => Promise.resolve({ name: "ANTHROPIC_API_KEY", from: "store" }),
      lackOf: () => Promise.resolve(null),
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
    expect(await codes({ runner: "claude" })).toEqual(["version-untried", "no-test"]);
    expect(await codes({ runner: "mcp" })).toEqual(["no-test"]);
    expect(await codes({ runner: "mcp", acceptance: ["true"] })).toEqual([]);
    await facts.http.call("project.change", { project: "shop", landingTest: ["true"] });
    expect(await codes({ runner: "mcp" })).toEqual([]);
  } finally {
    await facts.close();
  }
});

test("[RN41, PF3] a run for whose models nobody pays is refused at once, with what to do, unless another of its profile can", async () => {
  const models = {
    credentialOf: () => Promise.resolve(null),
    lackOf: () => Promise.resolve({ provider: "anthropic", name: "ANTHROPIC_API_KEY" }),
    presetsOf: () => Promise.resolve({}),
    probe: () => Promise.reject(new Error("nobody asks")),
  };
  const unpaid = new RunnerInventory({
    ...{
      own: { script: {}, mcp: {} },
      assistants: () => [new ClaudeAssistant()],
      ways: new Ways("/nowhere"),
      ground: "/nowhere",
      models,
    },
    programOf: () => Promise.resolve({ file: process.execPath, folder: "/" }),
  });
  const facts = await openFaceWorld({ inventory: unpaid });
  try {
    await facts.http.call("project.add", { root: facts.folder, name: "shop" });
    await facts.http.call("profile.set", { name: "two", settings: { runner: "claude", fallbacks: ["mcp"] } });
    const submit = (more: object) => facts.http.call("run.submit", { project: "shop", title: "t", ...more });
    const before = facts.stateText();
    await expect(submit({ runner: "claude" })).rejects.toMatchObject({
      code: "credential-missing",
      message: expect.stringContaining("signalbox secret set ANTHROPIC_API_KEY") as string,
    });
    expect(facts.stateText()).toBe(before);
    const { warnings } = await submit({ profile: "two", acceptance: ["true"] });
    expect(warnings).toEqual([
      { code: "credential-missing", message: expect.stringMatching(/mcp does it instead\.$/) as string },
    ]);
  } finally {
    await facts.close();
  }
});

test("[RN41] a run whose models nobody pays for any more is neither tried again nor continued, forked or sent back, and nothing is recorded", async () => {
  let lack: { provider: string; name: string } | null = null;
  const models = {
    credentialOf: () => Promise.resolve(null),
    lackOf: () => Promise.resolve(lack),
    presetsOf: () => Promise.resolve({}),
    probe: () => Promise.reject(new Error("nobody asks")),
  };
  const inventory = new RunnerInventory({
    ...{
      own: { script: {}, mcp: {} },
      assistants: () => [new ClaudeAssistant()],
      ways: new Ways("/nowhere"),
      ground: "/nowhere",
      models,
    },
    programOf: () => Promise.resolve({ file: process.execPath, folder: "/" }),
  });
  const facts = await openFaceWorld({ inventory });
  try {
    const node = new FaceNode(facts);
    await facts.http.call("project.add", { root: facts.folder, name: "shop" });
    await facts.http.call("profile.set", { name: "two", settings: { runner: "claude", fallbacks: ["mcp"] } });
    const submit = async (more: object): Promise<string> =>
      (await facts.http.call("run.submit", { project: "shop", title: "t", ...more })).run;
    const stopped = await submit({ runner: "claude" });
    const backed = await submit({ profile: "two" });
    for (const run of [stopped, backed]) await facts.http.call("run.stop", { run });
    const done = await submit({ runner: "claude" });
    await node.start(done);
    const step = await node.command(done, "looked\n");
    await node.finish(done);
    await facts.http.call("policy.set", { name: "careful", rules: { approvalRequired: true } });
    const shown = await submit({ runner: "claude" });
    await node.start(shown);
    await node.write(shown, { "a.txt": "a\n" });
    await node.finish(shown);
    lack = { provider: "anthropic", name: "ANTHROPIC_API_KEY" };
    const before = facts.stateText();
    const refused = {
      code: "credential-missing",
      message: expect.stringContaining("signalbox secret set ANTHROPIC_API_KEY") as string,
    };
    await expect(facts.http.call("run.retry", { run: stopped })).rejects.toMatchObject(refused);
    await expect(facts.http.call("run.continue", { run: done, message: "on" })).rejects.toMatchObject(refused);
    await expect(facts.http.call("run.fork", { run: done, step })).rejects.toMatchObject(refused);
    const back = { run: shown, message: "more" };
    await expect(facts.http.call("run.return", back)).rejects.toMatchObject(refused);
    // What is wrong with a run itself is said first.
    await expect(facts.http.call("run.retry", { run: done })).rejects.toMatchObject({ code: "wrong-state" });
    expect(facts.stateText()).toBe(before);
    await facts.http.call("run.retry", { run: backed });
    lack = null;
    await facts.http.call("run.return", back);
    await facts.http.call("run.retry", { run: stopped });
    await facts.http.call("run.fork", { run: done, step });
    await facts.http.call("run.continue", { run: done, message: "on" });
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
  expect(warnings).toEqual([
    { code: "runner-missing", message: "The runner cannot work here: install it with: this. mcp does it instead." },
  ]);
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
