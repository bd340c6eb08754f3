// The console without a mouse: from the overview to a landed hunk, to another run, and back. Whoever goes through a page with Tab
// sees at each step where they are.

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { untilAddress } from "../support/page-checks.ts";

const mustRun = process.env["CI"] === "true";
const canRun = hasChromium() || mustRun;
/** More than any of the pages has. */
const stopsMax = 150;

type Stop = { readonly what: string; readonly trouble: string | null };

describe.skipIf(!canRun)("the console by keys alone", () => {
  const suite = ConsoleSuite.forAll({ scheme: "light", reducedMotion: "reduce" });
  let client: Client;
  let page: Page;
  let review: string;
  let busy: string;

  beforeAll(async () => {
    ({ client, page } = suite);
    const { staying } = await client.call("demo.start", { folder: `${suite.rig.folder}/demo`, stay: true });
    [review = "", busy = ""] = staying;
    await client.waitForRun(review, { states: ["review"] });
    await client.waitForRun(busy, { states: ["running"] });
    await suite.goTo("/");
    await page.locator(".board").waitFor();
  });

  const keys = async (...pressed: readonly string[]): Promise<void> => {
    for (const key of pressed) await page.keyboard.press(key);
  };
  const pageIn = (run: string, state: string): Promise<void> =>
    page.locator(`[data-page=${run}][data-state=${state}]`).waitFor();

  /** Goes through the page with Tab until it comes round, and looks at each stop whether it can be seen. */
  async function walk(): Promise<Stop[]> {
    // From the top of the page, wherever one was before.
    await page.evaluate(() => {
      document.body.tabIndex = -1;
      document.body.focus();
      document.body.removeAttribute("tabindex");
    });
    const stops: Stop[] = [];
    for (let at = 0; at < stopsMax; at++) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === null || element === document.body) return null;
        if (element.hasAttribute("data-walked")) return null;
        element.setAttribute("data-walked", "");
        const box = element.getBoundingClientRect();
        // A field may be marked by the frame that it stands in.
        const isMarked = [element, element.parentElement].some((each) => {
          if (each === null) return false;
          const { outlineStyle, outlineWidth, boxShadow, opacity } = getComputedStyle(each);
          const hasOutline = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1;
          return opacity !== "0" && (hasOutline || boxShadow !== "none");
        });
        const isInSight =
          box.width > 0 &&
          box.height > 0 &&
          box.bottom > 0 &&
          box.right > 0 &&
          box.top < innerHeight &&
          box.left < innerWidth;
        const name = element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 40) ?? "";
        return {
          what: `${element.tagName.toLowerCase()}.${element.className} ${name}`,
          trouble: isMarked ? (isInSight ? null : "out of sight") : "no mark",
        };
      });
      if (stop === null) break;
      stops.push(stop);
    }
    await page.evaluate(() => {
      for (const each of document.querySelectorAll("[data-walked]")) each.removeAttribute("data-walked");
    });
    return stops;
  }

  const expectSeen = async (where: string, leastStops: number): Promise<void> => {
    const stops = await walk();
    expect({ where, found: stops.filter(({ trouble }) => trouble !== null) }).toEqual({ where, found: [] });
    expect(stops.length).toBeGreaterThanOrEqual(leastStops);
    expect(stops.length, "it comes round").toBeLessThan(stopsMax);
  };

  test("from the overview to a review: a hunk is chosen and lands, and then the rest", async () => {
    await expectSeen("overview", 20);
    await page.locator(`[data-need][data-run=${review}]`).waitFor();
    await keys("n", "o");
    await page.locator(".verdict-count", { hasText: "2 parts, none chosen" }).waitFor();
    await expectSeen("review", 20);
    await keys("j", "a");
    await page.locator(".hunk.on").waitFor();
    await page.getByRole("button", { name: "Land 1 chosen" }).waitFor();
    await keys("l");
    await page.locator("[data-event='run.landed']").waitFor();
    await page.locator(".verdict-count", { hasText: "1 part, none chosen" }).waitFor();
    await pageIn(review, "review");
    await keys("l");
    await pageIn(review, "done");
    expect((await client.call("run.get", { run: review })).run.state).toBe("done");
  });

  test("from there to another run: it is paused, and goes on", async () => {
    await keys("Control+k");
    // Who types before it is there types elsewhere.
    await page.locator("[role=combobox]:focus").waitFor();
    await page.keyboard.type("count stock");
    await page.locator(`[data-item='run ${busy}'][aria-selected=true]`).waitFor();
    await keys("Enter");
    await untilAddress(page, (address) => address.href.includes(busy));
    await page.getByRole("heading", { name: "Count the stock" }).waitFor();
    await keys("p");
    await expect.poll(async () => (await client.call("run.get", { run: busy })).run.state).toBe("paused");
    await page.locator(".badge", { hasText: "Paused" }).waitFor();
    await keys("p");
    await expect.poll(async () => (await client.call("run.get", { run: busy })).run.state).toBe("running");
    await page.locator(".badge", { hasText: "Running" }).waitFor();
  });

  test.each([
    ["/inbox", 10],
    ["/runs", 10],
    ["/agents", 10],
    ["/locks", 10],
    ["/landing", 10],
    ["/events", 10],
    ["/settings/projects", 10],
    ["/settings/tasks", 10],
    ["/settings/you", 10],
  ])("Tab shows where one is, all the way round %s", async (place, least) => {
    await suite.goTo(place);
    await page.locator(".board, .empty").first().waitFor();
    await expectSeen(place, least);
  });

  test("nothing broke and nothing was forbidden on the way", () => {
    expect(suite.troubles).toEqual([]);
  });
});
