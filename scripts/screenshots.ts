// Takes the pictures of the console for the documents: a private daemon, sample runs, a real browser.

import fs from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { ConsoleRig, hasChromium, launchChromium } from "../test/support/console-rig.ts";
import { root } from "./run.ts";
import { startSamples } from "./sample-runs.ts";

const target = path.join(root, "docs/images");
const bytesMax = 300_000;
const sizes = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
} as const;
const themes = ["dark", "light"] as const;

process.exitCode = await main();

async function main(): Promise<number> {
  if (!hasChromium()) {
    console.error("signalbox: there is no Chromium at /usr/bin/chromium; SIGNALBOX_CHROMIUM may name another.");
    return 1;
  }
  fs.mkdirSync(target, { recursive: true });
  const rig = await ConsoleRig.start();
  const browser = await launchChromium();
  try {
    const state = await signIn(rig, browser);
    await shoot(browser, rig, state, { name: "console-empty", size: "desktop", theme: "dark" });
    const client = await rig.connect();
    await startSamples(client, (name) => rig.makeFolder(name));
    await untilReady(rig);
    for (const size of ["desktop", "phone"] as const) {
      for (const theme of themes) await shoot(browser, rig, state, { name: `console-${size}-${theme}`, size, theme });
    }
    await shoot(browser, rig, state, {
      name: "console-locks",
      size: "desktop",
      theme: "dark",
      at: "/locks?unit=atlas-api%3Afile%3Asrc%2Fapp.ts",
    });
    await shoot(browser, rig, state, { name: "console-run", size: "desktop", theme: "light", opens: "Cache the" });
    await shoot(browser, rig, state, { name: "console-runs", size: "desktop", theme: "dark", at: "/runs" });
    await shoot(browser, rig, state, { name: "console-landing", size: "desktop", theme: "light", at: "/landing" });
    await shootSettings(browser, rig, state);
    await shoot(browser, rig, state, {
      name: "console-palette",
      size: "desktop",
      theme: "dark",
      before: async (page) => {
        await page.keyboard.press("Control+k");
        await page.keyboard.type("app");
        await page.waitForSelector(".palette-row");
      },
    });
    const { seq } = await client.call("status", {});
    const then = Math.floor(seq * 0.7);
    await shoot(browser, rig, state, {
      name: "console-events",
      size: "desktop",
      theme: "light",
      at: `/events?event=${then}`,
      before: async (page) => {
        await page.waitForSelector("[data-seq][aria-selected=true]");
      },
    });
    await shoot(browser, rig, state, {
      name: "console-past",
      size: "desktop",
      theme: "dark",
      at: `/?at=${then}`,
      before: async (page) => {
        await page.waitForSelector(`[data-past="${then}"]`);
      },
    });
    await shootReview(browser, rig, state);
    await shoot(browser, rig, state, {
      name: "console-disconnected",
      size: "desktop",
      theme: "dark",
      before: async (page) => {
        await rig.kill();
        await page.getByText(/Disconnected for [3-9]s/).waitFor();
      },
    });
    return checkSizes();
  } finally {
    await browser.close();
    await rig.remove();
  }
}

/** Uses the one-time link once; all pictures share the session. */
async function signIn(rig: ConsoleRig, browser: Browser): Promise<string> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(rig.loginUrl);
  await page.waitForSelector(".app[data-link=live]");
  const file = path.join(rig.folder, "session.json");
  await context.storageState({ path: file });
  await context.close();
  return file;
}

/** Until the last of the samples has come where it stays: two questions, a review, a failure and four that wait. */
async function untilReady(rig: ConsoleRig): Promise<void> {
  const client = await rig.connect();
  for await (const _ of client.batches()) {
    const { runs } = await client.call("run.list", { limit: 100 });
    const count = (state: string): number => runs.filter((run) => run.state === state).length;
    const waiting = runs.filter((run) => run.behind.length > 0).length;
    if (count("awaiting-input") === 2 && count("review") === 1 && count("failed") === 1 && waiting === 4) return;
  }
}

type Shot = {
  readonly name: string;
  readonly size: keyof typeof sizes;
  readonly theme: (typeof themes)[number];
  readonly at?: string;
  /** Opens the run whose title starts like this. */
  readonly opens?: string;
  readonly before?: (page: Page) => Promise<void>;
};

async function shoot(browser: Browser, rig: ConsoleRig, state: string, shot: Shot): Promise<void> {
  const { name, size, theme, at = "/", opens, before } = shot;
  const context = await browser.newContext({
    ...sizes[size],
    storageState: state,
    colorScheme: theme,
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(`${rig.url}${at}`);
  await page.waitForSelector(":is(.app[data-link=live], .app[data-link=past]) :is(.board, .empty)");
  if (opens !== undefined) {
    await page.getByRole("link", { name: opens }).click();
    await page.waitForSelector(".sheet .event");
  }
  await before?.(page);
  await page.evaluate("document.fonts.ready");
  await page.screenshot({ path: path.join(target, `${name}.png`) });
  await context.close();
  console.log(`docs/images/${name}.png`);
}

/** A policy in its form, and a template that somebody is about to make an agent of. */
async function shootSettings(browser: Browser, rig: ConsoleRig, state: string): Promise<void> {
  const filled = async (page: Page): Promise<void> => {
    await page.waitForSelector(".form .btn.primary");
  };
  for (const [name, at, theme] of [
    ["console-settings", "/settings/policies?name=review-atlas-api", "light"],
    ["console-template", "/settings/templates?name=python", "dark"],
  ] as const)
    await shoot(browser, rig, state, { name, size: "desktop", theme, at, before: filled });
}

/** A change set that somebody is in the middle of: one hunk is chosen, the next is looked at. */
async function shootReview(browser: Browser, rig: ConsoleRig, state: string): Promise<void> {
  const client = await rig.connect();
  const { runs } = await client.call("run.list", { state: ["review"] });
  const at = `/runs/${runs[0]?.id}?file=src%2Fserver.ts`;
  const choose = async (page: Page): Promise<void> => {
    await page.waitForSelector(".hunk");
    for (const key of ["j", "a", "j"]) await page.keyboard.press(key);
    await page.waitForSelector(".hunk.on");
  };
  const split = async (page: Page): Promise<void> => {
    await page.waitForSelector(".hunk");
    await page.keyboard.press("v");
    await page.waitForSelector(".diff-table.split");
  };
  await shoot(browser, rig, state, { name: "console-review", size: "desktop", theme: "dark", at, before: choose });
  await shoot(browser, rig, state, {
    name: "console-review-split",
    size: "desktop",
    theme: "light",
    at,
    before: split,
  });
  await shoot(browser, rig, state, { name: "console-review-phone", size: "phone", theme: "light", at, before: choose });
}

function checkSizes(): number {
  const large = fs.readdirSync(target).filter((file) => fs.statSync(path.join(target, file)).size > bytesMax);
  for (const file of large) console.error(`docs/images/${file} is larger than ${bytesMax} bytes.`);
  return large.length === 0 ? 0 : 1;
}
