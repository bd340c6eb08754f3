// Terminals in the console: two browsers in one terminal, a daemon that is killed under them, and bytes that do nothing.

import { createHash } from "node:crypto";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Client } from "../../src/client/client.ts";
import { ConsoleRig, hasChromium, launchChromium } from "../support/console-rig.ts";
import { noCages } from "../support/keeper-rig.ts";
import { expectAccessible, PageTroubles, untilAddress } from "../support/page-checks.ts";
import { SampleProject } from "../support/sample-project.ts";

describe.skipIf(!hasChromium() || noCages)("terminals in the console", () => {
  let rig: ConsoleRig;
  let browser: Browser;
  let context: BrowserContext;
  let client: Client;
  let run: string;
  let one: Page;
  let two: Page;
  const troubles: PageTroubles[] = [];
  const sample = new SampleProject({ "a.txt": "hello from the project\n" });

  beforeAll(async () => {
    rig = await ConsoleRig.start();
    browser = await launchChromium();
    client = await rig.connect();
    await client.call("project.add", { root: sample.root, name: "shop" });
    const script = JSON.stringify({ task: "look inside", steps: [{ ask: "may I end?" }] });
    ({ run } = await client.call("run.submit", { project: "shop", runner: "script", script }));
    await client.waitForRun(run, { states: ["awaiting-input"] });
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "dark" });
    context.setDefaultTimeout(60_000);
    // What is drawn can be read then.
    await context.addInitScript(() => localStorage.setItem("signalbox.terminal-renderer", "dom"));
    one = await open();
    await one.goto(rig.loginUrl);
    two = await open();
  });

  afterAll(async () => {
    await browser?.close();
    await rig?.remove();
    sample.remove();
  });

  async function open(): Promise<Page> {
    const page = await context.newPage();
    troubles.push(await PageTroubles.watch(page));
    return page;
  }

  const screen = (page: Page) => page.locator(".xterm-rows");
  const sees = (page: Page, text: string | RegExp) => screen(page).filter({ hasText: text }).waitFor();
  const told = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text }).waitFor();
  const type = async (page: Page, text: string): Promise<void> => {
    await page.locator(".xterm-helper-textarea").focus();
    await page.keyboard.type(`${text}\r`);
  };

  test("a key opens a terminal in the run's cage, at an address that can be sent", async () => {
    await one.goto(`${rig.url}/runs/${run}`);
    // It cannot be pressed before the page is live.
    await one.getByRole("button", { name: "Terminal", disabled: false }).waitFor();
    await one.keyboard.press("w");
    await told(one, "You have the keyboard");
    await type(one, "cat a.txt");
    await sees(one, "hello from the project");
    await untilAddress(one, ({ search }) => search.startsWith("?terminal=te_"));
    expect(await one.getByText("Recorded").isVisible()).toBe(true);
    await expectAccessible(one, "a terminal");
  });

  test("says so while its run is paused, and goes on with what was typed", async () => {
    await client.call("run.pause", { run });
    await told(one, "The run is paused, and its shell with it");
    await type(one, "echo after-$((40+2))");
    expect(await screen(one).textContent()).not.toContain("after-42");
    await client.call("run.resume", { run });
    await told(one, "You have the keyboard");
    await sees(one, "after-42");
  });

  test("[TM15] titles, links and the clipboard are left alone, and colours come without breaking the page's policy", async () => {
    const bytes = String.raw`\033]0;stolen\007\033]52;c;c3RvbGVu\007\033[38;2;250;10;100mpink\033[m \033]8;;http://x.example\033\\a link\033]8;;\033\\`;
    await type(one, `printf '${bytes} <b>bold</b>\\n'`);
    await sees(one, /pink a link <b>bold<\/b>/);
    const pink = screen(one)
      .locator("span", { hasText: /^pink$/ })
      .last();
    expect(await pink.evaluate((span) => getComputedStyle(span).color)).toMatch(/^rgb\(25\d/);
    expect(await one.title()).toMatch(/^\(1\) r_\w+ look inside · Signalbox$/);
    expect(await screen(one).locator("a, b").count()).toBe(0);
    expect(troubles.flatMap(({ found }) => found)).toEqual([]);
  });

  test("[TM11] what is pasted gets there whole, also where it is long", async () => {
    const paste = Array.from({ length: 128 * 1024 }, (_, index) => index.toString().padStart(8, "0")).join("");
    await type(one, `stty raw -echo; echo wait"ing"; head -c ${paste.length} | sha256sum; stty sane`);
    await sees(one, "waiting");
    const connectedAgain: string[] = [];
    one.on("websocket", (socket) => connectedAgain.push(socket.url()));
    await one.locator(".xterm-helper-textarea").evaluate((area, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, paste);
    await sees(one, createHash("sha256").update(paste).digest("hex"));
    expect(connectedAgain).toEqual([]);
  });

  test("a second browser sees the same screen, and the keyboard is handed over, taken and asked for", async () => {
    await two.goto(one.url());
    await sees(two, "link <b>bold</b>");
    // Who merely comes asks for nothing.
    expect(await one.getByRole("button", { name: /^Give browser/ }).count()).toBe(0);
    await two.getByRole("button", { name: "Ask for the keyboard" }).click();
    await one.getByRole("button", { name: /^Give browser/ }).click();
    await told(two, "You have the keyboard");
    await told(one, "has the keyboard");
    await type(two, "echo from-$((40+2))-two");
    await sees(one, "from-42-two");
    await type(one, "nobody hears this");
    await told(one, "What you typed went nowhere");
    await one.getByRole("button", { name: "Take it" }).click();
    await told(one, "You have the keyboard");
    await two.getByRole("button", { name: "Ask for the keyboard" }).click();
    await told(two, "You asked for it");
    expect(await one.getByRole("list", { name: "Who is here" }).innerText()).toContain("asks");
  });

  test("who only looks types nothing, and says so to the others", async () => {
    await two.getByRole("button", { name: "Leave" }).click();
    await two.getByRole("button", { name: "Terminal" }).waitFor();
    const { terminals } = await client.call("terminal.list", { run });
    await two.goto(`${rig.url}/runs/${run}?terminal=${terminals[0]?.id}&look=only`);
    await told(two, "You only look");
    await one.getByRole("list", { name: "Who is here" }).filter({ hasText: "only looks" }).waitFor();
    await type(two, "echo sneaked in");
    await type(one, "echo typed-$((1+1))");
    await sees(two, "typed-2");
    expect(await screen(two).innerText()).not.toContain("sneaked in");
    await expectAccessible(two, "a terminal that one only looks at");
  });

  test("the terminal has the size of the window of whoever types", async () => {
    const before = await sizeIn(one);
    await one.setViewportSize({ width: 1000, height: 700 });
    await one.locator(".p-terminal .meta").filter({ hasNotText: before }).waitFor();
    await two.locator(".p-terminal .meta", { hasText: await sizeIn(one) }).waitFor();
    await type(one, "echo size $(stty size)");
    const [cols, rows] = (await sizeIn(one)).split("×");
    await sees(two, `size ${rows} ${cols}`);
    expect(Number(cols)).toBeLessThan(120);
  });

  async function sizeIn(page: Page): Promise<string> {
    return /\d+×\d+/.exec(await page.locator(".p-terminal .meta").innerText())?.[0] ?? "";
  }

  test("a phone has the keys that its keyboard lacks, and a desk does not", async () => {
    expect(await one.getByRole("group", { name: "Keys that a phone lacks" }).isVisible()).toBe(false);
    const pocket = await browser.newContext({
      ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
      storageState: await context.storageState(),
    });
    await pocket.addInitScript(() => localStorage.setItem("signalbox.terminal-renderer", "dom"));
    const phone = await pocket.newPage();
    const { terminal } = await client.call("terminal.open", { run, cols: 40, rows: 20 });
    await phone.goto(`${rig.url}/runs/${run}?terminal=${terminal}`);
    await told(phone, "You have the keyboard");
    const tap = (name: string) => phone.getByRole("button", { name, exact: true }).tap();
    await type(phone, "cat > /dev/null; echo left-$((3+4))");
    await tap("Ctrl C");
    await type(phone, "echo first-$((1+1))");
    await sees(phone, "first-2");
    // The line before once more, with something behind it.
    await tap("Up");
    await type(phone, "0");
    await sees(phone, "first-20");
    expect(await screen(phone).innerText()).not.toContain("left-7");
    expect(await phone.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await expectAccessible(phone, "a terminal on a phone");
    await client.call("terminal.close", { terminal });
    await pocket.close();
  });

  test("a killed daemon takes nothing with it, and both go on where they were", async () => {
    await rig.kill();
    await told(one, "The connection broke");
    await told(two, "The connection broke");
    await rig.up();
    await told(one, "You have the keyboard");
    await told(two, "You only look");
    await type(one, "echo back-$((2+1))");
    await sees(one, "back-3");
    await sees(two, "back-3");
    expect(await screen(one).innerText()).toContain("size ");
  });

  test("more than a browser can draw ends with the true screen", async () => {
    await type(one, "yes 0123456789012345678901234567890123456789 | head -c 40000000; echo the-$((1+0))-end");
    await sees(one, "the-1-end");
    await told(one, "You have the keyboard");
    await sees(two, "the-1-end");
    expect(await screen(one).innerText()).toContain("0123456789");
  });

  test("text is found above the screen, and shift with escape leads out of it", async () => {
    await one.getByRole("searchbox", { name: "Find on the screen" }).fill("no such words");
    await one.getByText("not there").waitFor();
    await one.getByRole("searchbox", { name: "Find on the screen" }).fill("end");
    await one.getByText("not there").waitFor({ state: "detached" });
    await one.locator(".xterm-helper-textarea").focus();
    await one.keyboard.press("Shift+Escape");
    await one.locator("button:focus").waitFor();
    expect(await one.locator(".xterm-helper-textarea:focus").count()).toBe(0);
  });

  test("another page cannot open the terminal with this one's session", async () => {
    const cookie = (await context.cookies(rig.url)).map(({ name, value }) => `${name}=${value}`).join("; ");
    const refusal = (headers: Record<string, string>): Promise<number> =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`${rig.url.replace("http", "ws")}/terminal`, ["signalbox"], { headers });
        socket.on("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
        socket.on("open", () => reject(new Error("it was let in")));
        socket.on("error", () => undefined);
      });
    expect(await refusal({ cookie, origin: "http://evil.example" })).toBe(403);
    expect(await refusal({ cookie })).toBe(403);
    expect(await refusal({ origin: rig.url })).toBe(401);
    expect(await refusal({ cookie, origin: rig.url, host: "evil.example" })).toBe(403);
  });

  test("it ends when it is told to, after asking, and its last words stay", async () => {
    await one.getByRole("button", { name: "End…" }).click();
    await one
      .getByRole("dialog")
      .getByRole("button", { name: /^End te_/ })
      .click();
    await told(one, "It has ended");
    await told(two, "It has ended");
    expect(await screen(one).innerText()).toContain("the-1-end");
    await one.getByRole("button", { name: "Leave" }).click();
    await one.locator("[data-panel=changes]").waitFor();
  });

  test("what was said is played, gone through by keys, and searched, at an address that can be sent", async () => {
    const argv = ["sh", "-c", "echo first words; sleep 0.3; echo last words"];
    const { terminal } = await client.call("terminal.open", { run, argv });
    const listed = one.locator(`[data-recorded=${terminal}]`);
    await listed.getByText("ago").waitFor();
    await listed.getByRole("link", { name: `Play ${terminal}` }).click();
    const played = one.locator(`[data-recording=${terminal}] .xterm-rows`);
    await played.filter({ hasText: "last words" }).waitFor();
    await untilAddress(one, ({ search }) => search === `?recording=${terminal}`);
    await one.getByRole("button", { name: "Again" }).waitFor();
    await one.keyboard.press("Home");
    await played.filter({ hasNotText: "last words" }).waitFor();
    await one.keyboard.press("End");
    await played.filter({ hasText: "last words" }).waitFor();
    await one.getByRole("searchbox", { name: "Find in what was said" }).fill("first");
    await one.getByRole("list", { name: "Lines that were found" }).getByText("first words").click();
    await played.filter({ hasText: "first words" }).waitFor();
    await expectAccessible(one, "a recording");
    await one.getByRole("searchbox", { name: "Find in what was said" }).press("Escape");
    await one.keyboard.press("Escape");
    await one.locator("[data-panel=changes]").waitFor();
    expect(troubles.flatMap(({ found }) => found)).toEqual([]);
  });
});
