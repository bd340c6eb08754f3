// Real assistants that are paid for with logins of subscriptions, which they never see.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry } from "../support/assistants.ts";
import { claudeLogin, codexLogin, TokenServer, tokenUntil } from "../support/token-server.ts";

const runners = ["claude", "codex"] as const;
const soon = Date.now() + 60_000;
const later = Date.now() + 36_000_000;
/** What only the daemon, the token endpoint and the model may see. */
const first = { claude: "sk-ant-oat01-canary-first", codex: tokenUntil(soon, "canary-first") };
const second = { claude: "sk-ant-oat01-canary-second", codex: tokenUntil(later, "canary-second") };
const third = { claude: "sk-ant-oat01-canary-third", codex: tokenUntil(later, "canary-third") };
const refresh = { claude: "sk-ant-ort01-canary-refresh", codex: "rt-canary-refresh" };

const look = "env; cat /proc/[0-9]*/environ | tr '\\\\0' '\\\\n'; find ~ -type f | xargs cat; echo looked";
const scenario = `
conversations:
${runners
  .map(
    (runner) => `
  - name: ${runner} work
    match: { marker: "(${runner} work)" }
    turns:
      - { say: I begin., call: { tool: run_command, with: { command: "${look}" } } }
      - { error: { status: 401, type: authentication_error, message: this one is over } }
      - { expect: { toolResult: looked }, call: { tool: write_file, with: { path: ${runner}.txt, content: "moin\\n" } } }
      - { expect: { toolResult: wrote }, say: Done. }
`,
  )
  .join("")}`;

describe.skipIf(!runners.every(canTry))("assistants on a subscription", () => {
  let rig: AssistantRig;
  let tokens: TokenServer;

  beforeAll(async () => {
    tokens = await TokenServer.start();
    const places = { SIGNALBOX_CLAUDE_TOKEN_URL: tokens.url, SIGNALBOX_CODEX_TOKEN_URL: tokens.url };
    const noKeys = { ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "" };
    rig = await AssistantRig.open(scenario, { "a.txt": "a\n" }, { ...places, ...noKeys }, (model) => ({
      SIGNALBOX_CODEX_BASE_URL: `${model.url}/v1`,
    }));
    const files = {
      claude: claudeLogin(first.claude, refresh.claude, soon),
      codex: codexLogin(first.codex, refresh.codex, "account-7"),
    };
    for (const runner of runners) await rig.client.call("subscription.set", { runner, file: files[runner] });
  });

  afterAll(async () => {
    await rig?.close();
    await tokens.close();
  });

  test.each(runners)(
    "[BG19] [BG20] %s works with a login that is renewed before its end and after a no, and finds nothing of it",
    async (runner) => {
      for (const each of [second, third])
        tokens.say(200, { access_token: each[runner], refresh_token: `${refresh[runner]}-${each[runner].length}` });
      const { received } = rig.model;
      const before = received.length;
      const run = await rig.submit(runner, "work", `(${runner} work)`);
      await rig.inState(run, "done");
      const mine = received.slice(before).filter(({ method }) => method === "POST");
      const shown = new Set(mine.map(({ headers }) => headers.authorization));
      expect(shown).toEqual(new Set([`Bearer ${second[runner]}`, `Bearer ${third[runner]}`]));
      expect(mine.every(({ headers }) => headers["x-api-key"] === undefined)).toBe(true);
      const seen = mine.map(({ body }) => body).join("\n");
      for (const secret of [first, second, third, refresh].map((each) => each[runner]))
        expect(seen).not.toContain(secret);
      const log = await readFile(join(rig.daemon.home, "log.db"), "latin1");
      for (const each of [first, second, third, refresh]) expect(log.includes(each[runner])).toBe(false);
      const { subscriptions } = await rig.client.call("subscription.list", {});
      const facts = subscriptions.find((each) => each.runner === runner);
      expect(facts).toMatchObject({ renews: true, refused: null });
      expect(facts?.usedAtMs).toBeGreaterThan(0);
    },
  );

  test.each(runners)("[BG21] %s fails with what a person has to do when its login is not renewed", async (runner) => {
    tokens.say(400, { error: "invalid_grant", error_description: "it was used elsewhere" });
    const over = Date.now() - 1000;
    const file =
      runner === "claude"
        ? claudeLogin(first.claude, refresh.claude, over)
        : codexLogin(tokenUntil(over, "over"), refresh.codex, "account-7");
    await rig.client.call("subscription.set", { runner, file });
    const run = await rig.submit(runner, "over", "(over)");
    await rig.inState(run, "failed");
    const { because } = (await rig.client.call("run.get", { run })).run;
    expect(because).toContain(`${runner}: auth: `);
    expect(because).toContain(`signalbox subscription add ${runner} --from FILE`);
    expect(rig.model.problems).toEqual([]);
  });
});
