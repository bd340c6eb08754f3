// A run that has made thousands of calls, in a real browser: its page tells all of it, and goes on however much comes at once.

import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildConsole } from "../../scripts/build-console.ts";
import { showDollars } from "../../src/protocol/dollars.ts";
import { hasChromium, launchChromium } from "../support/console-rig.ts";
import { type FaceWorld, openFaceWorld } from "../support/faces/face-world.ts";
import { keepAlive, playLongRun } from "../support/faces/long-run.ts";
import { openPage } from "../support/open-console.ts";
import { expectAccessible, type PageTroubles } from "../support/page-checks.ts";

const consoleFolder = path.join(import.meta.dirname, "../../dist/console");

describe.skipIf(!hasChromium())("a run of thousands of calls", () => {
  let world: FaceWorld;
  let browser: Browser;
  let page: Page;
  let troubles: PageTroubles;
  let run: string;
  let count: number;
  /** Number of the newest event that the page was sent. */
  let heardTo = 0;
  let rest: () => void;

  beforeAll(async () => {
    await buildConsole();
    world = await openFaceWorld({ consoleFolder });
    rest = keepAlive(world);
    ({ run, steps: count } = await playLongRun(world, { calls: 2400 }));
    browser = await launchChromium();
    ({ page, troubles } = await openPage(browser, world.http, { scheme: "dark" }));
    page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => {
        const { at } = JSON.parse(payload.toString()) as { readonly at?: number };
        heardTo = Math.max(heardTo, at ?? 0);
      }),
    );
  });

  afterAll(async () => {
    rest?.();
    await browser?.close();
    await world?.close();
  });

  const goTo = (address: string) => page.goto(new URL(address, page.url()).href);
  const meta = () => page.locator("[data-panel=timeline] .meta").innerText();
  const labels = () => page.locator("[data-panel=timeline] .tl-label").allInnerTexts();
  const allSteps = () => page.getByRole("slider", { name: "Step" }).getAttribute("max");
  const stepIn = () => new URL(page.url()).searchParams.get("step");
  const momentOf = (call: number) =>
    page.locator("[data-panel=moment]").getByRole("button", { name: `step ${call}`, exact: true });

  test("is told from its beginning to its end, with all that it held and what it cost", async () => {
    await goTo(`/runs/${run}`);
    await page.locator("[data-panel=timeline] .tl-tick").first().waitFor();
    // A very long log is told in parts.
    await expect.poll(meta).toContain(`${count.toLocaleString("en")} steps`);
    await expect.poll(meta).not.toContain("read up to");
    const { spend, submittedAtMs } = (await world.http.call("run.get", { run })).run;
    const shown = (await labels()).join("\n");
    for (const label of ["State", "Leases", "Messages", "Calls", "Cost", "Checkpoints"]) expect(shown).toContain(label);
    expect(shown).toContain(showDollars(spend.costMicros));
    expect(await page.locator("[data-panel=cost] .meta").innerText()).toContain(
      `${showDollars(spend.costMicros)} for ${spend.requests} requests`,
    );
    const { fromMs, counts } = await world.http.call("run.story", { run });
    expect(fromMs).toBe(submittedAtMs);
    expect(counts.events).toBeGreaterThan(3000);
    // A bounded number of marks stands for all of them, and the page says so.
    expect(await page.locator(".tl-tick").count()).toBeLessThan(400);
    await page.locator(".tl-note", { hasText: "one mark stands for all of them" }).waitFor();
    expect(await page.locator(".tl-bar.st").count()).toBeGreaterThan(1);
  });

  test("has its first step, its last and any between them, by key, by slider and by address", async () => {
    const slider = page.getByRole("slider", { name: "Step" });
    await slider.press("Home");
    await momentOf(0).waitFor();
    expect(stepIn()).toBe("0");
    const { lastStep } = await world.http.call("run.story", { run });
    const last = lastStep?.call ?? -1;
    await slider.press("End");
    await page.locator(".scrubber-at", { hasText: "all steps" }).waitFor();
    await page.keyboard.press(",");
    await momentOf(last).waitFor();
    const { steps } = await world.http.call("run.story", { run, from: 1234, limit: 2 });
    const [middle, next] = steps.rows.map(({ call }) => call);
    await slider.fill("1234");
    await momentOf(middle ?? -1).waitFor();
    await page.keyboard.press(".");
    await momentOf(next ?? -1).waitFor();
    await goTo(`/runs/${run}?step=1`);
    await momentOf(1).waitFor();
    await goTo(`/runs/${run}?step=${last + 1000}`);
    await page.locator("[data-panel=moment]", { hasText: `There is no step ${last + 1000}` }).waitFor();
    await goTo(`/runs/${run}`);
    await page.locator("[data-panel=timeline] .tl-tick").first().waitFor();
  });

  test("goes on after more than the page keeps came while nobody looked at it", async () => {
    // What a browser does with a tab that is not seen: no frame is drawn until it is.
    await page.evaluate(() => {
      const drawNow = window.requestAnimationFrame.bind(window);
      const held: FrameRequestCallback[] = [];
      window.requestAnimationFrame = (draw) => held.push(draw);
      Object.assign(window, {
        lookAgain: () => {
          window.requestAnimationFrame = drawNow;
          for (const draw of held) drawNow(draw);
        },
      });
    });
    const before = Number(await allSteps());
    const { seq } = world.engine.state;
    await playLongRun(world, { calls: 300, run });
    // And then others have the log for themselves: of this run nothing is in the last that came.
    await playLongRun(world, { calls: 250, title: "Somebody else" });
    expect(world.engine.state.seq - seq).toBeGreaterThan(1500);
    await expect.poll(() => heardTo).toBe(world.engine.state.seq);
    await page.evaluate("window.lookAgain()");
    await expect.poll(allSteps).toBe(String(before + 300));
    expect(await page.locator("[data-panel=story] .event").count()).toBeGreaterThan(50);
    await playLongRun(world, { calls: 5, run });
    await expect.poll(allSteps).toBe(String(before + 305));
    await page.getByRole("slider", { name: "Step" }).press("End");
    await page.keyboard.press(",");
    const { lastStep } = await world.http.call("run.story", { run });
    await momentOf(lastStep?.call ?? -1).waitFor();
  });

  test("is told of the past, too", async () => {
    const { at } = await world.http.call("run.story", { run });
    const then = Math.floor(at / 2);
    const story = await world.http.call("run.story", { run, at: then });
    await goTo(`/runs/${run}?at=${then}`);
    await page.locator(`[data-past='${then}']`).waitFor();
    await page.locator("[data-panel=timeline] .tl-tick").first().waitFor();
    expect(await allSteps()).toBe(String(story.counts.steps));
    await goTo(`/runs/${run}`);
    await page.locator("[data-panel=timeline] .tl-tick").first().waitFor();
  });

  test("can be read by everybody, also on a phone, and nothing broke on the way", async () => {
    await expectAccessible(page, "a long run");
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page, "a long run on a phone");
    expect(troubles.found).toEqual([]);
  });
});
