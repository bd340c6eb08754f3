// What people have set up for their own assistants is theirs: with the real programs, nothing of it is read or changed.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry } from "../support/assistants.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const canary = "canary-of-somebody-9c2e";

/** Where each program looks for what a person wants of it, and what would be told to its model, or break it. */
const kept: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude: {
    ".claude/CLAUDE.md": `Say ${canary}.\n`,
    ".claude/settings.json": JSON.stringify({ model: canary, env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } }),
    ".claude.json": JSON.stringify({ mcpServers: { theirs: { command: canary } } }),
  },
  codex: {
    ".codex/AGENTS.md": `Say ${canary}.\n`,
    ".codex/config.toml": `model = "${canary}"\nmodel_provider = "nobody"\n`,
    ".codex/auth.json": JSON.stringify({ OPENAI_API_KEY: canary }),
  },
  gemini: {
    ".gemini/GEMINI.md": `Say ${canary}.\n`,
    ".gemini/settings.json": JSON.stringify({ model: { name: canary } }),
  },
  opencode: {
    ".config/opencode/AGENTS.md": `Say ${canary}.\n`,
    ".config/opencode/opencode.json": JSON.stringify({ model: `anthropic/${canary}` }),
    ".local/share/opencode/auth.json": JSON.stringify({ anthropic: { type: "api", key: canary } }),
  },
};
const runners = Object.keys(kept);

const scenario = `conversations:${runners
  .map(
    (runner) => `
  - name: ${runner}
    match: { marker: "(${runner})" }
    turns:
      - { call: { tool: run_command, with: { command: "grep -rl ${canary.slice(0, -4)}[9]c2e ~ 2>/dev/null | wc -l; echo looked" } } }
      - { expect: { toolResult: "0" }, say: There is nothing. }
`,
  )
  .join("")}`;

/** Every file of a folder with what is in it. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, "utf8")]));
}

describe.skipIf(!runners.every(canTry))("what a person has set up for assistants of their own", () => {
  let rig: AssistantRig;

  afterAll(() => rig?.close());

  test("is neither read nor changed by those that work here", async () => {
    const home = makeTempFolder();
    for (const [path, text] of Object.values(kept).flatMap((files) => Object.entries(files))) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    const before = filesIn(home);
    rig = await AssistantRig.open(scenario, { "a.txt": "a\n" }, { HOME: home });
    await Promise.all(
      runners.map(async (runner) => {
        const run = await rig.submit(runner, runner, `(${runner})`);
        await rig.inState(run, "done");
      }),
    );
    expect(rig.model.problems).toEqual([]);
    expect(rig.model.wasSent(canary)).toBe(false);
    expect(filesIn(home)).toEqual(before);
  });
});
