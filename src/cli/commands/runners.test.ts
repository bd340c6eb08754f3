import { expect, test } from "vitest";
import { tryCli } from "../testing/try-cli.ts";

const can = { streaming: true, resume: true, interrupt: false, steer: false, cost: false, subagents: false };
const nowhere = {
  path: null,
  version: null,
  tried: null,
  warning: null,
  missing: null,
  provider: null,
  way: null,
  presets: {},
  own: null,
};
const script = { name: "script", kind: "built-in", ...nowhere, can: {}, credential: null };
const claude = {
  ...script,
  name: "claude",
  kind: "assistant",
  can: { ...can, models: true },
  provider: "anthropic",
  path: "/bin/claude",
  version: "9.0.0",
  warning: "9.0.0 is newer than what was tried",
  credential: { name: "ANTHROPIC_API_KEY", from: "environment" },
};
const codex = { ...claude, name: "codex", credential: null, warning: null, missing: "install it with: npm i codex" };

test("runners are a table, with a remark for what is new or missing", async () => {
  const answers = { "runner.list": { runners: [script, claude, codex] } };
  const { stdout, stderr } = await tryCli(["runners"], answers);
  expect(stdout).toMatch(/script +built in/);
  expect(stdout).toMatch(/claude +9\.0\.0 +ANTHROPIC_API_KEY \(environment\) +streaming, resume, models/);
  expect(stdout).toMatch(/codex +missing +none for anthropic +nothing until it is installed\n/);
  expect(stderr).toContain("claude: 9.0.0 is newer");
  expect(stderr).toContain("codex: install it with: npm i codex");
});

test("one that is not installed is shown with what to do, and not with what it could do", async () => {
  const { stdout } = await tryCli(["runners", "show", "codex"], { "runner.list": { runners: [codex] } });
  expect(stdout).toMatch(/missing +install it with: npm i codex\n/);
  expect(stdout).not.toContain("streaming");
});

test("a probe ends with 0 when the model answers, and says why when it does not", async () => {
  const good = await tryCli(["runners", "probe", "claude"], {
    "runner.probe": { ok: true, model: "m", status: 200, why: null },
  });
  expect([good.exitCode, good.stdout]).toEqual([0, "claude: m answers.\n"]);
  const bad = await tryCli(["runners", "probe", "claude"], {
    "runner.probe": { ok: false, model: "m", status: 401, why: "no such key" },
  });
  expect([bad.exitCode, bad.stdout]).toEqual([1, "claude: m does not answer (401): no such key\n"]);
  const named = await tryCli(["runners", "probe", "acp:mine", "--model", "m"], {
    "runner.probe": { ok: false, model: null, status: null, why: "name one" },
  });
  expect(named.calls).toEqual([["runner.probe", { runner: "acp:mine", model: "m" }]]);
  expect([named.exitCode, named.stdout]).toEqual([1, "acp:mine: no model was asked: name one\n"]);
  expect(await tryCli(["runners", "probe"])).toMatchObject({ exitCode: 2, calls: [] });
  expect(await tryCli(["runners", "test"])).toMatchObject({ exitCode: 2, calls: [] });
});

test("one whose program can be spoken to in several ways is shown with the one that is used", async () => {
  const answers = { "runner.list": { runners: [claude, { ...codex, missing: null, way: "exec" }] } };
  expect((await tryCli(["runners", "show", "codex"], answers)).stdout).toMatch(/spoken to by +codex exec\n/);
  expect((await tryCli(["runners", "show", "claude"], answers)).stdout).not.toContain("spoken to by");
});

test("[PF15] a preset is given a model, and shown; without one it is what is built in again", async () => {
  const meant = { fast: "quick", cheap: "small" };
  const answers = { "runner.preset": { presets: meant }, "runner.list": { runners: [{ ...claude, presets: meant }] } };
  const said = await tryCli(["runners", "preset", "claude", "cheap", "small"], answers);
  expect(said.calls).toEqual([["runner.preset", { runner: "claude", preset: "cheap", model: "small" }]]);
  expect(said.stdout).toBe("cheap means small to claude.\n");
  const back = await tryCli(["runners", "preset", "claude", "cheap"], answers);
  expect(back.calls).toEqual([["runner.preset", { runner: "claude", preset: "cheap", model: null }]]);
  expect((await tryCli(["runners", "show", "claude"], answers)).stdout).toMatch(
    /presets +fast is quick\n +cheap is small/,
  );
  expect(await tryCli(["runners", "preset", "claude", "best", "m"])).toMatchObject({ exitCode: 2, calls: [] });
});

test("a runner of one's own is added from flags and a file, shown and removed", async () => {
  const own = {
    ...{ command: ["my-agent", "--acp"], format: "anthropic", credential: "MY_KEY", baseUrl: null, auth: null },
    ...{ env: { MODE: "quiet" }, files: [{ path: ".my/settings", text: "{}" }] },
  };
  const mine = { ...claude, name: "acp:mine", version: null, tried: null, own };
  const answers = { "runner.set": {}, "runner.remove": {}, "runner.list": { runners: [script, mine] } };
  const flags = ["--format", "anthropic", "--credential", "MY_KEY", "--env", "MODE=quiet"];
  const added = await tryCli(["runners", "add", "acp:mine", ...flags, "--", "my-agent", "--acp"], answers);
  expect(added.calls[0]).toEqual([
    "runner.set",
    {
      ...{ name: "mine", format: "anthropic", credential: "MY_KEY" },
      ...{ command: ["my-agent", "--acp"], env: { MODE: "quiet" } },
    },
  ]);
  expect(added.stdout).toMatch(/command +my-agent --acp/);
  expect(added.stdout).toMatch(/files +\.my\/settings \(2 characters\)/);
  expect(added.stderr).toContain("--runner acp:mine");
  expect((await tryCli(["runners", "show", "mine"], answers)).stdout).toMatch(/variables +MODE=quiet/);
  expect((await tryCli(["runners", "remove", "mine"], answers)).calls).toEqual([["runner.remove", { name: "mine" }]]);
  expect(await tryCli(["runners", "show", "nobody"], answers)).toMatchObject({ exitCode: 2 });
});
