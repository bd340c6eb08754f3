// Faces in a real browser: what it keeps, sends and refuses by itself is half of what holds pages apart.

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, launchChromium } from "../support/console-rig.ts";
import { FaceRig } from "../support/face-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

describe.skipIf(noCages || !hasChromium())("faces in a browser", () => {
  let rig: FaceRig;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    rig = await FaceRig.start();
    await Promise.all([rig.make(), rig.make()]);
    browser = await launchChromium();
    context = await browser.newContext();
    page = await context.newPage();
  });
  afterAll(async () => {
    await browser.close();
    await rig.close();
  });

  const open = async (on: Page, agent: string): Promise<void> => {
    await on.goto((await rig.client.call("face.open", { agent, face: "web" })).url);
  };
  const saidHello = (on: Page): Promise<unknown> =>
    on.waitForFunction(() => document.getElementById("said")?.textContent === "hello");

  test("[FC4, FC8, FC12] a link opens the page, which has its cookies and its WebSocket", async () => {
    await open(page, "shop-1");
    expect(page.url()).toBe(`${rig.originOf("shop-1-web")}/home?a=1`);
    await saidHello(page);
    expect(await page.evaluate(() => document.cookie)).toBe("mine=1");
    const kept = (await context.cookies()).map(({ name, domain, httpOnly }) => `${name} ${domain} ${httpOnly}`);
    expect(kept.toSorted()).toEqual([
      "mine shop-1-web.localhost false",
      `signalbox_face_${rig.port} shop-1-web.localhost true`,
      `signalbox_owner_${rig.port} shop-1-web.localhost true`,
    ]);
  });

  test("[FC6] it reaches itself, and neither the console nor another face that is open beside it", async () => {
    const other = await context.newPage();
    await open(other, "shop-2");
    await saidHello(other);
    const socketTo = (url: string): Promise<unknown> =>
      page.evaluate(
        (to) =>
          new Promise((resolve) => {
            const socket = new WebSocket(to);
            socket.addEventListener("open", () => resolve("open"));
            socket.addEventListener("error", () => resolve("refused"));
          }),
        url.replace("http", "ws"),
      );
    const post = (url: string): Promise<unknown> =>
      page.evaluate(
        (to) =>
          fetch(to, { method: "POST", body: "x", credentials: "include" }).then(
            (answer) => answer.text(),
            () => "refused",
          ),
        url,
      );
    expect(await post("/mirror")).toBe("x");
    expect(await post(`${rig.originOf("shop-2-web")}/mirror`)).toBe("refused");
    expect(await post(`http://127.0.0.1:${rig.port}/api/v1/agents/shop-1/stop`)).toBe("refused");
    expect(await socketTo(`${rig.originOf("shop-2-web")}/socket`)).toBe("refused");
    expect(await socketTo(`http://127.0.0.1:${rig.port}/stream`)).toBe("refused");
    const sendForm = async (from: Page, to: string): Promise<string | null> => {
      await from.setContent(`<meta name=referrer content=no-referrer><form method=post action="${to}"></form>`);
      await Promise.all([from.waitForEvent("load"), from.evaluate(() => document.forms[0]?.submit())]);
      return from.textContent("body");
    };
    expect(await sendForm(other, `${rig.originOf("shop-1-web")}/mirror`)).toContain("Pages of other origins");
    await other.goto(`${rig.originOf("shop-2-web")}/home`);
    expect(await sendForm(other, `${rig.originOf("shop-2-web")}/mirror`)).not.toContain("Signalbox");
    // A link that somebody follows opens what is open.
    await other.setContent(`<a href="${rig.originOf("shop-1-web")}/health">look</a>`);
    await Promise.all([other.waitForEvent("load"), other.click("a")]);
    expect(await other.textContent("body")).toBe("well");
    await other.close();
  });

  test("[FC13] the page is open when the daemon was killed and came again", async () => {
    await rig.again();
    expect((await page.goto(`${rig.originOf("shop-1-web")}/home`))?.status()).toBe(200);
    await saidHello(page);
  });

  test("[FC14] what a page left is there for its own agent, and not for a later one of its name", async () => {
    const read = (): Promise<unknown> => page.evaluate(() => [localStorage.getItem("left"), document.cookie]);
    await page.evaluate(() => localStorage.setItem("left", "something"));
    await open(page, "shop-1");
    expect(await read()).toEqual(["something", "mine=1"]);
    await rig.client.call("agent.remove", { agent: "shop-1", force: true, discard: true });
    await expect.poll(async () => (await rig.ask("shop-1-web")).status).toBe(404);
    await rig.make(undefined, "shop-1");
    expect((await page.goto(`${rig.originOf("shop-1-web")}/home`))?.status()).toBe(401);
    await open(page, "shop-1");
    expect(await read()).toEqual([null, "mine=1"]);
    const names = (await context.cookies(rig.originOf("shop-2-web"))).map(({ name }) => name);
    expect(names).toContain(`signalbox_face_${rig.port}`);
  });
});
