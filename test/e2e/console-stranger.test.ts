// Somebody who has never seen the console, with a mouse alone: what they find and do within their first minutes. The demo's last
// three runs stay as they are until somebody does something, so nothing here has to be caught while it happens.

import { rm } from "node:fs/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { ConsoleRig, hasChromium, launchChromium } from "../support/console-rig.ts";
import { noCages } from "../support/keeper-rig.ts";
import { PageTroubles, untilAddress } from "../support/page-checks.ts";

const mustRun = process.env["CI"] === "true";
const canRun = hasChromium() || mustRun;

describe.skipIf(!canRun)("a stranger's first minutes", () => {
  let rig: ConsoleRig;
  let browser: Browser;
  let client: Client;
  let page: Page;
  let troubles: PageTroubles;
  /** Where the demo's repository is: in a temporary folder of its own, which it leaves to whoever started it. */
  let roots: readonly string[] = [];

  beforeAll(async () => {
    rig = await ConsoleRig.start();
    browser = await launchChromium();
    client = await rig.connect();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "dark" });
    // What is written on a screen can only be read where it is no picture.
    await context.addInitScript(() => localStorage.setItem("signalbox.terminal-renderer", "dom"));
    // A machine that is busy with other tests is slow, not wrong.
    context.setDefaultTimeout(60_000);
    page = await context.newPage();
    troubles = await PageTroubles.watch(page);
  });

  afterAll(async () => {
    await browser?.close();
    await rig?.remove();
    for (const root of roots) await rm(root, { recursive: true, force: true });
  });

  const place = (name: string): Locator => page.getByRole("navigation").getByRole("link", { name });
  const lane = (title: string, state: string): Locator =>
    page.locator(`[data-lane][data-state=${state}]`, { hasText: title });
  const idOf = async (title: string): Promise<string> => {
    const { runs } = await client.call("run.list", { find: title });
    expect(runs).toHaveLength(1);
    return runs[0]?.id ?? "";
  };

  test("starts the demo from an empty console, and five land while three stay", async () => {
    await page.goto(rig.loginUrl);
    await page.getByRole("button", { name: "Start the demo" }).click();
    await page.locator(".toast", { hasText: "8 agents are at work" }).waitFor();
    roots = (await client.call("project.list", {})).projects.map(({ root }) => root);
    await lane("Count the stock", "running").waitFor();
    await lane("Sell out the plums", "blocked").waitFor();
    await lane("Try pull requests, too", "review").waitFor();
    await expect.poll(() => page.locator("[data-lane][data-state=done]").count()).toBe(5);
    for (const [tone, count] of [
      ["you", "1"],
      ["wait", "1"],
      ["go", "1"],
      ["rest", "5"],
    ])
      await page.locator(`[data-count=${tone}]`, { hasText: new RegExp(`^${count}$`) }).waitFor();
  });

  test("finds who holds a file, and who waits for it", async () => {
    const [holder, waiter] = [await idOf("Count the stock"), await idOf("Sell out the plums")];
    await place("Locks").click();
    const row = page.locator("[data-row][data-unit='file:src/app.ts']");
    await row.getByText(holder).waitFor();
    await row.click();
    const now = page.locator("[data-unit-now='file:src/app.ts']");
    await now.getByText("Count the stock").waitFor();
    await now.getByText("1 waits").waitFor();
    await page.locator(`[data-graph=${waiter}]`).getByText("Sell out the plums").waitFor();
    const { queue } = await client.call("locks", {});
    expect(queue.map((entry) => entry.holder)).toEqual([waiter]);
  });

  test("approves two hunks of a change set, and watches it land", async () => {
    const run = await idOf("Try pull requests, too");
    await place("Overview").click();
    await page.locator(`[data-need][data-run=${run}]`).getByRole("link", { name: "Review" }).click();
    await page.locator(".verdict-count", { hasText: "2 parts, none chosen" }).waitFor();
    await page.locator(".hunk").first().getByRole("checkbox").check();
    await page.getByRole("button", { name: "Land 1 chosen" }).waitFor();
    await page.locator(".hunk").nth(1).getByRole("checkbox").check();
    await page.locator(".verdict-count", { hasText: "2 of 2 chosen" }).waitFor();
    await page.getByRole("button", { name: "Land all 2 chosen" }).click();
    await page.locator(`[data-page=${run}][data-state=done]`).waitFor();
    await page.locator("[data-event='run.landed']", { hasText: "landed test.yml, its test passed" }).waitFor();
    await place("Landing").click();
    await page.locator(`[data-landed=${run}][data-how=landed]`).getByText("its test passed").waitFor();
    const { run: landed } = await client.call("run.get", { run });
    expect(landed.landed).not.toBeNull();
  });

  test("pauses a run, and lets it go on", async () => {
    const run = await idOf("Count the stock");
    await place("Overview").click();
    await lane("Count the stock", "running").click();
    const sheet = page.locator(`[data-sheet=${run}]`);
    await sheet.getByRole("button", { name: "Pause" }).click();
    await lane("Count the stock", "paused").waitFor();
    await sheet.getByRole("button", { name: "Resume" }).click();
    await lane("Count the stock", "running").waitFor();
    expect((await client.call("run.get", { run })).run.state).toBe("running");
  });

  test.skipIf(noCages)("opens a terminal in it", async () => {
    const run = await idOf("Count the stock");
    await page.locator(`[data-sheet=${run}]`).getByRole("button", { name: "Terminal" }).click();
    await untilAddress(page, ({ searchParams }) => searchParams.has("terminal"));
    await page.getByText("You have the keyboard.").waitFor();
    // Whoever opened it types: nothing has to be clicked first.
    await page.locator(".xterm-helper-textarea:focus").waitFor({ state: "attached" });
    await page.keyboard.type("grep Apple src/app.ts\n");
    // What the run has changed, and nobody else sees yet.
    await page.locator(".xterm-rows", { hasText: "stockApple = 96" }).waitFor();
    const { terminals } = await client.call("terminal.list", { run });
    expect(terminals.map(({ id }) => id)).toEqual([new URL(page.url()).searchParams.get("terminal")]);
  });

  test("sees the world of five minutes ago, as the log has it, and comes back", async () => {
    await place("Overview").click();
    await page.getByLabel("Look back").selectOption({ label: "5 minutes ago" });
    await untilAddress(page, ({ searchParams }) => searchParams.has("at"));
    const at = Number(new URL(page.url()).searchParams.get("at"));
    await page.locator(`[data-past="${at}"]`).waitFor();
    // How long all of this took is a matter of the machine, and so is what was there by then.
    const then = await client.call("run.list", { at });
    await expect.poll(() => page.locator("[data-lane]").count()).toBe(then.runs.length);
    if (then.runs.length === 0) await page.getByText("Nothing ran then").waitFor();
    // From there to the moment at which the stock began to be counted, by the slider.
    const run = await idOf("Count the stock");
    const { events } = await client.call("run.log", { run });
    const began = events.find(({ type, ["to"]: to }) => type === "run.moved" && to === "running")?.seq ?? 0;
    await page.getByRole("slider", { name: "Event" }).fill(String(began));
    await page.locator(`[data-past="${began}"]`).waitFor();
    await lane("Count the stock", "running").waitFor();
    expect(await page.locator("[data-lane][data-state=paused]").count()).toBe(0);
    await page.getByRole("button", { name: "Back to now" }).click();
    await page.locator(".app[data-link=live]").waitFor();
    await lane("Try pull requests, too", "done").waitFor();
  });

  test("nothing broke and nothing was forbidden on the way", () => {
    expect(troubles.found).toEqual([]);
  });
});
