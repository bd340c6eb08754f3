// A real assistant in the console: what it says and wants, what it costs, and what a person tells it while it works.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildConsole } from "../../scripts/build-console.ts";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry } from "../support/assistants.ts";
import { hasChromium, launchChromium } from "../support/console-rig.ts";
import { noCages } from "../support/keeper-rig.ts";
import { openPage } from "../support/open-console.ts";
import { expectAccessible, type PageTroubles } from "../support/page-checks.ts";

const slowly = "One word comes after the other, and whoever wants to may read along while it is being said.";

const scenario = `
conversations:
  - name: asking
    match: { marker: "(asking)" }
    turns:
      - { say: I begin., call: { tool: mcp__door__claim, with: { units: ["file:greeting.txt"] } } }
      - { expect: { toolResult: yours }, call: { tool: mcp__door__ask_user, with: { question: "Which word?" } } }
      - { expect: { toolResult: moin }, call: { tool: mcp__door__edit_file, with: { path: greeting.txt, find: hello, replace: moin } } }
      - { expect: { toolResult: edited }, say: The greeting is moin. }
  - name: speaking
    match: { marker: "(speaking)" }
    turns: [ { say: "${slowly}", hold: speak, midway: true } ]
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
    // A real program begins slowly on a machine that is busy with other tests.
    ({ page, url, troubles } = await openPage(browser, rig.client, { timeoutMs: 120_000 }));
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
    await page.locator(".tl-cost").first().waitFor();
    await expectAccessible(page, "a run of a real assistant");
    // What its model was asked and answered is at what that cost.
    const { artifacts } = await rig.client.call("run.artifacts", { run });
    const [first = "", ...others] = artifacts.map(({ name }) => name).filter((name) => name.startsWith("exchange-"));
    expect(others.length).toBeGreaterThanOrEqual(3);
    await page
      .locator("[data-panel=cost]")
      .getByRole("button", { name: first.slice("exchange-".length), exact: true })
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("pre", { hasText: "(asking)" }).waitFor();
    await dialog.locator("pre", { hasText: "I begin." }).waitFor();
    await dialog.getByText(`signalbox artifacts ${run} ${first}`).waitFor();
    await expectAccessible(page, "a request and its answer");
    await page.keyboard.press("Escape");
    expect(rig.model.problems).toEqual([]);
  });

  test("[RN47] what it is just saying grows on its page, until it has said it to its end", async () => {
    const run = await rig.submit("claude", "Says it slowly", "(speaking)");
    await page.goto(`${url}/runs/${run}`);
    await page.locator("[data-saying=message]", { hasText: "One word comes" }).waitFor();
    expect(JSON.stringify(await rig.heard(run))).not.toContain("One word");
    await expectAccessible(page, "a run that is just saying something");
    rig.model.release("speak");
    await page.locator("[data-event='run.heard']", { hasText: slowly }).waitFor();
    await page.locator("[data-saying]").waitFor({ state: "detached" });
    await inState(run, "done");
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
