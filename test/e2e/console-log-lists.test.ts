// Lists that the console reads from the log, in a real browser: what is no news hides nothing, and what could not be read is read again.

import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildConsole } from "../../scripts/build-console.ts";
import { hasChromium, launchChromium } from "../support/console-rig.ts";
import { type FaceWorld, openFaceWorld } from "../support/faces/face-world.ts";
import { playLongRun } from "../support/faces/long-run.ts";
import { openPage } from "../support/open-console.ts";
import { type PageTroubles, untilAddress } from "../support/page-checks.ts";

const consoleFolder = path.join(import.meta.dirname, "../../dist/console");

describe.skipIf(!hasChromium())("a list that is read from the log", () => {
  let world: FaceWorld;
  let browser: Browser;
  let page: Page;
  let troubles: PageTroubles;
  let run: string;

  beforeAll(async () => {
    await buildConsole();
    world = await openFaceWorld({ consoleFolder });
    ({ run } = await playLongRun(world, { calls: 150 }));
    // One command that takes most of an hour: of all that time there are only signs of life.
    const families = [...world.engine.state.table.families.keys()];
    for (let beat = 0; beat < 450; beat++) await world.submit({ type: "node.beat", node: "local", families });
    browser = await launchChromium();
    ({ page, troubles } = await openPage(browser, world.http, { scheme: "dark", timeoutMs: 20_000 }));
  });

  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  const goTo = (address: string) => page.goto(new URL(address, page.url()).href);
  const story = () => page.locator("[data-panel=story]");
  const told = (type: string) => story().locator(`.event[data-event="${type}"]`);

  test("has what happened to a run behind any number of renewals, in the sheet, on its page and on a phone", async () => {
    await goTo(`/runs?run=${run}`);
    const sheet = page.locator(`[data-sheet=${run}] .sheet-log`);
    await sheet.locator(".event").nth(20).waitFor();
    await goTo(`/runs/${run}`);
    await story().locator(".event").nth(100).waitFor();
    expect(await told("lease.renewed").count()).toBe(0);
    await story().getByLabel("Which events").selectOption({ label: "Claims and leases" });
    await told("lease.granted").first().waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await goTo(`/runs/${run}`);
    await story().locator(".event").nth(19).waitFor();
    await story().getByRole("button", { name: "Show 20 more" }).click();
    await story().locator(".event").nth(39).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test("says above a long list why it could not be read, and goes on by itself when it can be", async () => {
    await goTo(`/runs/${run}`);
    await story().getByRole("button", { name: "Show 200 more" }).waitFor();
    const timeline = page.locator("[data-panel=timeline]");
    await timeline.locator(".tl-tick").first().waitFor();
    const reads = /\/api\/v1\/(events\?|runs\/\w+\/story)/;
    await page.route(reads, (route) => route.abort());
    await playLongRun(world, { calls: 10, run });
    for (const panel of [story(), timeline]) {
      const alert = panel.getByRole("alert");
      await alert.filter({ hasText: "No daemon answers" }).waitFor();
      await alert.getByRole("button", { name: "Try again" }).waitFor();
    }
    await page.unroute(reads);
    // Nobody presses anything.
    const { events } = await world.http.call("events.read", {
      ...{ run, except: ["lease.renewed"] },
      ...{ before: world.engine.state.seq + 1, limit: 1 },
    });
    await story().locator(`.event[title*="event ${events[0]?.seq},"]`).waitFor();
    for (const panel of [story(), timeline]) await expect.poll(() => panel.getByRole("alert").count()).toBe(0);
  });

  test("reads a step that could not be read when it can be, and leads from nowhere to nowhere until then", async () => {
    const ofSteps = /\/story\?.*\bstep=/;
    await page.route(ofSteps, (route) => route.abort());
    await goTo(`/runs/${run}?step=20`);
    const moment = page.locator("[data-panel=moment]");
    await moment.getByRole("alert").getByRole("button", { name: "Try again" }).waitFor();
    const scrubber = page.locator(".scrubber");
    expect(await scrubber.getByRole("slider").getAttribute("aria-valuetext")).toBe("…");
    for (const name of ["Previous step", "Next step"])
      expect(await scrubber.getByRole("button", { name }).isDisabled()).toBe(true);
    await page.unroute(ofSteps);
    await moment.getByRole("button", { name: "step 20", exact: true }).waitFor();
    await scrubber.getByRole("button", { name: "Next step" }).click();
    await untilAddress(page, ({ searchParams }) => searchParams.get("step") === "21");
  });

  test("says of a run that is not there that it never was only where the daemon says so", async () => {
    const reads = /\/story\?|\/story$/;
    await page.route(reads, (route) => route.abort());
    await goTo("/runs/r_zzzz");
    const note = page.locator(".page-note", { hasText: "r_zzzz cannot be shown" });
    await note.getByRole("button", { name: "Try again" }).waitFor();
    const never = note.getByText("It was never there");
    expect(await never.count()).toBe(0);
    await page.unroute(reads);
    await never.waitFor();
    expect(await note.getByRole("button", { name: "Try again" }).count()).toBe(0);
  });

  test("asks now and then whom a run has reached, while it may reach anybody", async () => {
    const { run: over } = await world.http.call("run.submit", { project: "demo", title: "Over", runner: "mcp" });
    await world.http.call("run.stop", { run: over });
    const other = await page.context().newPage();
    await other.clock.install();
    let asked = 0;
    other.on("request", (request) => (asked += request.url().endsWith("/egress") ? 1 : 0));
    const lookAt = async (id: string): Promise<number> => {
      await other.goto(new URL(`/runs/${id}`, page.url()).href);
      await other.locator("[data-panel=network]", { hasText: "It has not tried to reach anybody" }).waitFor();
      return asked;
    };
    const before = await lookAt(over);
    await other.clock.fastForward(11_000);
    // Whatever else is asked for comes after it.
    await other.locator("[data-panel=story]").getByLabel("Which events").selectOption({ label: "Messages" });
    await other.locator("[data-panel=story]").getByText("Nothing of that kind has happened").waitFor();
    expect(asked).toBe(before);
    const living = await lookAt(run);
    await other.clock.fastForward(11_000);
    await expect.poll(() => asked).toBeGreaterThan(living);
    await other.close();
  });

  test("of an agent ends with what made it, below what is not shown", async () => {
    const { agent } = await world.http.call("agent.create", { project: "demo", template: "{ template: shop }" });
    const { events } = await world.http.call("events.read", { agent: agent.id, types: ["agent.created"] });
    const made = events[0]?.seq ?? 0;
    const seqs = Array.from({ length: 2050 }, (_, at) => made + 2050 - at);
    const more = seqs.map((seq) => ({ ...events[0], seq, type: "agent.recovered" }));
    await page.route(/\/events\?.*before=/, (route) =>
      route.fulfill({ json: { events: more, next: made + 1, more: true, at: made + 2050 } }),
    );
    await goTo(`/agents/${agent.name}`);
    for (let shown = 200; shown < 2050; shown += 200)
      await story()
        .getByRole("button", { name: /^Show \d+ more/ })
        .click();
    await story().getByRole("button", { name: "Look further back" }).waitFor();
    const rows = await story().locator(".event, .more-row").allInnerTexts();
    expect(rows.at(-2)).toContain("What happened before is not shown");
    expect(await story().locator(".event").last().getAttribute("data-event")).toBe("agent.created");
    await page.unrouteAll();
  });

  test("nothing broke and nothing was forbidden on the way", () => {
    expect(troubles.found).toEqual([]);
  });
});
