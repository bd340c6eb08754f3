// An assistant that asks leave for what it would do by itself: a person allows or denies it in the console, by key.

import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildConsole } from "../../scripts/build-console.ts";
import { AssistantRig } from "../support/assistant-rig.ts";
import { hasChromium, launchChromium } from "../support/console-rig.ts";
import { noCages } from "../support/keeper-rig.ts";
import { openPage } from "../support/open-console.ts";
import { expectAccessible, type PageTroubles } from "../support/page-checks.ts";

/** An agent of the Agent Client Protocol: asks leave for one command, writes down what it was answered, and ends its turn. */
const agent = `#!/bin/sh
say() { printf '{"jsonrpc":"2.0",%s}\\n' "$1"; }
options='[{"optionId":"yes","kind":"allow_once","name":"Yes"},{"optionId":"no","kind":"reject_once","name":"No"}]'
call='{"toolCallId":"c1","kind":"execute","title":"rm -rf build","rawInput":{"command":"rm -rf build","cwd":"/w"}}'
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p')
  case "$line" in
  *'"method":"initialize"'*) say "\\"id\\":\\"$id\\",\\"result\\":{\\"protocolVersion\\":1,\\"agentCapabilities\\":{}}" ;;
  *'"method":"session/new"'*) say "\\"id\\":\\"$id\\",\\"result\\":{\\"sessionId\\":\\"s1\\"}" ;;
  *'"method":"session/prompt"'*)
    prompt=$id
    say "\\"id\\":\\"may-it\\",\\"method\\":\\"session/request_permission\\",\\"params\\":{\\"sessionId\\":\\"s1\\",\\"toolCall\\":$call,\\"options\\":$options}" ;;
  *'"id":"may-it"'*)
    printf '%s' "$line" | sed -n 's/.*"optionId":"\\([^"]*\\)".*/\\1/p' > "$WORK/answer.txt"
    say "\\"id\\":\\"$prompt\\",\\"result\\":{\\"stopReason\\":\\"end_turn\\"}" ;;
  esac
done
`;

describe.skipIf(!hasChromium() || noCages)("permissions in the console", () => {
  let rig: AssistantRig;
  let browser: Browser;
  let page: Page;
  let url: string;
  let troubles: PageTroubles;
  const bin = mkdtempSync(join(realpathSync(tmpdir()), "signalbox-test-"));

  beforeAll(async () => {
    // Agents have to be able to read it.
    chmodSync(bin, 0o755);
    writeFileSync(join(bin, "asks-leave"), agent, { mode: 0o755 });
    await buildConsole();
    const path = `${bin}:${process.env["PATH"] ?? ""}`;
    rig = await AssistantRig.open("conversations: []", { "a.txt": "a\n" }, { PATH: path });
    const env = { WORK: rig.sample.root };
    await rig.client.call("runner.set", { name: "asker", command: ["asks-leave"], format: "anthropic", env });
    browser = await launchChromium();
    ({ page, url, troubles } = await openPage(browser, rig.client));
  });

  afterAll(async () => {
    await browser?.close();
    await rig?.close();
    rmSync(bin, { recursive: true, force: true });
  });

  const asking = async (): Promise<string> => {
    const run = await rig.submit("acp:asker", "Tidies up", "");
    await rig.inState(run, "awaiting-input");
    return run;
  };
  const answered = async (run: string): Promise<string | undefined> => {
    await rig.inState(run, "done");
    const { lines } = await rig.client.call("project.blame", { project: rig.project, path: "answer.txt" });
    return lines[0]?.text;
  };

  test("[RN26] on the overview it has a shield and the whole act, and is allowed by key", async () => {
    const run = await asking();
    const card = page.locator(`[data-item="permission ${run}"]`);
    await card.getByText("May it use a tool of its own (execute): rm -rf build?").waitFor();
    await card.getByText("command: rm -rf build").waitFor();
    expect(await card.getByRole("textbox").count()).toBe(0);
    await expectAccessible(page, "the overview with a permission");
    await page.keyboard.press("n");
    await page.locator(`[data-item="permission ${run}"][aria-current=true]`).waitFor();
    await page.keyboard.press("a");
    await page.locator(".toast-command", { hasText: `signalbox allow ${run} --question q_` }).waitFor();
    await card.waitFor({ state: "detached" });
    expect(await answered(run)).toBe("yes");
  });

  test("[RN26] in the inbox it is denied by key", async () => {
    await page.goto(`${url}/inbox?kind=permission`);
    const run = await asking();
    const card = page.locator(`[data-item="permission ${run}"]`);
    await card.getByRole("button", { name: "Allow" }).waitFor();
    await expectAccessible(page, "the inbox with a permission");
    await page.keyboard.press("j");
    await page.locator(`[data-item="permission ${run}"][aria-current=true]`).waitFor();
    await page.keyboard.press("x");
    await page.locator(".toast-command", { hasText: `signalbox deny ${run} --question q_` }).waitFor();
    await card.waitFor({ state: "detached" });
    expect(await answered(run)).toBe("no");
  });

  test("[RN26] its page asks for the same word, and its story says what was answered", async () => {
    const run = await asking();
    await page.goto(`${url}/runs/${run}`);
    const panel = page.locator("[data-panel=asks]", { hasText: "It asks leave" });
    await panel.getByText("command: rm -rf build").waitFor();
    await panel.getByRole("button", { name: "Deny" }).waitFor();
    await expectAccessible(page, "a run that asks leave");
    await page.keyboard.press("a");
    await page.locator("[data-event='run.answered']", { hasText: "got leave" }).first().waitFor();
    await page.locator("[data-event='run.asked']", { hasText: "asks leave: May it" }).first().waitFor();
    expect(await answered(run)).toBe("yes");
    expect(troubles.found).toEqual([]);
  });
});
