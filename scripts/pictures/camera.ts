// A browser that takes pictures of the console: four variants of every view, each in a context of its own.

import fs from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { untilDrawn } from "./drawn.ts";

const sizes = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
} as const;

const variants = [
  { size: "desktop", theme: "dark" },
  { size: "desktop", theme: "light" },
  { size: "phone", theme: "dark" },
  { size: "phone", theme: "light" },
] as const;
type Variant = (typeof variants)[number];

/** One view, in as many variants as are wanted. */
export type Shot = {
  /** The picture is called like this, with its variant behind it. */
  readonly name: string;
  readonly at: string;
  /** There when the page has come: what is drawn last. */
  readonly ready: string;
  /** Something never comes: the picture is of that. All others wait until nothing is on its way any more. */
  readonly isUnfinished?: boolean;
  /** What is done before the page is asked for, such as having its questions answered otherwise. */
  readonly before?: (page: Page) => Promise<void>;
  /** What is done once it is there. */
  readonly after?: (page: Page) => Promise<void>;
  /** What is done when it was looked at, so that the next one finds everything as it was. */
  readonly last?: (page: Page) => Promise<void>;
};

export type CameraOptions = {
  readonly folder: string;
  /** Whether a picture is to be taken, by its name with its variant: locks-desktop-dark. */
  readonly isWanted: (picture: string) => boolean;
};

/** What a picture waits for at most: a machine that is busy is slow, not wrong. */
const waitMs = 60_000;

export class Camera {
  readonly #browser: Browser;
  readonly #options: CameraOptions;
  readonly #missed: string[] = [];

  constructor(browser: Browser, options: CameraOptions) {
    this.#browser = browser;
    this.#options = options;
    fs.mkdirSync(options.folder, { recursive: true });
  }

  /** What could not be taken, each with the reason. */
  get missed(): readonly string[] {
    return this.#missed;
  }

  /** Whether any picture of these views is to be taken. */
  wants(shots: readonly Shot[]): boolean {
    return shots.some(({ name }) => variants.some((variant) => this.#isWanted(name, variant)));
  }

  /** Opens the console once with a link that works once; every picture after it shares the session. */
  async signIn(loginUrl: string): Promise<Session> {
    const context = await this.#browser.newContext();
    const page = await context.newPage();
    await page.goto(loginUrl);
    await page.waitForSelector(".app[data-link=live]", { timeout: waitMs });
    const state = await context.storageState();
    await context.close();
    return { url: new URL(loginUrl).origin, state };
  }

  /** Takes views one after the other, in every variant that is wanted. */
  async take(session: Session, shots: readonly Shot[]): Promise<void> {
    for (const variant of variants) {
      for (const shot of shots) if (this.#isWanted(shot.name, variant)) await this.#takeOne(session, shot, variant);
    }
  }

  /** Opens one view in every variant, lets something happen to all of them, and takes them then. */
  async takeTogether(session: Session, shot: Shot, happens: () => Promise<void>): Promise<void> {
    if (!this.wants([shot])) return;
    const open: { readonly page: Page; readonly variant: Variant; readonly context: BrowserContext }[] = [];
    for (const variant of variants.filter((each) => this.#isWanted(shot.name, each))) {
      const context = await this.#open(session, variant);
      const page = await context.newPage();
      await page.goto(`${session.url}${shot.at}`);
      await page.waitForSelector(shot.ready);
      open.push({ page, variant, context });
    }
    await happens();
    for (const { page, variant, context } of open) {
      await shot.after?.(page);
      await this.#save(page, shot.name, variant);
      await context.close();
    }
  }

  #isWanted(name: string, variant: Variant): boolean {
    return this.#options.isWanted(toPicture(name, variant));
  }

  async #takeOne(session: Session, shot: Shot, variant: Variant): Promise<void> {
    // One of its own: what somebody likes is kept by a browser.
    const context = await this.#open(session, variant);
    const page = await context.newPage();
    try {
      await shot.before?.(page);
      await page.goto(`${session.url}${shot.at}`);
      await page.waitForSelector(shot.ready);
      if (shot.isUnfinished !== true) await untilDrawn(page);
      await shot.after?.(page);
      await this.#save(page, shot.name, variant);
      await shot.last?.(page);
    } catch (error) {
      // One that cannot be taken must not cost all the others.
      const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
      this.#missed.push(`${toPicture(shot.name, variant)}: ${why}`);
    } finally {
      await context.close();
    }
  }

  async #open({ state }: Session, { size, theme }: Variant): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      ...sizes[size],
      storageState: state,
      colorScheme: theme,
      timezoneId: "Europe/Berlin",
      reducedMotion: "reduce",
    });
    context.setDefaultTimeout(waitMs);
    return context;
  }

  async #save(page: Page, name: string, variant: Variant): Promise<void> {
    await page.evaluate("document.fonts.ready");
    const file = path.join(this.#options.folder, `${toPicture(name, variant)}.png`);
    await page.screenshot({ path: file });
    console.log(file);
  }
}

function toPicture(name: string, { size, theme }: Variant): string {
  return `${name}-${size}-${theme}`;
}

/** Where the console is, and the cookie that opens it. */
export type Session = {
  readonly url: string;
  readonly state: Awaited<ReturnType<BrowserContext["storageState"]>>;
};
