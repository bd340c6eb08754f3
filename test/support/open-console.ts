// A console that is signed in, with a daemon and a browser of its own, or beside a daemon that a test has begun by itself.

import type { Browser, Page } from "playwright-core";
import type { Client } from "../../src/client/client.ts";
import { ConsoleRig, launchChromium } from "./console-rig.ts";
import { PageTroubles } from "./page-checks.ts";

export type OpenConsole = {
  readonly rig: ConsoleRig;
  readonly browser: Browser;
  readonly client: Client;
  readonly page: Page;
  readonly troubles: PageTroubles;
  readonly close: () => Promise<void>;
};

export async function openConsole(): Promise<OpenConsole> {
  const rig = await ConsoleRig.start();
  const browser = await launchChromium();
  const client = await rig.connect();
  const { page, troubles } = await openPage(browser, client, { scheme: "dark" });
  const close = async (): Promise<void> => {
    await browser.close();
    await rig.remove();
  };
  return { rig, browser, client, page, troubles, close };
}

type OpenPage = { readonly page: Page; readonly url: string; readonly troubles: PageTroubles };

export async function openPage(
  browser: Browser,
  client: Client,
  // A machine that is busy with other tests is slow, not wrong.
  { scheme = "light", timeoutMs = 60_000 }: { readonly scheme?: "light" | "dark"; readonly timeoutMs?: number } = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: scheme });
  context.setDefaultTimeout(timeoutMs);
  const page = await context.newPage();
  const troubles = await PageTroubles.watch(page);
  const login = await client.call("login", {});
  await page.goto(login.url);
  await page.locator(".app[data-link=live]").waitFor();
  return { page, url: new URL(login.url).origin, troubles };
}
