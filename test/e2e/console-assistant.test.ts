// A real assistant in the console: what it says and wants, what it costs, and what a person tells it while it works.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildConsole } from "../../scripts/build-console.ts";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry } from "../support/assistants.ts";
import { hasChromium, launchChromium } from "../support/console-rig.ts";
import { noCages } from "../support/keeper-rig.ts";
import { expectAccessible, PageTroubles } from "../support/page-checks.ts";

const scenario = `
conversations:
  - name: asking
    match: { marker: "(asking)" }
    turns:
      - { say: I begin., call: { tool: mcp__door__claim, with: { units: ["file:greeting.txt"] } } }
      - { expect: { toolResult: yours }, call: { tool: mcp__door__ask_user, with: { question: "Which word?" } } }
      - { expect: { toolResult: moin }, call: { tool: mcp__door__edit_file, with: { path: greeting.txt, find: hello, replace: moin } } }
      - { expect: { toolResult: edited }, say: The greeting is moin. }
  - name: long
    match: { marker: "(long)" }
    turns:
      - { call: { tool: mcp__door__write_file, with: { path: long.txt, content: "1\\n" } } }
      - { say: I think about it., hold: think, again: true }
      - { say: I left the rest. }
      - { say: I left it. }
      - { say: I have left it. }
`;

describe.skipIf(!hasChromium() || noCages || !canTry("claude"))("a real assistant in the console", () => {
  let rig: AssistantRig;
  let browser: Browser;
  let page: Page;
  let url: string;
  let troubles: PageTroubles;

  beforeAll(async () => {
    await buildConsole();
    rig = await AssistantRig.open(scenario, { "greeting.txt": "hello\n" });
    browser = await launchChromium();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "light" });
    // A real program begins slowly on a machine that is busy with other tests.
    context.setDefaultTimeout(120_000);
    page = await context.newPage();
    troubles = await PageTroubles.watch(page);
    const login = await rig.client.call("login", {});
    url = new URL(login.url).origin;
    await page.goto(login.url);
    await page.locator(".app[data-link=live]").waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await rig?.close();
  });

  const inState = (run: string, state: string) => page.locator(`[data-page=${run}][data-state=${state}]`).waitFor();

  test("what it says is told in its own words, its question is answered, and its change and its cost are there", async () => {
    const run = await rig.submit("claude", "Greets in another way", "(asking)");
    await page.goto(`${url}/runs/${run}`);
    await inState(run, "awaiting-input");
    await page.locator("[data-panel=asks]", { hasText: "Which word?" }).waitFor();
    await page.locator("[data-event='run.heard']", { hasText: "I begin." }).first().waitFor();
    await page.locator("[data-answer]").fill("moin");
    await page.keyboard.press("Enter");
    await inState(run, "done");
    await page.locator("[data-event='run.heard']", { hasText: "The greeting is moin." }).first().waitFor();
    await page.locator("td.line.add", { hasText: /^moin$/ }).waitFor();
    const { run: told } = await rig.client.call("run.get", { run });
    expect(told.runner).toBe("claude");
    await page.locator("[data-panel=facts]", { hasText: "claude" }).waitFor();
    await page.locator("[data-event='model.answered']").first().waitFor();
    await expectAccessible(page, "a run of a real assistant");
    expect(rig.model.problems).toEqual([]);
  });

  test("it is steered while it works, and the command that does the same is there to be copied", async () => {
    const run = await rig.submit("claude", "Takes long", "(long)");
    await page.goto(`${url}/runs/${run}`);
    await inState(run, "running");
    await rig.model.until(() => rig.model.begun.includes("long 1"));
    await page.getByRole("button", { name: "Steer…" }).waitFor();
    await page.keyboard.press("m");
    await page.getByRole("dialog").getByRole("textbox").fill("leave the rest");
    await page.keyboard.press("Control+Enter");
    await page.locator(".toast-command", { hasText: `signalbox steer ${run} 'leave the rest'` }).waitFor();
    await page.locator("[data-event='run.messaged']", { hasText: "leave the rest" }).first().waitFor();
    rig.model.release("think");
    await inState(run, "done");
    const heard = await rig.heard(run);
    expect(JSON.stringify(heard)).toContain("left");
    expect(troubles.found).toEqual([]);
  });
});
