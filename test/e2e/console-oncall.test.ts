// Somebody on call, in a real browser: what is broken is told by name with what to do about it, one count is the same everywhere, and
// what is slow, refused or forbidden is said to be so.

import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { type ErrorCode, statusOf, toWireError } from "../../src/protocol/errors.ts";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents, settledAgent } from "../support/living-agents.ts";
import { expectAccessible, untilAddress } from "../support/page-checks.ts";

const broken = `
template: mailer
services:
  smtp:
    command: 'echo no database here; exit 3'
    restart: { delay: 10ms, limit: 1 }
`;

describe.skipIf(!hasChromium() || noCages)("the console on call", () => {
  const suite = ConsoleSuite.forAll({ files: { "a.txt": "a\n" }, graphics: true });
  let client: Client;
  let page: Page;

  beforeAll(() => {
    ({ client, page } = suite);
  });

  afterAll(() => removeAgents(client));

  const need = (kind: string) => page.locator(`[data-need=${kind}]`);
  const answer = (pattern: string, code: ErrorCode, data: Record<string, string> = {}) =>
    page.route(pattern, (route: Route) =>
      route.fulfill({ status: statusOf(code), json: { error: toWireError(code, data) } }),
    );

  test("an agent in error is among what needs somebody, with its reason, its age and what to do", async () => {
    const run = await suite.submit("Asks", [{ ask: "Go on?" }]);
    const failed = await suite.submit("Fails", [{ fail: "no luck" }]);
    const { agent } = await client.call("agent.create", { project: "shop", template: broken });
    await settledAgent(client, agent.id);
    await page.goto(suite.url);
    const card = need("agent");
    await card.getByText("mailer-1").waitFor();
    await card.getByText("smtp: it ended with 3").waitFor();
    expect(await card.locator("time").getAttribute("datetime")).toMatch(/^\d{4}-/);
    expect(await card.locator("time").getAttribute("title")).not.toBe(null);
    await need("failure").getByText("no luck").waitFor();
    // One list, counted once, wherever it is counted.
    await page.locator("[data-count=you]", { hasText: /^3$/ }).waitFor();
    expect(await page.locator("[data-panel=needs] .count").innerText()).toBe("3");
    expect(await page.locator(".rail-link", { hasText: "Inbox" }).locator(".rail-count").innerText()).toMatch(/^3/);
    expect(await page.title()).toBe("(3) Overview · Signalbox");
    expect(await page.locator(".tile", { hasText: "Failed" }).innerText()).toContain("1 agent in error");
    await expectAccessible(page, "an overview with an agent in error");
    // It has a lane of its own, though no run is in it.
    const lane = page.locator(`[data-lane][data-agent=${agent.id}][data-state=error]`);
    await lane.getByText("smtp: it ended with 3").waitFor();
    expect(await lane.getAttribute("href")).toBe(`/agents/${agent.id}`);
    // The ticker calls it by its name, and leads there.
    const told = page.locator("[data-panel=events] [data-event^='service.']").first();
    expect(await told.getByRole("link", { name: "mailer-1" }).getAttribute("href")).toBe(`/agents/${agent.id}`);
    await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Inbox" }).click();
    await expect.poll(() => page.locator("[data-item]").count()).toBe(3);
    await page.goBack();
    // By keys alone: to the agent, which is stopped, and off the list.
    await card.waitFor();
    for (let at = 0; at < 3; at++) {
      await page.keyboard.press("n");
      if ((await card.getAttribute("aria-current")) === "true") break;
    }
    await page.keyboard.press("s");
    await page.locator(".toast-command", { hasText: "signalbox agent stop mailer-1" }).waitFor();
    await card.waitFor({ state: "detached" });
    await page.locator("[data-count=you]", { hasText: /^2$/ }).waitFor();
    await need("failure").getByRole("button", { name: "Seen" }).click();
    await need("failure").waitFor({ state: "detached" });
    expect((await client.call("inbox", {})).items.map((item) => item.run)).toEqual([run]);
    expect((await client.call("run.get", { run: failed })).run.state).toBe("failed");
  });

  test("every key is on the sheet, which ends inside the window", async () => {
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keys" });
    await sheet.waitFor();
    const rests = await sheet.evaluate((box) => box.scrollHeight - box.clientHeight);
    expect(rests, "nothing is left below").toBe(0);
    await page.setViewportSize({ width: 390, height: 844 });
    const end = sheet.getByText("Single letters act.");
    const box = await end.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0), "where it has to be scrolled, its end is still seen").toBeLessThan(844);
    expect(await sheet.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
  });

  test("what is typed right after Ctrl K is all there, however long the palette takes to come", async () => {
    const held: Route[] = [];
    await page.route("**/assets/palette-*.js", (route) => void held.push(route));
    await page.reload();
    await page.locator(".app[data-link=live] .board").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("setx");
    await page.keyboard.press("Backspace");
    await expect.poll(() => held.length).toBe(1);
    for (const route of held) await route.continue();
    await page.keyboard.type("tings");
    const field = page.getByRole("dialog").getByRole("combobox");
    await expect.poll(() => field.inputValue()).toBe("settings");
    await page.keyboard.press("Enter");
    await untilAddress(page, ({ pathname }) => pathname.startsWith("/settings"));
    await page.unroute("**/assets/palette-*.js");
  });

  test("a part that another release took away loads the page anew, at the same address", async () => {
    await suite.goTo("/inbox");
    await page.locator(".board").waitFor();
    const isFirst = "window.isFirst";
    await page.evaluate(`${isFirst} = true`);
    const parts = "**/assets/settings-page-*.js";
    let isGone = true;
    await page.route(parts, (route) => (isGone ? route.fulfill({ status: 404, body: "" }) : route.continue()));
    // The page that comes then asks for it at once, and finds it: one that does not says so, and asks no more.
    const anew = page.waitForRequest((asked) => asked.isNavigationRequest()).then(() => (isGone = false));
    await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Settings" }).click();
    await anew;
    await untilAddress(page, ({ pathname }) => pathname.startsWith("/settings"));
    await page.getByRole("navigation", { name: "Settings" }).waitFor();
    expect(await page.evaluate(isFirst)).toBeUndefined();
    await page.unroute(parts);
  });

  test("the palette is there while the daemon is away, also for whoever never opened it", async () => {
    const isRead = page.waitForResponse(/\/assets\/palette-[^/]*\.js$/);
    await suite.goTo("/inbox");
    await page.locator(".board").waitFor();
    await (await isRead).finished();
    await page.route("**/*", (route) => route.abort());
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Find and do" }).waitFor();
    await page.keyboard.press("Escape");
    expect(new URL(page.url()).pathname).toBe("/inbox");
    await page.unroute("**/*");
  });

  test("what does not come, comes with an error, or is forbidden says so, with a way on", async () => {
    await page.route("**/api/v1/inbox", () => undefined);
    await page.goto(`${suite.url}/inbox?kind=agent`);
    await page.locator("[data-panel=inbox] .bones[aria-busy=true]").waitFor();
    await expectAccessible(page, "an inbox on its way");
    await page.unroute("**/api/v1/inbox");
    await answer("**/api/v1/inbox", "internal");
    await page.goto(`${suite.url}/inbox?kind=agent`);
    await page.getByText("The inbox could not be read").waitFor();
    await page.unroute("**/api/v1/inbox");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Nothing of that kind needs you").waitFor();
    await answer("**/api/v1/**", "forbidden", { what: "reading" });
    await page.goto(suite.url);
    await page.getByRole("heading", { name: "You may not see this" }).waitFor();
    expect(await page.getByText("It tries again by itself").count(), "it would not help").toBe(0);
    await expectAccessible(page, "forbidden");
    await page.unroute("**/api/v1/**");
    await page.keyboard.press("r");
    await page.locator(".app[data-link=live] .board").waitFor();
    await answer("**/pause", "forbidden", { what: "pausing a run" });
    await need("question").click();
    await page.keyboard.press("p");
    await page.locator(".toast", { hasText: "Only people may do this" }).waitFor();
    expect(await page.locator("[data-lane][data-state=paused]").count(), "nothing is shown that is not so").toBe(0);
    await page.unroute("**/pause");
  });

  test("from a phone every place can be reached, and where one is, is seen", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(suite.url);
    const places = page.getByRole("navigation", { name: "Places" }).last();
    for (const [name, path] of [
      ["Inbox", "/inbox"],
      ["Runs", "/runs"],
      ["Agents", "/agents"],
    ] as const) {
      await places.getByRole("link", { name }).click();
      await untilAddress(page, ({ pathname }) => pathname === path);
    }
    for (const [name, path] of [
      ["Locks", "/locks"],
      ["Landing", "/landing"],
      ["Events", "/events"],
      ["Settings", "/settings"],
    ] as const) {
      await places.locator("button[aria-expanded]").click();
      await places.getByRole("link", { name }).click();
      await untilAddress(page, ({ pathname }) => pathname === path);
      await places.locator("button[aria-current=page]", { hasText: name }).waitFor();
      expect(await places.getByRole("link", { name: "Locks" }).isVisible(), "it has closed").toBe(false);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    }
    await places.locator("button[aria-expanded]").click();
    await expectAccessible(page, "all places on a phone");
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(suite.troubles).toEqual([]);
  });

  test("on a phone the palette is opened by a touch, finds, leads on and is left again", async () => {
    const pocket = await suite.browser.newContext({
      ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
      storageState: await page.context().storageState(),
    });
    const phone = await pocket.newPage();
    await phone.goto(suite.url);
    await phone.getByRole("button", { name: "Find anything" }).tap();
    const palette = phone.getByRole("dialog", { name: "Find and do" });
    await palette.getByRole("combobox").fill("events");
    await palette
      .getByRole("option", { name: /^Events/ })
      .first()
      .tap();
    await untilAddress(phone, ({ pathname }) => pathname === "/events");
    await phone.getByRole("button", { name: "Find anything" }).tap();
    await expectAccessible(phone, "the palette on a phone");
    expect(await phone.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await palette.getByRole("button", { name: "Close" }).tap();
    await palette.waitFor({ state: "detached" });
    // What stood in its place is among the settings.
    await phone.goto(`${suite.url}/settings/you`);
    await phone.getByRole("button", { name: "Dark", exact: true }).tap();
    expect(await phone.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
    await pocket.close();
  });

  test("[TM15] a terminal that the graphics processor draws nothing of is drawn as text", async () => {
    const run = await suite.submit("Has a terminal", [{ ask: "Still?" }]);
    await client.waitForRun(run, { states: ["awaiting-input"] });
    const other = await page.context().newPage();
    await other.addInitScript(() => {
      WebGL2RenderingContext.prototype.drawElementsInstanced = () => undefined;
    });
    const { terminal } = await client.call("terminal.open", { run });
    await other.goto(`${suite.url}/runs/${run}?terminal=${terminal}`);
    await other.getByText("You have the keyboard.").waitFor();
    await other.locator(`[data-terminal=${terminal}][data-renderer=dom]`).waitFor();
    await other.locator(".xterm-helper-textarea").focus();
    await other.keyboard.type("echo seen-$((40+2))\r");
    await other.locator(".xterm-rows", { hasText: "seen-42" }).waitFor();
    expect(await other.locator("[data-terminal] canvas").count()).toBe(0);
    await other.close();
  });
});
