// What the console says by its signs, in a real browser: the same thing is said the same way wherever it is said, whole, and never by
// its colour alone.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents, settledAgent } from "../support/living-agents.ts";
import { expectAccessible, untilAddress } from "../support/page-checks.ts";

const broken = `
template: mailer
services:
  smtp: { command: 'exit 3', restart: { delay: 10ms, limit: 1 } }
`;

describe.skipIf(!hasChromium() || noCages)("signs of the console", () => {
  const suite = ConsoleSuite.forAll();
  let client: Client;
  let page: Page;
  let waiters: readonly string[];

  beforeAll(async () => {
    ({ client, page } = suite);
    const holder = await suite.submit("Holds both", [{ claim: ["file:x.txt", "file:y.txt"] }, { ask: "Go on?" }]);
    await client.waitForRun(holder, { states: ["awaiting-input"] });
    const wait = async (title: string, unit: string, priority: number): Promise<string> => {
      const run = await suite.submit(title, [{ claim: unit }], { priority });
      await client.waitForRun(run, { states: ["blocked"] });
      return run;
    };
    waiters = [await wait("Wants x", "file:x.txt", 5), await wait("Wants y", "file:y.txt", 0)];
  });

  afterAll(() => removeAgents(client));

  test("a place in a queue is the same in the tree, in the order and on the lane; that in the project is told on hover", async () => {
    const last = waiters[1] ?? "";
    await suite.goTo("/?waits=tree");
    const place = page.locator(`[data-waiter=${last}] .place`);
    await place.waitFor();
    expect(await place.innerText()).toBe("1st");
    expect(await place.getAttribute("title")).toBe("1st for file:y.txt, 2nd in the queue of its project");
    await page.locator(`[data-lane][data-run=${last}]`, { hasText: "1st" }).waitFor();
    await suite.goTo("/?waits=order");
    const row = page.locator(".queue-row", { hasText: last });
    expect(await row.locator(".chip").innerText()).toBe("1");
    expect(await row.locator(".chip").getAttribute("title")).toContain("2nd in the queue of its project");
    // A number before a title says what it is.
    const priority = page.locator(".queue-row .priority");
    expect(await priority.getAttribute("title")).toMatch(/^Priority 5: .*before/);
    expect(await priority.innerText()).toMatch(/\+5$/);
  });

  test("ids that are as short as most are stand there", async () => {
    await suite.goTo("/");
    const id = page.locator(".chips .rid", { hasText: waiters[0] ?? "" }).first();
    await id.waitFor();
    expect(await id.innerText()).toBe(waiters[0]);
  });

  test.each([
    ["r_5abcd", 1440],
    ["r_5abcd", 1300],
    ["an-assistant-elsewhere", 1440],
  ])("the id of who waits is whole, or they are counted: %s at %d", async (id, width) => {
    await client.call("run.submit", { project: "shop", title: "Wants x, too", script: wantsX });
    await page.setViewportSize({ width, height: 900 });
    await page.route("**/api/v1/locks**", async (route) => {
      const response = await route.fetch();
      const known = await response.text();
      // As long as ids are once very much has happened.
      const body = waiters.reduce((text, run, at) => text.replaceAll(`"${run}"`, `"${id}${at}"`), known);
      await route.fulfill({ response, body });
    });
    for (const address of ["/", "/locks"]) {
      await suite.goTo(address);
      const chips = page.locator(".chips").first();
      await chips.waitFor();
      const found = await page.locator(".chips").evaluateAll((all) =>
        all.map((each) => {
          const room = each.getBoundingClientRect();
          const ids = [...each.querySelectorAll<HTMLElement>(".rid")].filter((rid) => rid.offsetParent !== null);
          const isWhole = (rid: HTMLElement): boolean =>
            rid.scrollWidth <= rid.clientWidth + 1 && rid.getBoundingClientRect().right <= room.right + 1;
          const count = each.querySelector<HTMLElement>(".chips-count");
          return { whole: ids.every(isWhole), says: ids.length > 0 || /^\d+ waits?$/.test(count?.innerText ?? "") };
        }),
      );
      expect(found.length).toBeGreaterThan(0);
      for (const { whole, says } of found)
        expect({ address, whole, says }).toEqual({
          address,
          whole: true,
          says: true,
        });
    }
    await page.unroute("**/api/v1/locks**");
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test("a state stands on the line of its row, among runs and among agents", async () => {
    const { agent } = await client.call("agent.create", { project: "shop", template: broken });
    await settledAgent(client, agent.id);
    for (const address of ["/runs", "/agents"]) {
      await suite.goTo(address);
      await page.locator("[data-row]").first().waitFor();
      const off = await page.locator("[data-row]").evaluateAll((rows) =>
        rows.map((row) => {
          const bottom = (selector: string): number => row.querySelector(selector)?.getBoundingClientRect().bottom ?? 0;
          return Math.abs(bottom(".state > span") - bottom(".c-title a"));
        }),
      );
      expect({ address, off: off.filter((px) => px > 0.6) }).toEqual({ address, off: [] });
    }
  });

  test("how many are broken is told from how many there are by more than a colour, also on a phone", async () => {
    await suite.goTo("/");
    const rail = page.locator(".rail-link", { hasText: "Agents" }).locator(".rail-count");
    await rail.locator("svg").waitFor();
    expect(await rail.innerText()).toMatch(/^1\s+in error$/);
    await page.setViewportSize({ width: 390, height: 844 });
    const tab = page.locator(".tab", { hasText: "Agents" }).locator(".tab-count");
    await tab.locator("svg").waitFor();
    expect(await tab.innerText()).toMatch(/^1\s+in error$/);
    await expectAccessible(page, "a phone with an agent in error");
    await page.setViewportSize({ width: 1440, height: 900 });
    await removeAgents(client);
    await expect.poll(() => rail.count()).toBe(0);
  });

  test("a time is asked for as times are written, and what is none is said to be none", async () => {
    await suite.goTo("/events");
    const field = page.getByLabel("or at");
    await field.fill("11/15/2026 02:05 PM");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByRole("button", { name: "Go there" }).count()).toBe(0);
    const written = await page.locator("[data-seq] time").first().getAttribute("title");
    await field.fill((written ?? "").slice(0, "2026-11-15 14:05:02".length));
    await page.getByRole("button", { name: "Go there" }).click();
    await untilAddress(page, ({ searchParams }) => searchParams.has("event"));
    expect(suite.troubles).toEqual([]);
  });
});

const wantsX = JSON.stringify({ task: "from a script", steps: [{ claim: "file:x.txt" }] });
