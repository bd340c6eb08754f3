// What no list of the console has any more is found all the same, in a real browser.

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { untilAddress } from "../support/page-checks.ts";

/** More than the page keeps of those that ended. */
const endedSince = 70;

describe.skipIf(!hasChromium())("what ended long ago", () => {
  const suite = ConsoleSuite.forAll();
  let client: Client;
  let page: Page;

  beforeAll(async () => {
    ({ client, page } = suite);
    // Nothing has to run for this.
    await client.call("policy.set", { name: "none", rules: { maxConcurrent: 0 } });
  });

  const submit = (title: string, more: object = {}): Promise<string> => suite.submit(title, [{ say: "hi" }], more);

  test("runs that a run started stay on its page, however many end after them", async () => {
    const parent = await submit("Starts others");
    const child = await submit("Ended first", { parent });
    const grandchild = await submit("Started by that", { parent: child });
    for (const run of [grandchild, child]) await client.call("run.stop", { run });
    await suite.goTo(`/runs/${parent}`);
    const row = (run: string, state: string) => page.locator(`[data-sub-run=${run}] > div`, { hasText: state });
    await row(child, "Terminated").waitFor();
    const others = await Promise.all(Array.from({ length: endedSince }, (_, at) => submit(`Other ${at}`)));
    await Promise.all(others.map((run) => client.call("run.stop", { run })));
    const { runs } = await client.call("run.list", { state: ["terminated"], limit: 60 });
    expect(runs.some(({ id }) => id === child)).toBe(false);
    const late = await submit("Started now", { parent });
    await row(late, "Queued").waitFor();
    expect(await row(child, "Terminated").count()).toBe(1);
    await page.reload();
    await row(grandchild, "Terminated").waitFor();
    await row(late, "Queued").waitFor();
    await client.call("run.stop", { run: late });
    await row(late, "Terminated").waitFor();
  });

  test("whoever goes back finds every list where they left it, and whoever goes on begins at the top", async () => {
    const units = Array.from({ length: 200 }, (_, at) => `file:many/u${at}.txt`);
    await client.call("claim.make", { project: "shop", units, as: "mara", ttlMs: 3_600_000 });
    await Promise.all(Array.from({ length: 230 }, (_, at) => submit(`Waits ${at}`)));
    const lists = [".tracks-scroll", ".locks-scroll"];
    const places = (): Promise<number[]> =>
      page.evaluate((all) => all.map((each) => document.querySelector(each)?.scrollTop ?? -1), lists);
    const leave = async (place: string): Promise<void> => {
      await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: place }).click();
      await untilAddress(page, ({ pathname }) => pathname === `/${place.toLowerCase()}`);
    };
    await suite.goTo("/");
    // More rows than a list shows at first.
    await page.getByRole("button", { name: /^Show \d+ more$/ }).click();
    await page.locator("[data-lane]").nth(180).waitFor({ state: "attached" });
    await page.evaluate(
      (all) => all.forEach((each, at) => document.querySelector(each)?.scrollTo(0, 5000 - at * 3500)),
      lists,
    );
    const left = await places();
    expect(left).toEqual([5000, 1500]);
    await leave("Settings");
    await page.locator("[data-panel=setting-list]").waitFor();
    await page.goBack();
    await expect.poll(places).toEqual(left);
    await leave("Runs");
    await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Overview" }).click();
    await page.locator(".tracks-scroll").waitFor();
    expect(await places()).toEqual([0, 0]);
    // The page itself, on a phone, where it is the page that scrolls.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => scrollTo(0, 1000));
    await expect.poll(() => page.evaluate("scrollY")).toBe(1000);
    await page.locator("nav.tabs").getByRole("link", { name: "Inbox" }).click();
    await untilAddress(page, ({ pathname }) => pathname === "/inbox");
    await page.locator("[data-panel=inbox]").waitFor();
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.goBack();
    await expect.poll(() => page.evaluate("scrollY")).toBe(1000);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test("nothing broke and nothing was forbidden on the way", () => {
    expect(suite.troubles).toEqual([]);
  });
});
