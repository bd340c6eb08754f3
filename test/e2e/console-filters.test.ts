// Lists that are narrowed: by one press they are whole again, and so is the address.

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { untilAddress } from "../support/page-checks.ts";

describe.skipIf(!hasChromium())("filters of the console", () => {
  const suite = ConsoleSuite.forAll();
  let client: Client;
  let page: Page;

  beforeAll(async () => {
    ({ client, page } = suite);
    // Nothing has to run for this.
    await client.call("policy.set", { name: "none", rules: { maxConcurrent: 0 } });
  });

  const clear = () => page.getByRole("button", { name: "Clear", exact: true });
  const isWhole = ({ search }: URL): boolean => search === "";

  test("of runs: state, runner, tag and text go together", async () => {
    const run = await suite.submit("Waits for a slot", [{ say: "hi" }], { tags: ["nightly"] });
    await suite.goTo("/runs");
    const row = page.locator(`[data-row=${run}]`);
    await row.waitFor();
    expect(await clear().count(), "there is nothing to clear").toBe(0);
    for (const [label, option, name] of [
      ["Runner", "script", "runner"],
      ["State", "Over", "state"],
    ] as const) {
      await page.getByRole("combobox", { name: label }).selectOption({ label: option });
      await untilAddress(page, ({ searchParams }) => searchParams.has(name));
    }
    await page.getByLabel("Tag", { exact: true }).fill("nightly");
    await page.getByText("No run matches").waitFor();
    await clear().click();
    await row.waitFor();
    await untilAddress(page, isWhole);
    await suite.goTo("/runs?find=nothing+of+that+name");
    await page.getByText("No run matches").waitFor();
    await clear().click();
    await row.waitFor();
    await untilAddress(page, isWhole);
    expect(suite.troubles).toEqual([]);
  });
});
