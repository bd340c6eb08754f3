// The locks in a real browser: who holds a unit, also where more is held than one answer has.

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { expectAccessible, untilAddress } from "../support/page-checks.ts";

const heldAtOnce = 200;
const heldMax = 1200;

describe.skipIf(!hasChromium())("the locks of the console", () => {
  const suite = ConsoleSuite.forAll();
  let client: Client;
  let page: Page;

  beforeAll(() => {
    ({ client, page } = suite);
  });

  const unitNow = (unit: string) => page.locator(`[data-unit-now='${unit}']`);
  const goToUnit = (unit: string, more = ""): Promise<unknown> =>
    suite.goTo(`/locks?unit=${encodeURIComponent(`shop:${unit}`)}${more}`);

  test("of more than one answer has nothing is called free that somebody holds, now and in the past", async () => {
    for (let from = 0; from < heldMax; from += heldAtOnce) {
      const units = Array.from({ length: heldAtOnce }, (_, at) => `file:many/u${from + at}.txt`);
      await client.call("claim.make", { project: "shop", units, as: "mara", ttlMs: 3_600_000 });
    }
    await client.call("claim.make", { project: "shop", units: ["dir:deep"], as: "olga", ttlMs: 3_600_000 });
    const known = await client.call("locks", {});
    expect([known.truncated, known.leases.length]).toEqual([true, 1000]);
    const listed = new Set(known.leases.map(({ unit }) => unit));
    const far = Array.from({ length: heldMax }, (_, at) => `file:many/u${at}.txt`).find((unit) => !listed.has(unit));
    if (far === undefined) throw new Error("every unit is in the answer");
    const name = far.slice(far.lastIndexOf("/") + 1);

    await goToUnit(far);
    await unitNow(far).getByText("mara").waitFor();
    const acts = page.locator("[data-panel=unit] .panel-head");
    await acts.getByRole("button", { name: "Wait for it" }).waitFor();
    expect(await page.getByRole("button", { name: "Hold for me" }).count()).toBe(0);
    // Its folder is held by somebody who is on no list either.
    await goToUnit("file:deep/down/x.ts");
    await unitNow("file:deep/down/x.ts").getByText("holds it by dir:deep").waitFor();
    await goToUnit("dir:many");
    await unitNow("dir:many").getByText("At least 1,000 units in it are held.").waitFor();
    await goToUnit("file:free.ts");
    await unitNow("file:free.ts").getByText("It is free.").waitFor();
    await acts.getByRole("button", { name: "Hold for me" }).waitFor();

    // What one types is found among all, on this page and in the palette.
    await page.keyboard.press("/");
    await page.keyboard.type(`many/${name}`);
    await page.locator(`[data-row][data-unit='${far}'][data-heat=held]`).waitFor();
    await page.keyboard.press("Escape");
    for (const [typed, unit, says] of [
      [`many/${name}`, far, "held by mara"],
      ["deep/down/x.ts", "file:deep/down/x.ts", "held by olga, with dir:deep"],
      ["free.ts", "file:free.ts", "held by nobody"],
    ] as const) {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(typed);
      await page.locator(`[data-item='unit shop:${unit}']`, { hasText: says }).waitFor();
      await page.keyboard.press("Escape");
      await page.locator(".palette").waitFor({ state: "detached" });
    }

    // It looks the same from then on, after it was given back.
    const { seq } = await client.call("status", {});
    const { leases } = await client.call("locks", { unit: far });
    await client.call("claim.release", { claim: leases[0]?.claim ?? "", units: [far] });
    await goToUnit(far);
    await unitNow(far).getByText("It is free.").waitFor();
    await goToUnit(far, `&at=${seq}`);
    await unitNow(far).getByText("mara").waitFor();
  });

  test("of a run that holds more than its timeline begins with all are to be had", async () => {
    const steps = [...Array.from({ length: 6 }, (_, at) => ({ claim: `file:own/part-${at}.ts` })), { ask: "Go on?" }];
    const run = await suite.submit("Holds six", steps);
    await suite.goTo(`/runs/${run}`);
    const held = page.locator(".tl-bar.holds");
    await page.getByRole("button", { name: "2 more units" }).click();
    await expect.poll(() => held.count()).toBe(6);
    await untilAddress(page, ({ search }) => search === "");
    await page.getByRole("button", { name: "Fewer units" }).click();
    await expect.poll(() => held.count()).toBe(4);
    await client.call("run.stop", { run });
  });

  test("what is chosen of the view is in its address, and the usual is not", async () => {
    const pressed = (name: string) => page.getByRole("button", { name, exact: true, pressed: true });
    const choose = async (name: string, query: string): Promise<void> => {
      await page.getByRole("button", { name, exact: true }).click();
      await untilAddress(page, ({ search }) => search === query);
    };
    await suite.goTo("/locks");
    await choose("Held", "?units=held");
    await choose("In order", "?units=held&waits=order");
    await choose("12h", "?units=held&waits=order&span=12h");
    await page.getByRole("button", { name: "What is in many/" }).click();
    await untilAddress(page, ({ searchParams }) => searchParams.get("folded") === "shop:dir:many");
    await page.locator("[data-row][data-unit^='file:many']").first().waitFor({ state: "detached" });
    await page.reload();
    await page.locator("[data-row][data-unit='dir:many']").waitFor();
    for (const name of ["Held", "In order", "12h"]) await pressed(name).waitFor();
    expect(await page.locator("[data-row][data-unit^='file:many']").count()).toBe(0);
    await page.getByRole("button", { name: "What is in many/" }).click();
    // A folder that is folded up by its arrow is also chosen.
    await untilAddress(page, ({ searchParams }) => !searchParams.has("folded"));
    await page.getByRole("button", { name: "Close the unit" }).click();
    await choose("4h", "?units=held&waits=order");
    await choose("Graph", "?units=held");
    await choose("All", "");
    await suite.goTo("/?units=contended&waits=order");
    for (const name of ["Contended", "In order"]) await pressed(name).waitFor();
  });

  test("of a unit that a run holds it says how it comes free, and offers what helps", async () => {
    const run = await suite.submit("Takes no messages", [{ claim: "file:kept.ts" }, { sleep: "10m" }]);
    await client.waitForRun(run, { states: ["running"] });
    await goToUnit("file:kept.ts");
    const now = unitNow("file:kept.ts");
    await now.getByText("It takes no messages: stopping it frees the unit.").waitFor();
    expect(await page.getByRole("button", { name: "Ask for it…" }).count()).toBe(0);
    await page.keyboard.press("s");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: `Stop ${run}` })
      .click();
    await now.getByText("It is free.").waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const row = page.locator(`[data-past=${run}]`);
    for (const cell of ["its run was over", "–"]) await row.getByText(cell).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test("what was given back is called free at once, in words, since when, and is not among what is held", async () => {
    const unit = "file:passing.ts";
    const { claim } = await client.call("claim.make", { project: "shop", units: [unit], as: "mara", ttlMs: 3_600_000 });
    await suite.goTo("/locks?find=passing");
    const row = page.locator(`[data-row][data-unit='${unit}']`);
    await row.getByText("mara").waitFor();
    expect(await row.getAttribute("data-heat")).toBe("held");
    await client.call("claim.release", { claim });
    await row.getByText(/^free for \d+s$/).waitFor();
    expect([await row.getAttribute("data-heat"), await row.getByText("mara").count()]).toEqual(["free", 0]);
    await page.getByRole("button", { name: "Held", exact: true }).click();
    await row.waitFor({ state: "detached" });
  });

  test("what one holds is held on by the same key, and the command that does so is told", async () => {
    await goToUnit("file:mine.ts");
    await page.getByRole("button", { name: "Hold for me" }).waitFor();
    await page.keyboard.press("h");
    await page.getByText("You hold file:mine.ts for an hour").waitFor();
    const held = async () => (await client.call("locks", { unit: "file:mine.ts" })).leases;
    const [first] = await held();
    await page.getByRole("button", { name: "Renew" }).waitFor();
    await page.keyboard.press("h");
    await page.getByText("file:mine.ts is held for another hour").waitFor();
    await page.locator(".toast-command", { hasText: `signalbox renew ${first?.claim} --ttl 1h` }).waitFor();
    const [renewed, ...others] = await held();
    expect([renewed?.claim, others]).toEqual([first?.claim, []]);
    expect(renewed?.expiresAtMs).toBeGreaterThan(first?.expiresAtMs ?? Infinity);
  });

  test("what was waited for is told with for how long, leads to its unit, and was not so before", async () => {
    const { seq } = await client.call("status", {});
    await client.call("claim.make", { project: "shop", units: ["file:wanted.ts"], as: "mara", ttlMs: 3_600_000 });
    const run = await suite.submit("Wants it", [{ claim: "file:wanted.ts" }]);
    await suite.goTo("/locks");
    const row = page.locator("[data-panel=contention] [data-waited='file:wanted.ts']");
    await row.getByText(/^\d+[sm] waited for$/).waitFor();
    await expectAccessible(page, "contention");
    await row.click();
    await untilAddress(page, ({ searchParams }) => searchParams.get("unit") === "shop:file:wanted.ts");
    await unitNow("file:wanted.ts").getByText("mara").waitFor();
    await client.call("run.stop", { run });
    await suite.goTo(`/locks?at=${seq}`);
    await page.locator("[data-panel=contention]").getByText("Nobody had to wait").waitFor();
    await page.getByRole("button", { name: "Back to now" }).click();
    await row.waitFor();
  });

  test("nothing broke and nothing was forbidden on the way", () => {
    expect(suite.troubles).toEqual([]);
  });
});
