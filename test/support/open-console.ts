// A page of the console that is signed in, beside a daemon that somebody has begun.

import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Client } from "../../src/client/client.ts";
import { PageTroubles } from "./page-checks.ts";

type OpenPage = { readonly page: Page; readonly url: string; readonly troubles: PageTroubles };

export type PageWishes = Pick<BrowserContextOptions, "permissions" | "reducedMotion"> & {
  readonly scheme?: "light" | "dark";
  readonly timeoutMs?: number;
  /** What is written on a screen can only be read where it is no picture. */
  readonly terminalsAsText?: boolean;
};

export async function openPage(
  browser: Browser,
  client: Client,
  // A machine that is busy with other tests is slow, not wrong.
  { scheme = "light", timeoutMs = 60_000, terminalsAsText = false, ...more }: PageWishes = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: scheme, ...more });
  context.setDefaultTimeout(timeoutMs);
  if (terminalsAsText) await context.addInitScript(() => localStorage.setItem("signalbox.terminal-renderer", "dom"));
  const page = await context.newPage();
  const troubles = await PageTroubles.watch(page);
  const login = await client.call("login", {});
  await page.goto(login.url);
  await page.locator(".app[data-link=live]").waitFor();
  return { page, url: new URL(login.url).origin, troubles };
}
