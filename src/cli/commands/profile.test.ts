import { expect, test } from "vitest";
import { tryCli } from "../testing/try-cli.ts";

const profile = { name: "own", settings: { runner: "claude", maxTimeMs: 600_000, maxCostMicros: 500_000 } };
const answers = { "profile.set": {}, "profile.get": { profile }, "profile.ensure": { profile, made: false } };

test("flags become settings, and the profile is shown", async () => {
  const words = ["--runner", "claude", "--fallback", "codex", "--fallback", "mcp", "--preset", "cheap"];
  const more = ["--max-turns", "9", "--max-time", "10m", "--deny-tool", "run_command", "--policy", "careful"];
  const last = ["--prompt", "Be brief.", "--env", "A=1=2", "--env", "B=", "--egress", "none", "--max-cost", "0.50"];
  const { calls, stdout } = await tryCli(["profile", "set", "own", ...words, ...more, ...last], answers);
  const settings = {
    runner: "claude",
    preset: "cheap",
    maxTurns: 9,
    policy: "careful",
    egress: "none",
    fallbacks: ["codex", "mcp"],
    maxTimeMs: 600_000,
    deniedTools: ["run_command"],
    prompt: ["Be brief."],
    env: { A: "1=2", B: "" },
    maxCostMicros: 500_000,
  };
  expect(calls[0]).toEqual(["profile.set", { name: "own", settings }]);
  expect(stdout).toContain("maxTime: 10m");
  expect(stdout).toContain("maxCost: $0.50");
});

test("[PF16] servers of tools are given by address or face, and shown", async () => {
  const mcpServers = { notes: { url: "https://notes.example/mcp" }, shop: { face: "shop-1/tools" } };
  const local = { command: ["docs", "--stdio"] };
  const kept = { name: "own", settings: { mcpServers: { ...mcpServers, local } } };
  const words = ["--mcp-server", "notes=https://notes.example/mcp", "--mcp-server", "shop=shop-1/tools"];
  const given = await tryCli(["profile", "set", "own", ...words], {
    "profile.set": {},
    "profile.get": { profile: kept },
  });
  expect(given.calls[0]).toEqual(["profile.set", { name: "own", settings: { mcpServers } }]);
  expect(given.stdout).toContain("server notes: https://notes.example/mcp");
  expect(given.stdout).toContain("server shop: the face shop-1/tools");
  expect(given.stdout).toContain("server local: docs --stdio");
  expect(await tryCli(["profile", "set", "own", "--mcp-server", "notes"])).toMatchObject({ exitCode: 2, calls: [] });
});

test("--ensure leaves what is there, and says so", async () => {
  const { calls, stderr } = await tryCli(["profile", "set", "own", "--ensure", "--runner", "mcp"], answers);
  expect(calls[0]?.[0]).toBe("profile.ensure");
  expect(stderr).toContain("stays as it is");
});

test("profiles are listed, and removed one by one", async () => {
  const { stdout } = await tryCli(["profile", "list"], { "profile.list": { profiles: [profile] } });
  expect(stdout).toMatch(/own +claude +maxTime: 10m; maxCost: \$0\.50/);
  const removed = await tryCli(["profile", "rm", "a", "b"], { "profile.remove": {} });
  expect(removed.calls).toEqual([
    ["profile.remove", { name: "a" }],
    ["profile.remove", { name: "b" }],
  ]);
});

test("[IM8] an image is named, built or left out, and shown", async () => {
  const settings = { image: { dockerfile: "box/Dockerfile" } };
  const answers = { "profile.set": {}, "profile.get": { profile: { name: "own", settings } } };
  const set = (...words: string[]): ReturnType<typeof tryCli> => tryCli(["profile", "set", "own", ...words], answers);
  const said = await set("--dockerfile", "box/Dockerfile");
  expect(said.calls[0]).toEqual(["profile.set", { name: "own", settings }]);
  expect(said.stdout).toContain("image: built from box/Dockerfile");
  expect((await set("--image", "none")).calls[0]).toEqual([
    "profile.set",
    { name: "own", settings: { image: "none" } },
  ]);
  expect(await set("--image", "a", "--dockerfile", "b")).toMatchObject({ exitCode: 2, calls: [] });
});

test("a variable is NAME=VALUE, and a run needs a runner, a profile or a script", async () => {
  expect(await tryCli(["profile", "set", "own", "--env", "=x"])).toMatchObject({ exitCode: 2, calls: [] });
  expect(await tryCli(["run", "title"])).toMatchObject({ exitCode: 2, calls: [] });
  const submit = { "run.submit": { run: "r_1", task: "t_1", door: null, warnings: [] } };
  const given = await tryCli(["run", "title", "--profile", "own", "--project", "p_1"], {
    ...submit,
    "project.list": { projects: [] },
    "project.get": { project: { id: "p_1" } },
  });
  expect(given.calls.at(-1)).toMatchObject(["run.submit", { title: "title", profile: "own" }]);
});

test("a command stands after --, and goes with its runner", async () => {
  const answers = {
    "run.submit": { run: "r_1", task: "t_1", door: null, warnings: [] },
    "project.get": { project: { id: "p_1" } },
  };
  const words = ["run", "tidy", "--runner", "command", "--project", "p_1", "--", "npm", "run", "--", "-x", ""];
  const { calls } = await tryCli(words, { ...answers, "project.list": { projects: [] } });
  expect(calls.at(-1)).toMatchObject(["run.submit", { runner: "command", command: ["npm", "run", "--", "-x", ""] }]);
  expect(await tryCli(["run", "tidy", "--runner", "command"])).toMatchObject({ exitCode: 2, calls: [] });
  expect(await tryCli(["run", "tidy", "--runner", "mcp", "--", "x"])).toMatchObject({ exitCode: 2, calls: [] });
  expect(await tryCli(["run", " ", "--runner", "mcp"])).toMatchObject({ exitCode: 2, calls: [] });
});
