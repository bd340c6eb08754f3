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
  - name: stopping
    match: { marker: "(stopping)" }
    turns:
      - { say: I write and write and write., hold: write, midway: true }
      - { expect: { said: look first }, say: I look first. }
  - name: holding
    match: { marker: "(holding)" }
    turns:
      - { call: { tool: mcp__door__claim, with: { units: ["file:wanted.txt"] } } }
      - { say: I keep it., hold: keep, again: true }
      - { expect: { said: Others wait for wanted.txt }, say: I am done with it. }
      - { say: I was done with it. }
  - { name: probe, match: { marker: Hi }, turns: [{ say: Hello. }, { error: { status: 429 } }] }
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
  });

  test("it is interrupted in the middle of what it says, and goes on with what it was told", async () => {
    const run = await rig.submit("claude", "Writes and writes", "(stopping)");
    await page.goto(`${url}/runs/${run}`);
    await page.locator("[data-saying=message]", { hasText: "I write" }).waitFor();
    await page.keyboard.press("i");
    const asked = page.getByRole("dialog", { name: `Interrupt ${run}` });
    await asked.getByRole("textbox").fill("look first");
    await expectAccessible(page, "an interruption");
    await page.keyboard.press("Control+Enter");
    await page.locator(".toast-command", { hasText: `signalbox steer --interrupt ${run} 'look first'` }).waitFor();
    await page.locator("[data-event='run.heard']", { hasText: "I look first." }).first().waitFor();
    await inState(run, "done");
  });

  test("whoever waits for a unit asks the run that holds it for it, in words that can be changed", async () => {
    const run = await rig.submit("claude", "Keeps a file", "(holding)");
    await rig.model.until(() => rig.model.begun.includes("holding 1"));
    await page.goto(`${url}/locks`);
    await page.locator("[data-row][data-unit='file:wanted.txt']").click();
    await page.locator("[data-unit-now='file:wanted.txt']").getByText("Keeps a file").waitFor();
    await page.getByRole("button", { name: "Ask for it…" }).waitFor();
    await page.keyboard.press("y");
    const words = page.getByRole("dialog").getByRole("textbox");
    expect(await words.inputValue()).toMatch(/^Others wait for wanted\.txt\. Land what is done there, or give it back/);
    await page.keyboard.press("Control+Enter");
    await page.locator(".toast-command", { hasText: `signalbox steer ${run} 'Others wait for wanted.txt.` }).waitFor();
    rig.model.release("keep");
    await page.locator("[data-unit-now='file:wanted.txt']").getByText("It is free.").waitFor();
    const { events } = await rig.client.call("run.log", { run });
    expect(events.some(({ type }) => type === "run.messaged")).toBe(true);
  });

  test("a probe of its runner says whether its model answers", async () => {
    await page.goto(`${url}/settings/runners?name=claude`);
    const runner = page.locator("[data-panel=runner]");
    await runner.getByRole("button", { name: "Probe" }).click();
    await runner
      .getByRole("status")
      .getByText(/ answers$/)
      .waitFor();
    await runner.getByRole("button", { name: "Probe" }).click();
    await runner.getByRole("status").getByText("scripted").waitFor();
    expect(troubles.found).toEqual([]);
  });
});
