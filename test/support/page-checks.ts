// What is checked on every page of the console: nothing broke, nothing was forbidden, and everybody can use it.

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Collects what must not happen on a page, from before its first line of script. */
export class PageTroubles {
  readonly #found: string[] = [];

  private constructor() {}

  static async watch(page: Page): Promise<PageTroubles> {
    const troubles = new PageTroubles();
    page.on("pageerror", (error) => troubles.#found.push(`error: ${error.message}`));
    page.on("console", (message) => {
      // The browser itself reports each request that fails; a daemon that was killed makes some.
      const isNetwork = /Failed to load resource|WebSocket connection/.test(message.text());
      if (message.type() === "error" && !isNetwork) troubles.#found.push(`console: ${message.text()}`);
    });
    await page.exposeFunction("reportViolation", (text: string) => troubles.#found.push(`csp: ${text}`));
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        const report = (window as unknown as { reportViolation: (text: string) => void }).reportViolation;
        report(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
      });
    });
    return troubles;
  }

  get found(): readonly string[] {
    return this.#found;
  }
}

/** Waits until the address says so: a key that was pressed is heard, and what comes of it is drawn, a moment later. */
export async function untilAddress(page: Page, isThere: (address: URL) => boolean): Promise<void> {
  await page.waitForURL(isThere, { waitUntil: "commit" });
}

/** No violation that axe knows, by the rules of WCAG up to 2.2 AA and its own best practices. */
export async function expectAccessible(page: Page, where: string, what: "all" | "colours" = "all"): Promise<void> {
  // Pages of ours have no frames of others, so all of it can be done in the page itself: half of the work.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  // In the other theme a page is the same but for its colours.
  const { violations } = await (what === "all" ? axe : axe.withRules(["color-contrast"])).analyze();
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
  expect({ where, found }).toEqual({ where, found: [] });
}
