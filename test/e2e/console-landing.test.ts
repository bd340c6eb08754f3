// What a landing meets, in a real browser: a test that fails says all that it said, where one looks for what became of landings.

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { noCages } from "../support/keeper-rig.ts";
import { expectAccessible } from "../support/page-checks.ts";

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
    expect(suite.troubles).toEqual([]);
  });
});
