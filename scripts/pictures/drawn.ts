// Waits until a page is drawn: nothing that is read is still on its way, and what was scrolled into sight is painted.

import type { Page } from "playwright-core";

export async function untilDrawn(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector("main .bones") === null);
  // Painted is what two frames have passed over: in the first it is laid out.
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}
