// A world in which every text that somebody else wrote holds characters that turn the direction of writing or are not drawn at all:
// no page and no dialog of the console has one of them in it, in its text, in what it says of itself, or in its title.

import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildConsole } from "../../scripts/build-console.ts";
import { AssistantRig } from "../support/assistant-rig.ts";
import { hasChromium, launchChromium } from "../support/console-rig.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents, settledAgent } from "../support/living-agents.ts";
import { openPage } from "../support/open-console.ts";
import type { PageTroubles } from "../support/page-checks.ts";

/** What it would be drawn as: the letters after the first of the three, from right to left. */
const trick = "\u202efr mr\u2066\u200b";
const named = "⟨U+202E⟩fr mr⟨U+2066⟩⟨U+200B⟩";
const said = (word: string): string => `${word} ${trick}`;
const path = `src/${trick.replace(" ", "-")}.txt`;

/** An agent of the Agent Client Protocol that asks leave for one command. */
const asker = `#!/bin/sh
say() { printf '{"jsonrpc":"2.0",%s}\\n' "$1"; }
options='[{"optionId":"yes","kind":"allow_once","name":"${said("Yes")}"},{"optionId":"no","kind":"reject_once","name":"No"}]'
call='{"toolCallId":"c1","kind":"execute","title":"${said("ls")}","rawInput":{"command":"${said("ls")}","cwd":"/w"}}'
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p')
  case "$line" in
  *'"method":"initialize"'*) say "\\"id\\":\\"$id\\",\\"result\\":{\\"protocolVersion\\":1,\\"agentCapabilities\\":{}}" ;;
  *'"method":"session/new"'*) say "\\"id\\":\\"$id\\",\\"result\\":{\\"sessionId\\":\\"s1\\"}" ;;
  *'"method":"session/prompt"'*)
    say "\\"id\\":\\"may-it\\",\\"method\\":\\"session/request_permission\\",\\"params\\":{\\"sessionId\\":\\"s1\\",\\"toolCall\\":$call,\\"options\\":$options}" ;;
  esac
done
`;

const stack = `
template: shop
services:
  web:
    command: 'echo "${said("up")}"; exec sleep 1000'
    ports: [http]
faces:
  shop: { service: web, title: "${said("The shop")}" }
`;
const broken = `
template: broken
services:
  web:
    command: 'echo "${said("no database")}" >&2; exit 3'
    restart: { delay: 10ms, limit: 1 }
`;

type World = Readonly<
  Record<"question" | "permission" | "review" | "landed" | "failed" | "rejected" | "waiting", string>
> & { readonly agent: string; readonly broken: string; readonly terminal: string; readonly recording: string };

describe.skipIf(!hasChromium() || noCages)("text of others in the console", () => {
  let rig: AssistantRig;
  let browser: Browser;
  let page: Page;
  let url: string;
  let troubles: PageTroubles;
  let world: World;
  const bin = mkdtempSync(join(realpathSync(tmpdir()), "signalbox-test-"));

  beforeAll(async () => {
    // Agents have to be able to read it.
    chmodSync(bin, 0o755);
    writeFileSync(join(bin, "asks-leave"), asker, { mode: 0o755 });
    await buildConsole();
    const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}` };
    rig = await AssistantRig.open("conversations: []", { "a.txt": `${said("one")}\n`, [path]: "a\n" }, env);
    rig.sample.git("config", "user.name", said("Eva"));
    rig.sample.commit(said("More of it"));
    world = await makeWorld();
    browser = await launchChromium();
    ({ page, url, troubles } = await openPage(browser, rig.client));
    // Where the processor draws terminals, no text of theirs is in the page.
    await page.evaluate(() => localStorage.setItem("signalbox.terminal-renderer", "dom"));
  }, 180_000);

  afterAll(async () => {
    try {
      await browser?.close();
      await removeAgents(rig.client);
    } finally {
      await rig?.close();
      rmSync(bin, { recursive: true, force: true });
    }
  });

  async function submit(title: string, steps: readonly object[], more: object = {}): Promise<string> {
    const script = JSON.stringify({ task: said("from a script"), steps });
    const { project } = rig;
    return (await rig.client.call("run.submit", { project, title: said(title), script, ...more })).run;
  }

  async function makeWorld(): Promise<World> {
    const { client, project } = rig;
    await client.call("runner.set", { name: "asker", command: ["asks-leave", said("please")], format: "anthropic" });
    await client.call("profile.set", { name: "careful", settings: { runner: "script", prompt: [said("Be careful")] } });
    await client.call("task.add", {
      ...{ project, title: said("A task"), description: said("At length"), acceptance: ["grep", said("x"), "a.txt"] },
      ...{ scope: [path], attachments: [{ kind: "note", name: "tone.md", text: said("Short") }] },
    });
    const landed = await submit("Lands", [{ write: { path, content: `${said("two")}\n` } }, { say: said("Done") }]);
    await rig.inState(landed, "done");
    await client.call("policy.set", { name: "ask", scope: { project }, rules: { approvalRequired: true } });
    const rejected = await submit("Rejects", [{ write: { path: `new-${path}`, content: said("x") } }]);
    await rig.inState(rejected, "review");
    await client.call("run.reject", { run: rejected, message: said("Not so") });
    const failed = await submit("Fails", [{ run: `echo '${said("oh")}'; false` }, { fail: said("no luck") }]);
    await rig.inState(failed, "failed");
    const review = await submit("Reviews", [
      { say: said("I begin") },
      { run: `echo '${said("output")}'` },
      { write: { path: "a.txt", content: `${said("three")}\n` } },
      { write: { path: "result.txt", content: said("x") } },
      { publish: { name: "result", path: "result.txt" } },
    ]);
    await rig.inState(review, "review");
    const question = await submit("Asks", [{ claim: `file:${path}` }, { ask: said("May I run") }]);
    await rig.inState(question, "awaiting-input");
    const waiting = await submit("Waits", [{ claim: `file:${path}` }]);
    const permission = await rig.submit("acp:asker", said("Tidies up"), said("All of it"));
    await rig.inState(permission, "awaiting-input");
    const create = async (template: string): Promise<string> => {
      const { agent } = await client.call("agent.create", { project, template, file: `${said("file")}.yaml` });
      await settledAgent(client, agent.id);
      return agent.id;
    };
    const agent = await create(stack);
    const argv = ["sh", "-c", `printf '\\033]2;%s\\007%s\\n' '${said("title")}' '${said("text")}'`];
    const { terminal: recording } = await client.call("terminal.open", {
      agent,
      argv,
      window: "tests",
      cols: 80,
      rows: 24,
    });
    for await (const event of client.events({ types: ["terminal.ended"] })) if (event["terminal"] === recording) break;
    const shell = ["sh", "-c", `printf '%s\\n' '${said("text")}'; exec sleep 1000`];
    const { terminal } = await client.call("terminal.open", { agent, argv: shell, window: "open", cols: 80, rows: 24 });
    return {
      ...{ question, permission, review, landed, failed, rejected, waiting },
      ...{ agent, broken: await create(broken), terminal, recording },
    };
  }

  /** Every place on the page that has a hidden character, but for what the page works with and what somebody edits. */
  const look = (): Promise<{ readonly raw: readonly string[]; readonly isNamed: boolean }> =>
    page.evaluate(() => {
      const hidden = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
      const raw: string[] = [];
      const note = (where: string, text: string | null): void => {
        if (text !== null && hidden.test(text)) raw.push(`${where}: ${JSON.stringify(text.slice(0, 80))}`);
      };
      note("the title", document.title);
      const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node instanceof Text) note(`text of ${node.parentElement?.outerHTML.slice(0, 60)}`, node.data);
        if (!(node instanceof Element) || node.matches("textarea")) {
          // What is edited is what it is, and is no text node of ours.
          if (node instanceof Element) walker.nextNode();
          continue;
        }
        for (const { name, value } of node.attributes)
          if (!name.startsWith("data-") && name !== "value")
            note(`${name} of ${node.tagName} ${node.className}`, value);
      }
      return { raw, isNamed: (document.body.textContent ?? "").includes("⟨U+202E⟩") };
    });

  async function expectInert(where: string, has: "named" | "none" = "named"): Promise<void> {
    const { raw, isNamed } = await look();
    expect({ where, raw: [...new Set(raw)] }).toEqual({ where, raw: [] });
    expect(isNamed || has === "none", `${where} has such text`).toBe(true);
  }

  async function open(at: string, has: "named" | "none" = "named"): Promise<void> {
    await page.goto(`${url}${at}`);
    await page.locator(".app:is([data-link=live], [data-link=past])").waitFor();
    if (has === "named") await page.getByText("⟨U+202E⟩").first().waitFor({ state: "attached" });
    await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
  }

  test("the question and the permission read as they are", async () => {
    await open("/inbox");
    const question = page.locator(`[data-item="question ${world.question}"]`);
    expect(await question.locator(".need-what").innerText()).toBe(`May I run ${named}`);
    const permission = page.locator(`[data-item="permission ${world.permission}"]`);
    expect(await permission.locator(".leave-act").innerText()).toContain(`ls ${named}`);
    expect(await question.getAttribute("aria-label")).toContain(named);
  });

  test("no page has such a character in it", async () => {
    const { status } = { status: await rig.client.call("status", {}) };
    const of = (run: string): string => `/runs/${run}`;
    const addresses = [
      "/",
      "/?waits=graph",
      "/?waits=tree",
      `/?run=${world.question}`,
      "/inbox",
      "/runs",
      `/runs?run=${world.review}`,
      ...[
        world.question,
        world.permission,
        world.review,
        world.landed,
        world.failed,
        world.rejected,
        world.waiting,
      ].map(of),
      `${of(world.review)}?step=2`,
      `${of(world.failed)}?step=1`,
      `${of(world.review)}?file=a.txt`,
      `/agents/${world.agent}`,
      `/agents/${world.broken}`,
      `/agents/${world.agent}?recording=${world.recording}`,
      `/locks?unit=${encodeURIComponent(`${rig.project}:file:${path}`)}`,
      `/agents/${world.agent}?said=fr`,
      `/agents/${world.agent}?windows=side~v.web`,
      "/landing",
      `/landing?file=${encodeURIComponent(path)}`,
      "/landing?file=a.txt",
      "/events",
      "/settings/tasks",
      "/settings/profiles?name=careful",
      `/?at=${status.seq}`,
      `/runs/${world.question}?at=${status.seq}`,
    ];
    for (const address of addresses) {
      await open(address);
      await expectInert(address);
    }
    expect(await page.title()).toContain("⟨U+202E⟩");
    for (const address of [
      "/agents",
      "/agents?as=cards",
      "/settings/runners?name=asker",
      "/runs/new",
      "/settings/secrets",
      "/settings/policies?name=ask",
      `/agents/${world.agent}?windows=side~v.monitor`,
    ]) {
      await open(address, "none");
      await expectInert(address, "none");
    }
    // A terminal draws what its program says, in the order in which it says it.
    await open(`/agents/${world.agent}?windows=side~${world.terminal}`, "none");
    await page.locator(".xterm-rows", { hasText: "text fr mr" }).waitFor();
    await expectInert("a terminal", "none");
  });

  test("no dialog has, and neither has the palette or what is said after an act", async () => {
    const task = page.locator("[data-row]", { hasText: "A task" });
    const dialog = page.getByRole("dialog");
    const leave = async (): Promise<void> => {
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    };
    for (const [run, keys] of [
      [world.question, "s"],
      [world.review, "bxs"],
    ] as const) {
      await open(`/runs/${run}`);
      for (const key of keys) {
        await page.keyboard.press(key);
        await dialog.waitFor();
        await expectInert(`the dialog of ${key} on ${run}`);
        await leave();
      }
    }
    await page.keyboard.press("Control+k");
    await dialog.getByRole("combobox").fill("fr");
    await dialog.getByText("⟨U+202E⟩").first().waitFor();
    await expectInert("the palette");
    await leave();
    await open("/landing");
    for (const name of [/^Restore/, /^Purge/]) {
      await page.getByRole("button", { name }).first().click();
      await dialog.getByText("⟨U+202E⟩").first().waitFor();
      await expectInert(`the dialog of ${name.source}`);
      await leave();
    }
    await open("/settings/tasks");
    await task.click();
    await page.locator("[data-panel=setting]").getByText("⟨U+202E⟩").first().waitFor();
    await expectInert("a task");
    await open("/inbox");
    const answer = page.locator(`[data-item="question ${world.question}"]`).getByRole("textbox");
    await answer.fill(said("Yes"));
    await answer.press("Control+Enter");
    await page.locator(".toast-command").first().waitFor();
    await expectInert("what is said after an answer");
    expect(troubles.found).toEqual([]);
  });
});
