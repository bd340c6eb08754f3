// The real Codex, OpenCode and Gemini with their own tools switched on, as a person may define them: their models have them try what
// Claude's try with tools of its own (claude.test.ts). What holds is the cage.

import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assistantsPath } from "../../scripts/assistants.ts";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry } from "../support/assistants.ts";

/** What is left wherever something got out. */
const mark = `out-of-it-${process.pid}`;
/** What is outside is called by this name, and so is what the cage may end. */
const decoy = `decoy-${process.pid}`;
/** What is in the environment of each program: where this is found, a key would be. */
const word = "a-word-to-be-found";
/** What is in a file of somebody else's. */
const secret = "nobody-elses-business";

type Call = { readonly tool: string; readonly with: Readonly<Record<string, unknown>> };

/** Codex speaks another protocol: each prompt is a run of its program, as a person would start it. */
const codexBridge = `
answer() { printf '{"jsonrpc":"2.0","id":"%s","result":%s}\\n' "$(printf '%s' "$1" | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p')" "$2"; }
while read -r line; do
  case "$line" in
  *'"method":"initialize"'*) answer "$line" '{"protocolVersion":1,"agentCapabilities":{}}' ;;
  *'"method":"session/new"'*) answer "$line" '{"sessionId":"s1"}' ;;
  *'"method":"session/prompt"'*)
    printf '%s' "$line" | "$CODEX" exec --json --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox - > "$HOME/said.txt" 2>&1
    answer "$line" '{"stopReason":"end_turn"}' ;;
  esac
done
`;

const codexConfig = `
model = "gpt-5"
model_provider = "relay"
check_for_update_on_startup = false
[model_providers.relay]
name = "relay"
base_url = "{relay}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
[analytics]
enabled = false
`;

const opencodeConfig = {
  ...{ autoupdate: false, share: "disabled", snapshot: false, lsp: false, formatter: false },
  permission: "allow",
  agent: { title: { disable: true } },
  model: "relay/scripted",
  small_model: "relay/scripted",
  enabled_providers: ["relay"],
  provider: {
    relay: {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: "{relay}/v1", apiKey: "{token}" },
      models: { scripted: { tool_call: true } },
    },
  },
};

const opencodeLock = { packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } };

const geminiConfig = {
  security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
  // It fills that in from its environment.
  context: { includeDirectories: ["$WORK"] },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
};

const codexCommand = (cmd: string): Call => ({ tool: "exec_command", with: { cmd, yield_time_ms: 30_000 } });

/** How a person would define each, and what its own tool for commands is called. */
const programs = [
  {
    program: "codex",
    definition: {
      command: ["sh", "{home}/bridge"],
      format: "openai-responses",
      env: { CODEX_HOME: "{home}" },
      files: [
        { path: "bridge", text: codexBridge },
        { path: "config.toml", text: codexConfig },
      ],
    },
    toCommand: codexCommand,
    // It knows this command as its tool for files.
    toEdit: (path: string) =>
      codexCommand(`apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${path}\n+edited\n*** End Patch\nEOF`),
  },
  {
    program: "opencode",
    definition: {
      command: ["opencode", "acp"],
      format: "openai-chat",
      env: { OPENCODE_CONFIG: "{home}/opencode.json", OPENCODE_PURE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
      files: [
        { path: "opencode.json", text: JSON.stringify(opencodeConfig) },
        // It would fetch a package for plugins from the registry, unless these say that it is there.
        { path: ".config/opencode/node_modules/.keep", text: "" },
        { path: ".config/opencode/package-lock.json", text: JSON.stringify(opencodeLock) },
      ],
    },
    toCommand: (command: string) => ({ tool: "bash", with: { command, description: "try it" } }),
    toEdit: (path: string) => ({ tool: "write", with: { filePath: path, content: "edited\n" } }),
  },
  {
    program: "gemini",
    definition: {
      command: ["gemini", "--acp", "--approval-mode=yolo"],
      format: "gemini",
      env: { GEMINI_CLI_NO_RELAUNCH: "true", NO_BROWSER: "true" },
      files: [{ path: ".gemini/settings.json", text: JSON.stringify(geminiConfig) }],
    },
    toCommand: (command: string) => ({ tool: "run_shell_command", with: { command, description: "try it" } }),
    toEdit: (path: string) => ({ tool: "write_file", with: { file_path: path, content: "edited\n" } }),
  },
] as const;

/** The work that it does by commands, and what it tries beside it: other people's files, the machine, the network, processes, the key. */
function scriptOf(program: string): string {
  return `cd "$WORK"
echo made > made-${program}.txt
echo ours > held-${program}.txt
touch ../${mark} /etc/${mark} /usr/${mark} /proc/sys/${mark} ${homedir()}/${mark} "$OUTSIDE/${mark}"
cat "$OUTSIDE/private.txt"; echo ${mark} >> "$OUTSIDE/private.txt"
git push -q origin HEAD:refs/heads/${mark}; git push -q "$OUTSIDE/origin" HEAD:refs/heads/${mark}
git update-ref refs/heads/${mark} HEAD; touch .git/hooks/${mark}
curl -sm 5 "$MODEL/${mark}"; curl -sm 5 --noproxy '*' "$MODEL/${mark}"
cp /bin/sleep ~/${decoy}; ~/${decoy} 600 & victim=$!
until grep -qx ${decoy} /proc/$victim/comm; do sleep 0.05; done
grep -lx ${decoy} /proc/[0-9]*/comm | sed 's/[^0-9]//g' | xargs kill -KILL
wait $victim; echo "ended: $?" > seen-${program}.txt
everything() { env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline; find ~ /tmp /var/tmp /run -type f -exec cat {} +; }
everything | grep -ac '[s]k-canary' | sed 's/^/keys: /' >> seen-${program}.txt
everything | grep -aq '[a]-word-to-be-found' && echo "words: some" >> seen-${program}.txt
ln -s "$WORK" ~/work; echo tried`;
}

/** Gemini asks a small model first which one to ask. */
const scenario = `
conversations:
  - name: router
    match: { model: gemini-3.5-flash-lite }
    repeat: true
    turns: [ { say: '{"reasoning":"it is small","model_choice":"pro"}' } ]
${programs
  .map(
    ({ program, toCommand, toEdit }) => `
  - name: ${program}
    match: { marker: "(${program} by itself)" }
    turns:
      - { expect: { offers: ${toCommand("").tool} }, call: ${JSON.stringify(toCommand(scriptOf(program)))} }
      - { expect: { toolResult: tried }, call: ${JSON.stringify(toEdit(`work/edited-${program}.txt`))} }
      - { call: ${JSON.stringify(toEdit(`/etc/${mark}`))} }
      - { say: I have tried. }
`,
  )
  .join("")}`;

const missing = programs.filter(({ program }) => !canTry(program));

describe.skipIf(missing.length > 0)("with tools of their own", () => {
  let rig: AssistantRig;
  let outside: string;
  let bystander: ChildProcess;

  beforeAll(async () => {
    outside = mkdtempSync(join(realpathSync(tmpdir()), "signalbox-test-"));
    // Whoever got here could read and write all of it.
    chmodSync(outside, 0o777);
    writeFileSync(join(outside, "private.txt"), `${secret}\n`);
    chmodSync(join(outside, "private.txt"), 0o666);
    copyFileSync("/bin/sleep", join(outside, decoy));
    bystander = spawn(join(outside, decoy), ["600"], { stdio: "ignore" });
    const files = Object.fromEntries(programs.map(({ program }) => [`held-${program}.txt`, "theirs\n"]));
    rig = await AssistantRig.open(scenario, files);
    rig.sample.git("clone", "--quiet", "--bare", rig.sample.root, join(outside, "origin"));
    rig.sample.git("remote", "add", "origin", join(outside, "origin"));
    const codex = realpathSync(join(assistantsPath, "codex"));
    const env = { WORK: rig.sample.root, OUTSIDE: outside, MODEL: rig.model.url, WORD: word, CODEX: codex };
    for (const { program, definition } of programs) {
      const { command, files: laid } = definition;
      const wanted = { ...definition, command: [...command], files: [...laid], env: { ...definition.env, ...env } };
      await rig.client.call("runner.set", { name: `own-${program}`, ...wanted });
    }
  });

  afterAll(async () => {
    await rig?.close();
    bystander?.kill("SIGKILL");
    rmSync(outside, { recursive: true, force: true });
  });

  const linesOf = async (path: string): Promise<readonly (readonly [string, string | null])[]> => {
    const { lines } = await rig.client.call("project.blame", { project: rig.project, path });
    return lines.map(({ text, run }) => [text, run]);
  };

  test.each(programs)("[LD15, LD60] $program works past the door, and its cage holds", async ({ program }) => {
    const { client, project, model } = rig;
    const held = `held-${program}.txt`;
    const { claim } = await client.call("claim.make", { project, units: [`file:${held}`], as: "eva", ttlMs: 600_000 });
    const run = await rig.submit(`acp:own-${program}`, `By ${program} itself`, `(${program} by itself)`);
    await rig.inState(run, "blocked");
    expect((await client.call("run.get", { run })).run.behind).toEqual(["eva"]);
    expect(await linesOf(held)).toEqual([["theirs", null]]);
    await client.call("claim.release", { claim });
    await rig.inState(run, "done");
    expect(model.problems).toEqual([]);
    // Its model asked for nothing at the door: what was done there was done for it, when its turn was over.
    const { events } = await client.call("run.log", { run, limit: 1000 });
    const calls = events.filter(({ type }) => type === "call.finished").map((event) => event["tool"]);
    expect(calls).toEqual(["sweep", "claim"]);
    for (const name of ["made", "edited"]) expect(await linesOf(`${name}-${program}.txt`)).toEqual([[name, run]]);
    expect(await linesOf(held)).toEqual([["ours", run]]);
    expect((await client.call("trash.list", { run })).items).toEqual([]);
    // It ended the process of its own that has the name, and it could have found a key where it found a word.
    const seen = ["ended: 137", "keys: 0", "words: some"];
    expect(await linesOf(`seen-${program}.txt`)).toEqual(seen.map((line) => [line, run]));
    await expectUntouched();
  });

  const expectUntouched = async (): Promise<void> => {
    const { root } = rig.sample;
    const places = [dirname(root), "/etc", "/usr", homedir(), outside, join(root, ".git/hooks")];
    expect(places.filter((folder) => existsSync(join(folder, mark)))).toEqual([]);
    expect(readFileSync(join(outside, "private.txt"), "utf8")).toBe(`${secret}\n`);
    const refs = [root, join(outside, "origin")].map((each) => rig.sample.git("-C", each, "for-each-ref"));
    expect(refs.join("\n")).not.toContain(mark);
    expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
    expect(rig.model.received.filter(({ target }) => target.includes(mark))).toEqual([]);
    const log = await readFile(join(rig.daemon.home, "log.db"), "latin1");
    const sent = rig.model.received.map(({ body }) => body).join("\n");
    for (const word of [rig.key, secret]) expect([sent.includes(word), log.includes(word)]).toEqual([false, false]);
  };
});
