// Lists that the console reads from the log, in a real browser: what is no news hides nothing, and what could not be read is read again.

import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildConsole } from "../../scripts/build-console.ts";
import { hasChromium, launchChromium } from "../support/console-rig.ts";
import { type FaceWorld, openFaceWorld } from "../support/faces/face-world.ts";
import { playLongRun } from "../support/faces/long-run.ts";
import { openPage } from "../support/open-console.ts";
import type { PageTroubles } from "../support/page-checks.ts";

const consoleFolder = path.join(import.meta.dirname, "../../dist/console");

describe.skipIf(!hasChromium())("a list that is read from the log", () => {
  let world: FaceWorld;
  let browser: Browser;
  let page: Page;
  let troubles: PageTroubles;
  let run: string;

  beforeAll(async () => {
    await buildConsole();
    world = await openFaceWorld({ consoleFolder });
    ({ run } = await playLongRun(world, { calls: 60 }));
    // One command that takes most of an hour: of all that time there are only signs of life.
    const families = [...world.engine.state.table.families.keys()];
    for (let beat = 0; beat < 450; beat++) await world.submit({ type: "node.beat", node: "local", families });
    browser = await launchChromium();
    ({ page, troubles } = await openPage(browser, world.http, { scheme: "dark", timeoutMs: 20_000 }));
  });

  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  const goTo = (address: string) => page.goto(new URL(address, page.url()).href);
  const story = () => page.locator("[data-panel=story]");
  const told = (type: string) => story().locator(`.event[data-event="${type}"]`);

  test("has what happened to a run behind any number of renewals, in the sheet, on its page and on a phone", async () => {
    await goTo(`/runs?run=${run}`);
    const sheet = page.locator(`[data-sheet=${run}] .sheet-log`);
    await sheet.locator(".event").nth(20).waitFor();
    await goTo(`/runs/${run}`);
    await story().locator(".event").nth(100).waitFor();
    expect(await told("lease.renewed").count()).toBe(0);
    await story().getByLabel("Which events").selectOption({ label: "Claims and leases" });
    await told("lease.granted").first().waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await goTo(`/runs/${run}`);
    await story().locator(".event").nth(19).waitFor();
    await story().getByRole("button", { name: "Show 20 more" }).click();
    await story().locator(".event").nth(39).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test("nothing broke and nothing was forbidden on the way", () => {
    expect(troubles.found).toEqual([]);
  });
});
