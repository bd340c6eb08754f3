// Everybody can use every place of the console, in each of its states: axe finds nothing, on a desk and on a phone, in dark and in light.
// The places are those of the pictures, so that what has a picture is looked at here, too.

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Session, Shot } from "../../scripts/pictures/camera.ts";
import { type Conflict, conflictNames, openConflict } from "../../scripts/pictures/conflict.ts";
import { type RunningCrowd, startCrowd } from "../../scripts/pictures/crowd.ts";
import { untilDrawn } from "../../scripts/pictures/drawn.ts";
import { toPlaces } from "../../scripts/pictures/places.ts";
import {
  crowdedPlaces,
  emptyPlaces,
  onePlaces,
  signedOut,
  toErrors,
  toLoading,
  toLong,
} from "../../scripts/pictures/states.ts";
import { holdMany, makeWorld, submitLong, type World } from "../../scripts/pictures/world.ts";
import { ConsoleRig, hasChromium, launchChromium } from "../support/console-rig.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents } from "../support/living-agents.ts";
import { expectAccessible } from "../support/page-checks.ts";

const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
/** What is typed into a terminal is on no page: it is drawn. */
const withoutKeys: ReadonlySet<string> = new Set(["run-terminal", "agent-windows"]);

const nobody: World = {
  ...{ review: "", question: "", busy: "", agent: "", broken: "", terminal: "", recording: "", window: "", task: "" },
  ...{ failed: "", rejected: "", moment: 1, late: 1 },
};
const toShots = (world: World): readonly Shot[] => [...toPlaces(world), ...toLoading(world), ...toErrors(world)];
const namesOf = (shots: readonly Shot[]): readonly string[] => shots.map(({ name }) => name);
/** As many rows as a list may have. Of what the overview draws at once there is less: axe looks at every part of it. */
const crowd = { agents: 60, runs: 10_000, atWork: 60, events: 5000 };
/** Code, logs and what commands said: on a phone they are folded, and never pushed out of sight. */
const folded =
  ".diff-scroll, .log-scroll, .spec, .output, .code-edit, .code-edit textarea, .pane-side ol, .p-blame .panel-scroll, " +
  ".command, .s-said, .file-past-diff, .event-value, .approve-list, dialog pre, .moment-says, .leave-more";

describe.skipIf(!hasChromium() || noCages)("everybody can use", () => {
  let browser: Browser;
  let context: BrowserContext | undefined;

  beforeAll(async () => {
    browser = await launchChromium(["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]);
  });
  afterEach(async () => {
    await context?.close();
  });
  afterAll(async () => {
    await browser?.close();
  });

  /** The link works once; every page after it shares the session. */
  const signIn = async ({ loginUrl, url }: Pick<ConsoleRig, "loginUrl" | "url">): Promise<Session> => {
    const first = await browser.newContext();
    const page = await first.newPage();
    await page.goto(loginUrl);
    await page.waitForSelector(".app[data-link=live]");
    const state = await first.storageState();
    await first.close();
    return { url, state };
  };

  /** In dark on a desk and in light on a phone, and the other way round, in which only colours can be wrong. */
  const expectUsable = async (session: Session, shots: readonly Shot[], name: string): Promise<void> => {
    const shot = shots.find((each) => each.name === name);
    if (shot === undefined) throw new Error(`there is no place ${name}`);
    context = await browser.newContext({
      ...{ viewport: desk, storageState: session.state, colorScheme: "dark", reducedMotion: "reduce" },
    });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    await shot.before?.(page);
    await page.goto(`${session.url}${shot.at}`);
    await page.waitForSelector(shot.ready);
    if (shot.isUnfinished !== true) await untilDrawn(page);
    if (!withoutKeys.has(name)) await shot.after?.(page);
    await expectAccessible(page, `${name}, desk, dark`);
    await page.emulateMedia({ colorScheme: "light" });
    await expectAccessible(page, `${name}, desk, light`, "colours");
    await page.setViewportSize(phone);
    await expectAccessible(page, `${name}, phone, light`);
    expect(await widthOf(page), `${name} is as wide as the phone`).toBe(phone.width);
    expect(await pushedOut(page), `code of ${name} that is wider than its place`).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessible(page, `${name}, phone, dark`, "colours");
    await shot.last?.(page);
  };

  describe("a console with nothing in it, and with one of everything", () => {
    let rig: ConsoleRig;
    let session: Session;

    beforeAll(async () => {
      rig = await ConsoleRig.start();
      session = await signIn(rig);
    });
    afterAll(() => rig?.remove());

    test("signed-out", async () => {
      const stranger = await browser.newContext();
      const state = await stranger.storageState();
      await stranger.close();
      await expectUsable({ url: rig.url, state }, [signedOut], signedOut.name);
    });

    test.each(namesOf(emptyPlaces))("%s", (name) => expectUsable(session, emptyPlaces, name));

    test.each(namesOf(onePlaces))("%s", async (name) => {
      const client = await rig.connect();
      const { projects } = await client.call("project.list", {});
      if (projects.length === 0) {
        await client.call("project.add", { root: await rig.makeFolder("track"), name: "track" });
        const script = JSON.stringify({ task: "one", steps: [{ claim: "file:src/one.ts" }, { ask: "Go on?" }] });
        const { run } = await client.call("run.submit", { project: "track", title: "The only one", script });
        await client.waitForRun(run, { states: ["awaiting-input"] });
      }
      await expectUsable(session, onePlaces, name);
    });
  });

  describe("a landing that met somebody else's change", () => {
    let conflict: Conflict;
    let session: Session;

    beforeAll(async () => {
      conflict = await openConflict();
      session = await signIn({ loginUrl: conflict.loginUrl, url: new URL(conflict.loginUrl).origin });
    });
    afterAll(() => conflict?.close());

    test.each(conflictNames)("%s", (name) => expectUsable(session, conflict.shots, name));
  });

  describe("a crowd", () => {
    let running: RunningCrowd;
    let session: Session;

    beforeAll(async () => {
      running = await startCrowd(crowd);
      session = await signIn({ loginUrl: running.loginUrl, url: new URL(running.loginUrl).origin });
    });
    afterAll(() => running?.stop());

    test.each(namesOf(crowdedPlaces))("%s", (name) => expectUsable(session, crowdedPlaces, name));
  });

  describe("a morning", () => {
    let rig: ConsoleRig;
    let session: Session;
    let shots: readonly Shot[];
    let long: readonly Shot[];

    beforeAll(async () => {
      rig = await ConsoleRig.start();
      const client = await rig.connect();
      shots = toShots(await makeWorld(rig, client));
      long = toLong(await submitLong(client));
      await holdMany(client);
      session = await signIn(rig);
    });
    afterAll(async () => {
      try {
        await removeAgents(await rig.connect());
      } finally {
        await rig?.remove();
      }
    });

    test.each(namesOf(toShots(nobody)))("%s", (name) => expectUsable(session, shots, name));
    test.each(namesOf(toLong("")))("%s", (name) => expectUsable(session, long, name));

    test("on a phone runs say what they wait for, counts are told whole, and there is room to look for something", async () => {
      context = await browser.newContext({ viewport: phone, storageState: session.state, hasTouch: true });
      const page = await context.newPage();
      await page.goto(`${session.url}/runs`);
      const row = page.locator("[data-row]", { hasText: "Structured errors in handlers" });
      await row.getByText("app.ts").waitFor();
      await row.getByText(/1st, after r_/).waitFor();
      for (const at of ["/", shots.find(({ name }) => name === "past")?.at ?? ""]) {
        await page.goto(`${session.url}${at}`);
        await page.locator(".tile-detail").first().waitFor();
        expect(await cutOf(page, ".tile-detail"), `counts that are cut at ${at}`).toEqual([]);
        const find = await page.getByRole("searchbox").first().boundingBox();
        expect(find?.width, `room to type at ${at}`).toBeGreaterThan(40);
      }
    });

    test("on a desk one looks for something at the same place everywhere", async () => {
      context = await browser.newContext({ viewport: desk, storageState: session.state });
      const page = await context.newPage();
      const left: (number | undefined)[] = [];
      for (const at of ["/", "/inbox", "/locks", "/settings/policies"]) {
        await page.goto(`${session.url}${at}`);
        const box = await page.locator(".find").boundingBox();
        left.push(box?.x);
      }
      expect(left).toEqual(left.map(() => left[0]));
    });

    test("on a phone units scroll with the page, and what was chosen of them stays in sight", async () => {
      context = await browser.newContext({ viewport: phone, storageState: session.state, hasTouch: true });
      const page = await context.newPage();
      await page.goto(`${session.url}/locks`);
      const list = page.getByRole("table", { name: "Units by path" });
      const last = page.locator("[data-unit='file:src/pages/page-60.tsx']");
      await list.locator("[data-unit]").first().waitFor();
      const ownPx = await list.evaluate((box) => box.scrollHeight - box.clientHeight);
      expect(ownPx, "what the list scrolls by itself").toBe(0);
      expect(await last.count(), "a unit far below is not drawn yet").toBe(0);
      const row = await list.boundingBox();
      await page.evaluate((top) => scrollTo({ top }), (row?.y ?? 0) + (row?.height ?? 0) - phone.height);
      await last.tap();
      await page.locator("[data-unit-now='file:src/pages/page-60.tsx']").waitFor();
      const box = await page.locator("[data-panel=unit]").boundingBox();
      expect(box?.y, "its panel stands below the bar").toBeGreaterThanOrEqual(40);
      expect(box?.y).toBeLessThan(phone.height / 2);
      await page.getByRole("button", { name: "Close the unit" }).tap();
      await page.locator("[data-unit-now]").waitFor({ state: "detached" });
    });

    test("disconnected", async () => {
      const away: Shot = {
        name: "disconnected",
        at: "/",
        ready: ".app[data-link=live] [data-lane]",
        after: async (page) => {
          await rig.kill();
          await page.getByText(/Disconnected for /).waitFor();
        },
      };
      try {
        await expectUsable(session, [away], away.name);
      } finally {
        await rig.up();
      }
    });
  });
});

/** Of the page in the whole, whatever is beyond its edge. */
async function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth);
}

/** Code that one would have to scroll sideways to read to its end. */
async function pushedOut(page: Page): Promise<readonly string[]> {
  return page
    .locator(folded)
    .evaluateAll((all) =>
      all
        .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1)
        .map((each) => `${each.classList.value} ${each.scrollWidth} in ${each.clientWidth}`),
    );
}

/** What does not fit into its place. */
async function cutOf(page: Page, selector: string): Promise<readonly string[]> {
  return page
    .locator(selector)
    .evaluateAll((all) =>
      all
        .filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight + 1)
        .map((each) => each.textContent),
    );
}
