// What is measured inside of a page. The function is sent there whole: it may use nothing from out here.

import type { Page } from "playwright-core";

export type Watched = { readonly longTasksMs: readonly number[]; readonly framesMs: readonly number[] };

type Watch = { longTasks: number[]; frames: number[]; last: number };

/** Every page that is opened from now on counts its long tasks and its frames. */
export async function watchPage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watch: Watch = { longTasks: [], frames: [], last: 0 };
    Object.assign(window, { watch });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watch.longTasks.push(duration);
    }).observe({ type: "longtask", buffered: true });
    const frame = (now: number): void => {
      if (watch.last > 0) watch.frames.push(now - watch.last);
      watch.last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** What was seen since the last time. */
export function takeWatched(page: Page): Promise<Watched> {
  return page.evaluate(() => {
    const { watch } = window as unknown as { watch: Watch };
    const seen = { longTasksMs: watch.longTasks, framesMs: watch.frames };
    watch.longTasks = [];
    watch.frames = [];
    return seen;
  });
}

/** Looks at a row from now on. What it answers is when the row has become another and was drawn, by the clock that everybody has. */
export async function whenDrawn(page: Page, row: string): Promise<() => Promise<number>> {
  await page.evaluate((selector) => {
    const say = (): string => {
      const found = document.querySelector<HTMLElement>(selector);
      const steps = found?.querySelector(".scrubber input")?.getAttribute("max") ?? "";
      return `${found?.dataset["state"]} ${found?.querySelector(".services-count")?.textContent ?? ""} ${steps}`;
    };
    const before = say();
    const drawn = new Promise<number>((resolve) => {
      const look = (): void => {
        if (say() === before) requestAnimationFrame(look);
        // The frame after the one in which it was found is on the screen.
        else requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
      };
      look();
    });
    Object.assign(window, { drawn });
  }, row);
  return () => page.evaluate(() => (window as unknown as { drawn: Promise<number> }).drawn);
}
