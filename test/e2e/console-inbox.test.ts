// The inbox in the console: what needs a person, answered where it is shown.

import { rmSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { ConsoleRig, hasChromium, launchChromium } from "../support/console-rig.ts";
import { noCages } from "../support/keeper-rig.ts";
import { expectAccessible, PageTroubles, untilAddress } from "../support/page-checks.ts";
import { SampleProject } from "../support/sample-project.ts";

const broken = `
template: broken
services:
  web:
    command: 'exit 3'
    restart: { delay: 10ms, limit: 1 }
`;

describe.skipIf(!hasChromium() || noCages)("the inbox in the console", () => {
  let rig: ConsoleRig;
  let browser: Browser;
  let client: Client;
  let page: Page;
  let troubles: PageTroubles;
  const sample = new SampleProject({ "a.txt": "a\n" });

  beforeAll(async () => {
    rig = await ConsoleRig.start();
    browser = await launchChromium();
    client = await rig.connect();
    await client.call("project.add", { root: sample.root, name: "track" });
    await client.call("policy.set", { name: "ask", scope: { project: "track" }, rules: { approvalRequired: true } });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "light" });
    context.setDefaultTimeout(60_000);
    page = await context.newPage();
    troubles = await PageTroubles.watch(page);
    await page.goto(rig.loginUrl);
  });

  afterAll(async () => {
    for (const { id } of (await client.call("agent.list", {})).agents) {
      await client.call("agent.remove", { agent: id, force: true, discard: true });
      await client.call("agent.wait", { agent: id }).catch(() => undefined);
    }
    await browser?.close();
    await rig?.remove();
    sample.remove();
  });

  const submit = async (title: string, steps: readonly object[]): Promise<string> => {
    const script = JSON.stringify({ task: "from a script", steps });
    return (await client.call("run.submit", { project: "track", title, script })).run;
  };
  const item = (kind: string, subject: string) => page.locator(`[data-item="${kind} ${subject}"]`);

  test("a console without runs offers the demo, and one click starts it", async () => {
    await page.getByRole("button", { name: "Start the demo" }).click();
    await page.getByText("8 agents are at work").waitFor();
    await page.locator("[data-lane]", { hasText: "Count the stock" }).waitFor();
    await expect.poll(() => page.locator("[data-lane]").count()).toBe(8);
    const { projects } = await client.call("project.list", {});
    const demo = projects.find(({ name }) => name === "demo-shop");
    const { runs } = await client.call("run.list", { tag: "demo" });
    expect(runs).toHaveLength(8);
    await client.call("run.stop-all", {});
    for (const { id } of runs) await client.waitForRun(id);
    // Its test stays closed until it is proven that nothing of it runs.
    const isRemoved = (): Promise<boolean> =>
      client.call("project.remove", { project: "demo-shop" }).then(
        () => true,
        () => false,
      );
    await expect.poll(isRemoved).toBe(true);
    rmSync(demo?.root ?? "", { recursive: true });
  });

  test("nothing needs anybody, and it says what would come here", async () => {
    await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Inbox" }).click();
    await page.getByText("Nothing needs you").waitFor();
    await expectAccessible(page, "an empty inbox");
  });

  test("words that were begun for one question do not answer the next one", async () => {
    const run = await submit("Asks twice", [{ ask: "First?" }, { ask: "Second?" }]);
    await page.goto(`${rig.url}/runs/${run}`);
    const panel = page.locator("[data-panel=asks]");
    await panel.getByText("First?").waitFor();
    await panel.locator("[data-answer]").fill("for the first");
    await client.call("run.answer", { run, text: "from somebody else" });
    await panel.getByText("Second?").waitFor();
    await panel.locator("[data-answer]").press("Enter");
    await panel.locator("[data-answer]").fill("for the second");
    await panel.getByRole("button", { name: "Answer" }).click();
    await page.locator(`[data-page=${run}][data-state=done]`).waitFor();
    const { events } = await client.call("events.read", { run, types: ["run.answered"] });
    expect(events.map(({ text }) => text)).toEqual(["from somebody else", "for the second"]);
    await page.goBack();
    await page.getByText("Nothing needs you").waitFor();
  });

  test("questions, reviews, failures and agents come by themselves, and are answered by keys alone", async () => {
    const asks = await submit("Asks", [{ ask: "Shall I go on?" }, { write: { path: "a.txt", content: "a" } }]);
    await item("question", asks).waitFor();
    const review = await submit("Writes", [{ write: { path: "b.txt", content: "b" } }]);
    await item("review", review).waitFor();
    const fails = await submit("Fails", [{ fail: "no luck" }]);
    await item("failure", fails).getByText("no luck").waitFor();
    const { agent } = await client.call("agent.create", { project: "track", template: broken });
    await item("agent", agent.id).waitFor();
    expect(await page.locator("[data-item]").count()).toBe(4);
    await expectAccessible(page, "an inbox");

    await page.keyboard.press("j");
    await page.keyboard.press("r");
    await page.keyboard.type("yes");
    await page.keyboard.press("Enter");
    await item("question", asks).waitFor({ state: "detached" });

    await page.locator("[data-kind=failure]").click();
    await untilAddress(page, ({ search }) => search === "?kind=failure");
    await page.keyboard.press("j");
    await page.keyboard.press("y");
    await item("failure", fails).waitFor({ state: "detached" });
    await page.locator(".toast-command", { hasText: `signalbox inbox --seen ${fails}` }).waitFor();
    await page.locator("[data-kind=failure]").click();

    await item("agent", agent.id).getByRole("button", { name: "Stop" }).click();
    await item("agent", agent.id).waitFor({ state: "detached" });
    // The one that was answered waits for a review now, too, and came later.
    await item("review", asks).waitFor();
    await page.locator(".rail-link[aria-current=page] .rail-count", { hasText: /^2/ }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.locator(`[data-page=${review}]`).waitFor();
    await untilAddress(page, ({ pathname }) => pathname === `/runs/${review}`);
  });

  test("[RN43] work that did not land is seen with a key, and is back by undo; the run's page has it and how to get it back", async () => {
    await client.call("policy.set", {
      name: "closed",
      scope: { project: "track" },
      rules: { deniedPaths: ["taken.txt"] },
    });
    const run = await submit("Goes too far", [{ run: "echo mine > taken.txt" }]);
    await client.waitForRun(run);
    await page.goto(`${rig.url}/inbox?kind=warning`);
    await item("warning", run).getByText("did not land: taken.txt (policy closed forbids it)").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("y");
    await item("warning", run).waitFor({ state: "detached" });
    await page.getByText("Goes too far is off the inbox").waitFor();
    await page.keyboard.press("u");
    await item("warning", run).waitFor();
    await item("warning", run).getByRole("button", { name: "Seen" }).click();
    await item("warning", run).waitFor({ state: "detached" });

    await page.goto(`${rig.url}/runs/${run}`);
    await page.locator(".run-because", { hasText: "all that it changed was set aside" }).waitFor();
    const aside = page.locator(".p-aside [data-trash='taken.txt']");
    await aside.getByText("policy closed forbids it").waitFor();
    await page.locator(".p-changes .panel-head", { hasText: "set aside" }).waitFor();
    await expectAccessible(page, "a run whose work was set aside");
    await aside.getByRole("button", { name: "Restore" }).click();
    await page.getByRole("dialog").getByText("mine").waitFor();
    await page.keyboard.press("Escape");
  });

  test("on a phone it is the first that one sees of what waits", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${rig.url}/inbox`);
    await page.locator("[data-item]").first().waitFor();
    await expectAccessible(page, "an inbox on a phone");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await page.locator(".tab-count").innerText()).toContain("2");
    expect(troubles.found).toEqual([]);
  });
});
