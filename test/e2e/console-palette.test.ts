// The palette: each thing that has a name, and each act, from a few letters and by keys alone.

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { expectAccessible, untilAddress } from "../support/page-checks.ts";

describe.skipIf(!hasChromium())("the palette", () => {
  const suite = ConsoleSuite.forAll();
  let client: Client;
  let page: Page;

  beforeAll(async () => {
    ({ client, page } = suite);
    await client.call("policy.set", { name: "nightly", rules: { maxConcurrent: 1 } });
  });

  const say = async (words: string): Promise<void> => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(words);
  };
  const choose = async (title: string): Promise<void> => {
    await page.locator(".palette-row[aria-selected=true]", { hasText: title }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".palette").waitFor({ state: "detached" });
  };

  test.each([
    ["nightly", "nightly", "/settings/policies?name=nightly"],
    ["node-postgres", "node-postgres", "/settings/templates?name=node-postgres"],
    ["profiles", "Profiles", "/settings/profiles"],
    ["new task", "New task", "/settings/tasks?name=%2B"],
    ["new agent", "New agent", "/settings/templates"],
  ])("%j leads to %s", async (words, title, href) => {
    await suite.goTo("/");
    await say(words);
    await choose(title);
    await untilAddress(page, ({ pathname }) => href.startsWith(pathname) && pathname !== "/");
    const { pathname: path, search } = new URL(page.url());
    expect(`${path}${search}`).toBe(href);
  });

  test("an act is offered to what it can be done to, with nothing selected, and says its command", async () => {
    const run = await suite.submit("Waits for a word", [{ ask: "Go on?" }]);
    await client.call("run.wait", { run, states: ["awaiting-input"], waitMs: 20_000 });
    await suite.goTo("/events");
    await say("pause");
    await page.locator(`[data-item="act pause ${run}"][aria-selected=true]`).waitFor();
    expect(await page.locator(".palette-foot code").innerText()).toBe(`signalbox pause ${run}`);
    await expectAccessible(page, "the palette with acts");
    await choose(`Pause ${run}`);
    await page.locator(".toast-command", { hasText: `signalbox pause ${run}` }).waitFor();
    expect((await client.call("run.get", { run })).run.state).toBe("paused");
    expect(suite.troubles).toEqual([]);
  });
});
