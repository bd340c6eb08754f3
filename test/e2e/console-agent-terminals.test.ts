// The windows of an agent in the console: tabs, panes beside each other, views, a shell that comes back, and two who talk.

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { ConsoleRig, hasChromium, launchChromium } from "../support/console-rig.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents, settledAgent } from "../support/living-agents.ts";
import { expectAccessible, PageTroubles, untilAddress } from "../support/page-checks.ts";
import { SampleProject } from "../support/sample-project.ts";

const stack = `
template: shop
services:
  web:
    command: 'echo "web is up at $PORT"; exec sleep 1000'
    ports: [http]
    stop: { grace: 1s }
  queue:
    command: 'echo "queue waits"; exec sleep 1000'
`;

describe.skipIf(!hasChromium() || noCages)("windows of an agent in the console", () => {
  let rig: ConsoleRig;
  let browser: Browser;
  let context: BrowserContext;
  let client: Client;
  let agent: string;
  let page: Page;
  const troubles: PageTroubles[] = [];
  const sample = new SampleProject({ "a.txt": "hello from the project\n" });

  beforeAll(async () => {
    rig = await ConsoleRig.start();
    browser = await launchChromium(["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]);
    client = await rig.connect();
    await client.call("project.add", { root: sample.root, name: "shop" });
    const made = await client.call("agent.create", { project: "shop", template: stack, file: "stack.yaml" });
    agent = made.agent.id;
    await settledAgent(client, agent);
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "dark" });
    context.setDefaultTimeout(60_000);
    page = await open();
    await page.goto(rig.loginUrl);
    await page.evaluate(() => localStorage.setItem("signalbox.terminal-renderer", "dom"));
    await page.goto(`${rig.url}/agents/${agent}`);
  });

  afterAll(async () => {
    try {
      await browser?.close();
      await removeAgents(client);
    } finally {
      await rig?.remove();
      sample.remove();
    }
  });

  async function open(): Promise<Page> {
    const opened = await context.newPage();
    troubles.push(await PageTroubles.watch(opened));
    return opened;
  }

  const paneOf = (at: number, of: Page = page) => of.locator("[data-pane]").nth(at);
  const sees = (at: number, text: string | RegExp, of: Page = page) =>
    paneOf(at, of).locator(".xterm-rows").filter({ hasText: text }).waitFor();
  const type = async (at: number, text: string, of: Page = page): Promise<void> => {
    await paneOf(at, of).locator(".xterm-helper-textarea").focus();
    await of.keyboard.type(`${text}\r`);
  };
  const tab = (name: string) => page.getByRole("tab", { name, exact: true });
  const mine = (at: number, of: Page = page) =>
    paneOf(at, of).getByRole("status").filter({ hasText: "You have the keyboard." }).waitFor();

  test("[TM18] the page lists its windows, and a key leads to one's own", async () => {
    const list = page.locator("[data-panel=windows]");
    await list.getByRole("link", { name: "web" }).waitFor();
    await list.getByRole("link", { name: /monitor/ }).waitFor();
    await page.keyboard.press("w");
    await mine(0);
    await type(0, "cat a.txt");
    await sees(0, "hello from the project");
    await untilAddress(page, ({ searchParams }) => /^side~te_\w+$/.test(searchParams.get("windows") ?? ""));
    await expectAccessible(page, "its own window");
  });

  test("[TM18] panes beside each other, with sizes by keyboard; views beside terminals", async () => {
    await page.getByRole("button", { name: /^Split/ }).click();
    await mine(1);
    await type(1, "echo in the second");
    await sees(1, "in the second");
    const before = (await paneOf(0).boundingBox())?.width ?? 0;
    await page.getByRole("separator").focus();
    for (let times = 0; times < 4; times++) await page.keyboard.press("ArrowRight");
    await expect.poll(async () => (await paneOf(0).boundingBox())?.width ?? 0).toBeGreaterThan(before + 100);
    await paneOf(1).getByText("Recorded").click();
    await tab("web").click();
    await paneOf(1).getByText("web is up at").waitFor();
    await tab("monitor").click();
    await paneOf(1).getByRole("cell", { name: "sleep 1000" }).first().waitFor();
    await expectAccessible(page, "panes and a view");
    await page.getByRole("button", { name: "One above the other" }).click();
    await page.locator(".pane-grid.stack").waitFor();
    // What is seen can be sent.
    const other = await open();
    await other.goto(page.url());
    await other.locator(".pane-grid.stack [data-pane='v.monitor']").waitFor();
    await other.close();
    await paneOf(1)
      .getByRole("button", { name: /Do not show monitor/ })
      .click();
    await expect.poll(() => page.locator("[data-pane]").count()).toBe(1);
  });

  test("[TM18] on a phone there is one pane at a time, with the tabs above it and room for a screen", async () => {
    const wide = page.url();
    const pocket = await browser.newContext({
      ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
      storageState: await context.storageState(),
    });
    await pocket.addInitScript(() => localStorage.setItem("signalbox.terminal-renderer", "dom"));
    const phone = await pocket.newPage();
    await phone.goto(wide);
    await phone.getByRole("tab").first().waitFor();
    expect(await phone.locator("[data-pane]").count(), "panes at once").toBe(1);
    for (const name of ["Split", "Stack"]) expect(await phone.getByRole("button", { name }).count()).toBe(0);
    const { terminal } = await client.call("terminal.open", { agent, window: "pocket", cols: 40, rows: 20 });
    await phone.getByRole("tab", { name: "pocket" }).tap();
    await mine(0, phone);
    const rows = async (): Promise<number> =>
      Number((await phone.locator("[data-pane] .pane-end .num").innerText()).split("×")[1]);
    await expect.poll(rows, { message: "lines of a screen" }).toBeGreaterThan(18);
    const screen = await phone.locator(".terminal-frame").boundingBox();
    expect(screen?.height, "of 844 pixels").toBeGreaterThan(844 * 0.45);
    expect(await phone.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await phone.getByRole("tab", { name: "web" }).tap();
    await phone.locator("[data-pane='v.web']").waitFor();
    expect(await phone.locator("[data-pane]").count(), "after another was chosen").toBe(1);
    await expectAccessible(phone, "windows on a phone");
    await client.call("terminal.close", { terminal });
    await pocket.close();
  });

  test("[TM18] a window is named, and ended with a question only where something runs", async () => {
    const { terminals } = await client.call("terminal.list", { agent });
    const [second] = terminals;
    await tab(second?.window ?? "").dblclick();
    const box = page.getByRole("textbox", { name: /Another name for/ });
    await box.fill("checks");
    await box.press("Enter");
    await tab("checks").click();
    await page.locator(`[data-terminal=${second?.id}]`).waitFor();
    await mine(0);
    await type(0, "sleep 1000");
    await expect
      .poll(async () => (await client.call("terminal.get", { terminal: second?.id ?? "" })).processes)
      .toBe(2);
    await page.getByRole("button", { name: "End", exact: true }).click();
    await page.getByRole("button", { name: "Keep it" }).click();
    await paneOf(0).locator(".xterm-helper-textarea").focus();
    await page.keyboard.press("Control+C");
    await expect
      .poll(async () => (await client.call("terminal.get", { terminal: second?.id ?? "" })).processes)
      .toBe(1);
    await page.getByRole("button", { name: "End", exact: true }).click();
    await expect.poll(() => tab("checks").count()).toBe(0);
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("[TM19] two who look say lines to each other", async () => {
    const { terminals } = await client.call("terminal.list", { agent });
    const address = `${rig.url}/agents/${agent}?windows=side~${terminals[0]?.id}`;
    await page.goto(address);
    await mine(0);
    const guest = await browser.newContext({
      viewport: { width: 1200, height: 800 },
      storageState: await context.storageState(),
    });
    const other = await guest.newPage();
    await other.goto(address);
    await other.getByPlaceholder("Say to all").fill("may I?");
    await other.keyboard.press("Enter");
    await page.locator(".terminal-said", { hasText: "may I?" }).waitFor();
    await expectAccessible(page, "two who talk");
    expect((await client.call("terminal.get", { terminal: terminals[0]?.id ?? "" })).lines.join("\n")).not.toContain(
      "may I?",
    );
    await guest.close();
  });

  test("[TM17] [TM25] a shell that comes back is in the same pane, over the same connection", async () => {
    const before = await page.locator("[data-terminal]").getAttribute("data-terminal");
    const sockets: string[] = [];
    page.on("websocket", (socket) => sockets.push(socket.url()));
    await client.call("agent.restart", { agent });
    await settledAgent(client, agent);
    await expect.poll(() => page.locator("[data-terminal]").getAttribute("data-terminal")).not.toBe(before);
    await mine(0);
    await type(0, "history | tail -5");
    await sees(0, "cat a.txt");
    expect(sockets.filter((url) => url.endsWith("/terminal"))).toEqual([]);
  });

  test("[TM15] it is drawn by WebGL where there is some, and as before where there is none", async () => {
    await page.evaluate(() => localStorage.removeItem("signalbox.terminal-renderer"));
    await page.reload();
    const hasWebgl = await page.evaluate(() => document.createElement("canvas").getContext("webgl2") !== null);
    await page.locator(`[data-terminal][data-renderer=${hasWebgl ? "webgl" : "dom"}]`).waitFor();
    await mine(0);
    expect((await page.locator("[data-terminal] canvas").count()) > 0).toBe(hasWebgl);
    expect(troubles.flatMap(({ found }) => found)).toEqual([]);
  });

  test("[TM23] recordings of an agent that was removed are below the agents, are played there, and go when one says so", async () => {
    await client.call("agent.remove", { agent, force: true, discard: true });
    await settledAgent(client, agent);
    await page.goto(`${rig.url}/agents`);
    const list = page.locator("[data-panel=recordings]");
    const rows = list.locator("[data-recorded]");
    await list.getByText("shop-1 (removed)").first().waitFor();
    const count = await rows.count();
    await expectAccessible(page, "recordings of what was removed");
    const id = (await rows.first().getAttribute("data-recorded")) ?? "";
    await rows
      .first()
      .getByRole("link", { name: `Play ${id}` })
      .click();
    await page.locator(`[data-recording=${id}]`).waitFor();
    await untilAddress(page, ({ pathname }) => pathname === `/agents/${agent}`);
    await page.goBack();
    await rows.first().getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove it" }).click();
    await expect.poll(() => rows.count()).toBe(count - 1);
    expect(troubles.flatMap(({ found }) => found)).toEqual([]);
  });
});
