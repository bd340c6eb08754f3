// Profiles over the real socket, and what becomes of runs that name one.

import net from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ClaudeAssistant } from "../../src/adapters/assistant/claude/claude-assistant.ts";
import { Fault } from "../../src/base/fault.ts";
import { RunnerInventory } from "../../src/node/assistants/runner-inventory.ts";
import { Ways } from "../../src/node/assistants/ways.ts";
import { connectLines } from "../../src/client/client.ts";
import { ProtocolError } from "../../src/protocol/errors.ts";
import { type FaceWorld, openFaceWorld } from "../support/faces/face-world.ts";

let world: FaceWorld;
let project: string;

beforeAll(async () => {
  const inventory = new RunnerInventory({
    own: { script: {}, mcp: {} },
    assistants: () => [new ClaudeAssistant()],
    ways: new Ways("/nowhere"),
    ground: "/nowhere",
    programOf: () => Promise.reject(new Fault("runner-missing", { retry: "never", message: "it is not here" })),
    models: {
      credentialOf: () => Promise.resolve(null),
      lackOf: () => Promise.resolve(null),
      presetsOf: () => Promise.resolve({}),
      probe: () => Promise.reject(new Error("nobody is asked")),
    },
  });
  world = await openFaceWorld({ inventory, runners: ["script", "mcp", "claude"] });
  ({ project } = await world.http.call("project.add", { root: world.folder, name: "shop" }));
  await world.http.call("secret.set", { name: "OPENAI_API_KEY", value: "kept-inside-4567" });
});
afterAll(() => world.close());

/** Asks as a model does. */
async function askAsModel(name: string, args: Record<string, unknown>): Promise<string> {
  const client = new Client({ name: "somebody", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${world.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.server.url}/mcp`), { requestInit }));
  const { content } = await client.callTool({ name, arguments: args });
  await client.close();
  return (content as { text: string }[])[0]?.text ?? "";
}

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "none",
    (error: unknown) => (error instanceof ProtocolError ? error.code : String(error)),
  );

test("a profile is set, shown, listed, ensured and removed", async () => {
  await world.http.call("profile.set", { name: "b", settings: { runner: "mcp", maxTurns: 3 } });
  const { made, profile } = await world.lines.call("profile.ensure", { name: "b", settings: { maxTurns: 9 } });
  expect([made, profile.settings.maxTurns]).toEqual([false, 3]);
  expect(await world.http.call("profile.ensure", { name: "a", settings: {} })).toEqual({
    made: true,
    profile: { name: "a", settings: {} },
  });
  const { profiles } = await world.lines.call("profile.list", {});
  expect(profiles.map(({ name }) => name)).toEqual(["a", "b"]);
  await world.http.call("profile.remove", { name: "a" });
  expect(await codeOf(world.http.call("profile.get", { name: "a" }))).toBe("not-found");
});

test.each([
  [{ runner: "nobody" }, "not-found"],
  [{ runner: "mcp", fallbacks: ["nobody"] }, "not-found"],
  [{ deniedTools: ["no_such_tool"] }, "not-found"],
  [{ policy: "gone" }, "not-found"],
  [{ model: "m" }, "bad-input"],
  [{ fallbacks: ["mcp"] }, "bad-input"],
  [{ allowedTools: [] }, "bad-input"],
  [{ allowedTools: ["claim"], deniedTools: ["claim"] }, "bad-input"],
  [{ env: { "A-B": "x" } }, "bad-input"],
])("%j is refused as %s", async (settings, code) => {
  const before = world.stateText();
  expect(await codeOf(world.http.call("profile.set", { name: "bad", settings }))).toBe(code);
  expect(world.stateText()).toBe(before);
});

test("[PF7] a secret, or what looks like one, is refused and not repeated", async () => {
  const texts = ["kept-inside-4567", "kept-outside-0123", `ghp_${"x".repeat(36)}`];
  for (const text of texts) {
    for (const settings of [{ env: { TOKEN: `a ${text}` } }, { prompt: ["Be brief.", text] }]) {
      const refused = await world.http.call("profile.set", { name: "bad", settings }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: "secret-in-plain" });
      expect(String(refused)).not.toContain(text);
    }
  }
  expect(world.stateText()).not.toContain("ghp_");
});

test("[PF3] a run has its profile's runner, or the first fallback that is there", async () => {
  await world.http.call("profile.set", { name: "own", settings: { runner: "claude", fallbacks: ["mcp"] } });
  const { run } = await world.http.call("run.submit", { project, title: "t", profile: "own" });
  const { run: shown } = await world.http.call("run.get", { run });
  expect(shown).toMatchObject({ runner: "mcp", profile: "own", settings: { runner: "claude", fallbacks: ["mcp"] } });
  const named = world.http.call("run.submit", { project, title: "t", profile: "own", runner: "claude" });
  expect(await codeOf(named)).toBe("runner-missing");
  expect(await codeOf(world.http.call("run.submit", { project, title: "t", profile: "nobodys" }))).toBe("not-found");
});

test("[PF8] the network is for people to speak of, and counts where nobody says otherwise", async () => {
  await world.http.call("profile.set", { name: "online", settings: { runner: "mcp", egress: "open" } });
  const egressOf = async (more: object): Promise<string> => {
    const { run } = await world.http.call("run.submit", { project, title: "t", profile: "online", ...more });
    return (await world.http.call("run.get", { run })).run.egress;
  };
  expect(await egressOf({})).toBe("open");
  expect(await egressOf({ egress: "none" })).toBe("none");
  expect(await askAsModel("profile_set", { name: "online", settings: { egress: "none" } })).toContain("forbidden");
  const submitted = await askAsModel("run_submit", { project, title: "t", profile: "online" });
  const { run } = JSON.parse(submitted) as { run: string };
  expect((await world.http.call("run.get", { run })).run.egress).toBe("list");
});

test("[PF13, AW18] a model makes profiles and changes none that is there, and nobody takes the key of an assistant", async () => {
  await world.http.call("profile.set", { name: "careful", settings: { runner: "mcp", deniedTools: ["run_command"] } });
  expect(await askAsModel("profile_set", { name: "careful", settings: {} })).toContain("forbidden");
  const taken = { project, title: "t", runner: "mcp", key: "assistant:a_1@1" };
  expect(await codeOf(world.http.call("run.submit", taken))).toBe("bad-input");
  const { profile } = await world.http.call("profile.get", { name: "careful" });
  expect(profile.settings.deniedTools).toEqual(["run_command"]);
  expect(await askAsModel("profile_set", { name: "of-a-model", settings: { runner: "mcp" } })).not.toContain(
    "forbidden",
  );
});

test("[PF21] a limit of a profile is raised for a run by a person, and refused to a model and where there is nothing to raise", async () => {
  await world.http.call("profile.set", { name: "few", settings: { runner: "mcp", maxTurns: 3 } });
  const { run } = await world.http.call("run.submit", { project, title: "few turns", profile: "few" });
  const model = connectLines({ open: () => net.connect(world.server.socket ?? ""), face: "mcp" });
  const raise = { run, limit: "maxTurns", to: 5 } as const;
  await expect(model.call("run.raise", raise)).rejects.toMatchObject({ code: "forbidden" });
  model.close();
  await world.lines.call("run.raise", raise);
  expect((await world.http.call("run.get", { run })).run.settings?.maxTurns).toBe(5);
  expect((await world.http.call("profile.get", { name: "few" })).profile.settings.maxTurns).toBe(3);
  const sentence = async (more: object): Promise<string> =>
    await world.http.call("run.raise", { ...raise, ...more }).then(
      () => "raised",
      (error: unknown) => (error instanceof ProtocolError ? `${error.code}: ${error.message}` : String(error)),
    );
  expect(await sentence({})).toBe(
    `not-higher: The maxTurns of run ${run} is 5 now, and 5 is not more. Name more, or pause the run to have it spend no more.`,
  );
  expect(await sentence({ limit: "maxCostMicros", to: 2_000_000 })).toMatch(/^no-limit: Run \S+ has no maxCostMicros/);
  expect(await sentence({ limit: "maxTimeMs" })).toMatch(/^bad-input: /);
  expect(await sentence({ to: 100_001 })).toMatch(/^bad-input: .*no more than 100000 turns/);
  await world.http.call("run.stop", { run });
  expect(await sentence({ to: 9 })).toMatch(/^wrong-state: .*is terminated; this needs a run that is not over/);
});
