// What a landing meets, in a real browser: a test that fails says all that it said, where one looks for what became of landings.

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { noCages } from "../support/keeper-rig.ts";
import { expectAccessible, untilAddress } from "../support/page-checks.ts";

describe.skipIf(!hasChromium() || noCages)("landings in the console", () => {
  const suite = ConsoleSuite.forAll();
  let client: Client;
  let page: Page;

  beforeAll(() => {
    ({ client, page } = suite);
  });

  test("what the test of a candidate said is read where it is told that it did not land, and on its run's page", async () => {
    const landingTest = ["sh", "-c", "echo '<b>16</b> of 17 passed'; echo 'prices: 49 is not 50'; exit 1"];
    await client.call("project.change", { project: "shop", landingTest });
    const run = await suite.submit("Rounds the prices", [{ write: { path: "prices.txt", content: "49\n" } }]);
    await client.waitForRun(run, { states: ["review"] });
    const said = page.getByRole("dialog", { name: "What the test said" });
    for (const address of ["/landing", `/runs/${run}`]) {
      await suite.goTo(address);
      await page.getByRole("button", { name: "What the test said" }).click();
      await said.locator("pre", { hasText: "<b>16</b> of 17 passed\nprices: 49 is not 50" }).waitFor();
      await expectAccessible(page, `what a test said, from ${address}`);
      await page.keyboard.press("Escape");
      await said.waitFor({ state: "detached" });
    }
  });

  test("[LG19] at a moment that was it has what was on its way and had landed then, and so has the inbox", async () => {
    await client.call("project.change", { project: "shop", landingTest: null });
    const first = await suite.submit("Landed by then", [{ write: { path: "first.txt", content: "1\n" } }]);
    await client.waitForRun(first);
    const asks = await suite.submit("Asked then", [{ ask: "Which price?" }]);
    await client.waitForRun(asks, { states: ["awaiting-input"] });
    await client.call("project.change", { project: "shop", landingTest: ["sh", "-c", "sleep 1"] });
    const second = await suite.submit("On its way then", [{ write: { path: "second.txt", content: "2\n" } }]);
    await client.waitForRun(second);
    await client.call("run.answer", { run: asks, text: "50" });
    await client.waitForRun(asks);
    const { events } = await client.call("events.read", { run: second, types: ["landing.begun", "run.moved"] });
    const moved = events.findLast((event) => event["to"] === "landing")?.seq ?? 0;
    await suite.goTo(`/locks?at=${moved}`);
    await page.locator(`[data-past="${moved}"]`).waitFor();
    const places = page.getByRole("navigation", { name: "Places" });
    await places.getByRole("link", { name: "Landing" }).click();
    await untilAddress(page, ({ search }) => search === `?at=${moved}`);
    await page.locator(`[data-landing=${second}]`).waitFor();
    await page.locator(`[data-landed=${first}][data-how=landed]`).waitFor();
    expect(await page.locator(`[data-landed=${second}]`).count()).toBe(0);
    await expectAccessible(page, "landings in the past");
    await places.getByRole("link", { name: "Inbox" }).click();
    await page.locator(`[data-item="question ${asks}"]`, { hasText: "Which price?" }).waitFor();
    await page.locator(`[data-past="${moved}"]`).waitFor();
    await expectAccessible(page, "the inbox in the past");
    // The log and what is set are those of now, and say so.
    await places.getByRole("link", { name: "Events" }).click();
    await page.locator(`[data-now="${moved}"]`, { hasText: "This is now." }).waitFor();
    await page.locator(".app[data-link=live]").waitFor();
    await expectAccessible(page, "now, with the way back to the past");
    await places.getByRole("link", { name: "Settings" }).click();
    await page.locator(`[data-now="${moved}"]`).waitFor();
    await page.keyboard.press("z");
    await page.locator(`[data-past="${moved}"]`).waitFor();
    await page.keyboard.press("z");
    await page.locator(".app[data-link=live]").waitFor();
    await places.getByRole("link", { name: "Landing" }).click();
    await page.locator(`[data-landed=${second}][data-how=landed]`).waitFor();
    expect(suite.troubles).toEqual([]);
  });
});
