// The keys of the console, in a real browser: whatever listens for a key on any page is on the sheet, and the same keys go through every
// list.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents, settledAgent } from "../support/living-agents.ts";
import { untilAddress } from "../support/page-checks.ts";

const broken = `
template: mailer
services:
  smtp: { command: 'exit 3', restart: { delay: 10ms, limit: 1 } }
  other: { command: sleep 1000 }
`;

describe.skipIf(!hasChromium() || noCages)("keys in the console", () => {
  const suite = ConsoleSuite.forAll();
  let client: Client;
  let page: Page;
  let question: string;
  let review: string;
  let agent: string;
  let recording: string;

  beforeAll(() => {
    ({ client, page } = suite);
  });

  async function makeWorld(): Promise<void> {
    for (const name of ["first", "second", "third"])
      await client.waitForRun(
        await suite.submit(`Lands ${name}`, [{ write: { path: `${name}.txt`, content: "1\n" } }]),
      );
    await client.call("policy.set", { name: "ask", scope: { project: "shop" }, rules: { approvalRequired: true } });
    for (const path of ["x.txt", "y.txt"]) {
      const run = await suite.submit(`Rejected ${path}`, [{ write: { path, content: "x\n" } }]);
      await client.waitForRun(run, { states: ["review"] });
      await client.call("run.reject", { run, message: "no" });
    }
    review = await suite.submit("Reviews", [
      { write: { path: "a.txt", content: "a\n" } },
      { write: { path: "b.txt", content: "b\n" } },
      { write: { path: "c.txt", content: "c\n" } },
    ]);
    await client.waitForRun(review, { states: ["review"] });
    question = await suite.submit("Asks", [{ claim: "file:q.txt" }, { ask: "Go on?" }]);
    await client.waitForRun(question, { states: ["awaiting-input"] });
    agent = (await client.call("agent.create", { project: "shop", template: broken })).agent.id;
    await settledAgent(client, agent);
    const { terminal } = await client.call("terminal.open", {
      agent,
      argv: ["sh", "-c", "echo x"],
      cols: 80,
      rows: 24,
    });
    recording = terminal;
    for await (const event of client.events({ types: ["terminal.ended"] })) if (event["terminal"] === recording) break;
  }

  /** Opens the sheet there, after some keys, and looks for what is not on it. */
  async function expectNamed(address: string, keys: readonly string[] = [], there = "main"): Promise<void> {
    await suite.goTo(address);
    await page.locator(there).first().waitFor();
    await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
    for (const key of keys) await page.keyboard.press(key);
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keys and signals" });
    await sheet.waitFor();
    const unnamed = sheet.locator("[data-keys='Here, too']");
    expect({ address, unnamed: await unnamed.allInnerTexts() }).toEqual({ address, unnamed: [] });
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
  }

  afterAll(() => removeAgents(client));

  test("whatever does something where nothing has run yet is on the sheet there", async () => {
    await expectNamed("/", [], ".empty");
    await expectNamed("/runs", [], ".empty");
    await expectNamed("/agents");
  });

  test("the sheet begins with what there is on the page, and has every other key, too", async () => {
    await suite.goTo("/settings/policies");
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keys and signals" });
    const groups = sheet.locator("[data-keys]");
    await groups.first().waitFor();
    const titles = await groups.evaluateAll((all) => all.map((each) => each.getAttribute("data-keys")));
    expect(titles.slice(0, 3)).toEqual(["Move", "Everywhere", "In the settings"]);
    for (const [title, keys] of [
      ["Move", ["J", "K", "⇧J", "⇧K", "Home", "End", "↓", "↑", "PgDn", "PgUp", "↵", "O", "Esc"]],
      ["Everywhere", ["Ctrl+K", "Ctrl+↵", "R", "U", "Z"]],
      ["In the settings", ["N"]],
      ["On the overview", ["N", "T", "G"]],
      ["In a terminal", ["⇧Esc", "F2"]],
      ["In a recording", ["Space", "Home", "End"]],
      ["Among landings", ["1", "2", "3", "R", "E"]],
    ] as const) {
      const shown = await sheet.locator(`[data-keys="${title}"] kbd`).allInnerTexts();
      expect({ title, missing: keys.filter((key) => !shown.includes(key)) }).toEqual({ title, missing: [] });
    }
    await page.keyboard.press("Escape");
  });

  test("whatever does something on a page is on the sheet there", async () => {
    await makeWorld();
    await expectNamed("/", ["j"], "[data-lane]");
    await expectNamed("/", ["n"], `[data-need=agent]`);
    await expectNamed("/", ["n", "n"], `[data-need=agent]`);
    await expectNamed("/inbox", ["j"], "[data-item]");
    await expectNamed("/inbox", ["Shift+J"], "[data-item]");
    await expectNamed("/runs", ["j"], "[data-row]");
    await expectNamed("/runs", ["Shift+J"], "[data-row]");
    await expectNamed("/runs/new");
    await expectNamed(`/runs/${review}`, ["j"], ".hunk");
    await expectNamed(`/runs/${question}`, [], `[data-answer=${question}]`);
    await expectNamed("/agents", ["j"], "[data-row]");
    await expectNamed("/agents?as=cards", ["j"], "[data-agent]");
    await expectNamed(`/agents/${agent}`, ["j"], "[data-service]");
    await expectNamed(`/agents/${agent}?windows=side~v.monitor`, [], "[data-pane]");
    await expectNamed(`/agents/${agent}?recording=${recording}`, [], "[data-playing]");
    await expectNamed("/locks", ["j"], "[data-row]");
    await expectNamed("/locks", ["Shift+J"], "[data-row]");
    await expectNamed("/landing", ["Shift+J"], "[data-trash]");
    await expectNamed("/events", ["j"], "[data-seq]");
    for (const section of ["projects", "tasks", "profiles", "policies", "runners", "secrets", "templates", "you"])
      await expectNamed(`/settings/${section}`);
    const { seq } = await client.call("status", {});
    await expectNamed(`/?at=${seq}`, ["j"]);
  }, 180_000);

  test("the same keys go to the next, to the last and to the first of everything that landed and of the trash", async () => {
    await suite.goTo("/landing");
    await page.locator("[data-trash='y.txt']").waitFor();
    await expect.poll(() => page.locator("[data-landed]").count()).toBe(3);
    const focused = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.closest("[data-step]")?.textContent ?? null);
    await page.keyboard.press("j");
    expect(await focused()).toContain("Lands third");
    await page.keyboard.press("j");
    expect(await focused()).toContain("Lands second");
    await page.keyboard.press("Shift+J");
    expect(await focused()).toContain("x.txt");
    await page.keyboard.press("k");
    expect(await focused()).toContain("y.txt");
    await page.keyboard.press("r");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Restore y.txt" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("e");
    await dialog.getByRole("heading", { name: "Purge y.txt?" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Home");
    expect(await focused()).toContain("Lands third");
    await page.keyboard.press("o");
    await untilAddress(page, ({ pathname }) => pathname.startsWith("/runs/"));
  });

  test("and of hunks, lanes and what needs somebody", async () => {
    await suite.goTo(`/runs/${review}`);
    await page.locator(".hunk").first().waitFor();
    const file = (): string | null => new URL(page.url()).searchParams.get("file");
    await page.keyboard.press("Shift+J");
    await expect.poll(file).toBe("c.txt");
    await page.keyboard.press("k");
    await expect.poll(file).toBe("b.txt");
    await page.keyboard.press("Shift+K");
    await expect.poll(file).toBe("a.txt");
    for (const [address, rows] of [
      ["/", "[data-lane]"],
      ["/inbox", "[data-item]"],
    ] as const) {
      await suite.goTo(address);
      await page.locator(rows).nth(1).waitFor();
      const isFocused = (at: number): Promise<boolean> =>
        page
          .locator(rows)
          .nth(at)
          .evaluate((element) => element === document.activeElement);
      await page.keyboard.press("Shift+J");
      await expect.poll(() => isFocused(-1)).toBe(true);
      await page.keyboard.press("Shift+K");
      await expect.poll(() => isFocused(0)).toBe(true);
    }
    expect(suite.troubles).toEqual([]);
  });

  test("a key that is held acts once, and goes on through a list", async () => {
    const ended = await suite.submit("Held", [
      { write: { path: "held.txt", content: "1\n" } },
      { fail: "for the test" },
    ]);
    await client.waitForRun(ended);
    await suite.goTo(`/runs/${ended}`);
    await page.locator(`[data-page=${ended}][data-state=failed]`).waitFor();
    // What comes after the first is what a keyboard says while a key is down.
    for (let time = 0; time < 5; time++) await page.keyboard.down("t");
    await page.keyboard.up("t");
    await page.locator(".toast", { hasText: `${ended} ` }).waitFor();
    const held = async (): Promise<number> =>
      (await client.call("run.list", { limit: 100 })).runs.filter(({ title }) => title === "Held").length;
    expect(await held()).toBe(2);

    // Enter on a button, too.
    await suite.goTo(`/runs/${ended}`);
    const retry = page.getByRole("button", { name: /^Retry/ });
    await retry.focus();
    await page.keyboard.down("Enter");
    // What was begun has been answered, so that another press would begin another one.
    await expect.poll(held).toBe(3);
    for (let time = 0; time < 4; time++) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    expect(await held()).toBe(3);

    await suite.goTo("/runs");
    await page.locator("[data-row]").nth(2).waitFor();
    for (let time = 0; time < 3; time++) await page.keyboard.down("j");
    await page.keyboard.up("j");
    const rows = page.locator("[data-row]");
    await expect.poll(() => rows.nth(2).getAttribute("aria-selected")).toBe("true");
  });

  test("a dialog that is left by its button gives the focus back", async () => {
    await suite.goTo(`/runs/${question}`);
    const stop = page.getByRole("button", { name: /^Stop/ });
    await stop.focus();
    await page.keyboard.press("Enter");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Keep it running/ })
      .click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => stop.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test("the key of an answer is beside its field", async () => {
    await suite.goTo(`/runs/${question}`);
    const box = page.locator(`[data-answer=${question}]`);
    await page.locator(".answer kbd", { hasText: /^R$/ }).first().waitFor();
    expect(await box.getAttribute("aria-keyshortcuts")).toBe("R");
    await page.keyboard.press("r");
    await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});
