// Tasks in the console: made, changed, given something, run, cancelled and removed, in a real browser against a real daemon.

import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { limits } from "../../src/protocol/limits.ts";
import type { Task } from "../../src/protocol/wire/task.ts";
import { ConsoleRig, hasChromium, launchChromium } from "../support/console-rig.ts";
import { expectAccessible, PageTroubles, untilAddress } from "../support/page-checks.ts";
import { SampleProject } from "../support/sample-project.ts";

const mustRun = process.env["CI"] === "true";
const canRun = hasChromium() || mustRun;

describe.skipIf(!canRun)("tasks in the console", () => {
  let rig: ConsoleRig;
  let browser: Browser;
  let client: Client;
  let page: Page;
  let troubles: PageTroubles;
  let id: string;
  const sample = new SampleProject({ "a.txt": "a\n", "b.txt": "b\n" });

  beforeAll(async () => {
    rig = await ConsoleRig.start();
    browser = await launchChromium();
    client = await rig.connect();
    await client.call("project.add", { root: sample.root, name: "shop" });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "dark" });
    // A machine that is busy with other tests is slow, not wrong.
    context.setDefaultTimeout(60_000);
    page = await context.newPage();
    troubles = await PageTroubles.watch(page);
    await page.goto(rig.loginUrl);
    await page.locator(".app[data-link=live]").waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await rig?.remove();
    sample.remove();
  });

  const field = (name: string): Locator => page.locator(`[data-field="${name}"]`);
  const panel = (): Locator => page.locator("[data-panel=setting]");
  const attach = (): Locator => page.getByRole("form", { name: "What comes along" });
  const toast = (text: string): Locator => page.locator(".toast", { hasText: text });
  const press = (name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();
  const read = async (): Promise<Task> => (await client.call("task.get", { task: id })).task;

  test("one is made, from the settings and by a key; the only project is meant", async () => {
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Tasks" }).click();
    await page.getByText("There is none yet").waitFor();
    await page.keyboard.press("n");
    expect(await field("project").inputValue()).toBe("shop");
    await field("title").fill("Greet whoever reads it");
    await field("description").fill("In a.txt.\nNowhere else.");
    await field("acceptance").fill("grep\n-q\nhello\na.txt");
    await field("scope").fill("../elsewhere");
    await press("Make the task");
    // What is wrong is said, and nothing that was written is lost.
    await panel().getByRole("alert").filter({ hasText: "the path leaves the project" }).waitFor();
    await expectAccessible(page, "a task with something wrong");
    await field("scope").fill("a.txt");
    await press("Make the task");
    await untilAddress(page, ({ searchParams }) => (searchParams.get("name") ?? "").startsWith("t_"));
    id = new URL(page.url()).searchParams.get("name") ?? "";
    const made = await page.locator(".toast-command code").last().innerText();
    expect(made).toMatch(/^signalbox task add 'Greet whoever reads it' --project \S+ --description /);
    expect(made).toContain("--accept 'grep -q hello a.txt' --scope a.txt");
    await panel().getByRole("heading", { name: "Greet whoever reads it" }).waitFor();
    expect(await panel().locator(".asked").innerText()).toBe("In a.txt.\nNowhere else.");
    const { title, acceptance, scope, kept } = await read();
    expect({ title, acceptance, scope, kept }).toEqual({
      title: "Greet whoever reads it",
      acceptance: ["grep", "-q", "hello", "a.txt"],
      scope: ["a.txt"],
      kept: true,
    });
  });

  test("it has an address of its own; one that is not there is said not to be", async () => {
    await page.reload();
    await panel().getByRole("heading", { name: "Greet whoever reads it" }).waitFor();
    await page.locator(`[data-row=${id}][aria-selected=true]`).waitFor();
    await page.goto(`${rig.url}/settings/tasks?name=t_zzzz`);
    await page.getByText("There is no task t_zzzz").waitFor();
    await page.locator(`[data-row=${id}]`).click();
    await panel().getByRole("heading", { name: "Greet whoever reads it" }).waitFor();
    expect(new URL(page.url()).searchParams.get("name")).toBe(id);
  });

  test("it is changed, and the change is taken back", async () => {
    await field("title").fill("Greet everybody");
    await field("scope").fill("a.txt\nb.txt");
    await press("Save");
    const told = `signalbox task change ${id} --title 'Greet everybody' --scope a.txt --scope b.txt`;
    await toast(`${id}: title, scope changed`).filter({ hasText: told }).waitFor();
    await panel().getByRole("heading", { name: "Greet everybody" }).waitFor();
    expect(await read()).toMatchObject({ title: "Greet everybody", scope: ["a.txt", "b.txt"] });
    await press("Undo");
    await panel().getByRole("heading", { name: "Greet whoever reads it" }).waitFor();
    expect(await read()).toMatchObject({ scope: ["a.txt"], description: "In a.txt.\nNowhere else." });
    await field("title").fill("");
    await press("Save");
    await page.locator("[data-field=title][aria-invalid=true]").waitFor();
    await press("Take back");
    expect(await field("title").inputValue()).toBe("Greet whoever reads it");
  });

  test("a note, a link and a file come along; what cannot is refused in a sentence", async () => {
    const come = attach().getByRole("button", { name: "Let it come along" });
    expect(await come.isDisabled()).toBe(true);
    await attach().getByLabel("Name").fill("tone of it");
    await attach().getByLabel("What it says").fill("friendly\nand short");
    await come.click();
    await attach().getByText("an attachment is called like design.md").waitFor();
    await attach().getByLabel("Name").fill("tone.md");
    await come.click();
    await panel().getByText("friendly").waitFor();
    expect(await panel().locator(".task-note").innerText()).toBe("friendly\nand short");
    await attach().getByLabel("Comes along").selectOption("link");
    await attach().getByLabel("Name").fill("style");
    await attach().getByLabel("Where it leads").fill("javascript:alert(1)");
    await come.click();
    await attach().getByText("a link begins with http:// or https://").waitFor();
    await attach().getByLabel("Where it leads").fill("https://example.org/style");
    await come.click();
    const link = panel().getByRole("link", { name: "https://example.org/style" });
    await link.waitFor();
    expect(await link.getAttribute("rel")).toContain("noopener");
    await attach().getByLabel("Comes along").selectOption("file");
    const file = attach().getByLabel("File, at most");
    const large = Buffer.alloc(limits.attachmentBytesMax + 1);
    await file.setInputFiles({ name: "large.bin", mimeType: "application/octet-stream", buffer: large });
    await come.click();
    await attach().getByText("large.bin has").waitFor();
    await file.setInputFiles({
      name: "a drawing.bin",
      mimeType: "application/octet-stream",
      buffer: Buffer.from("hi"),
    });
    await come.click();
    await panel().getByText("a-drawing.bin").waitFor();
    await expectAccessible(page, "a task");
    expect((await read()).attachments.map(({ kind, name }) => [kind, name])).toEqual([
      ["note", "tone.md"],
      ["link", "style"],
      ["file", "a-drawing.bin"],
    ]);
  });

  test("what comes along is taken away, and comes back as it was", async () => {
    for (const name of ["tone.md", "style", "a-drawing.bin"]) {
      await panel()
        .getByRole("button", { name: `Take away ${name}` })
        .click();
      const note = toast(`${name} does not come along`);
      await note.waitFor();
      expect((await read()).attachments.map((each) => each.name)).not.toContain(name);
      await note.getByRole("button", { name: "Undo" }).click();
      // What the page shows may still be what was there before it was taken away.
      await expect.poll(async () => (await read()).attachments.map((each) => each.name)).toContain(name);
      await panel()
        .getByRole("button", { name: `Take away ${name}` })
        .waitFor();
    }
    const { base64 } = await client.call("task.attachment", { task: id, name: "a-drawing.bin" });
    expect(Buffer.from(base64, "base64").toString()).toBe("hi");
    expect((await read()).attachments.find(({ name }) => name === "tone.md")?.text).toBe("friendly\nand short");
  });

  test("it is run; a script that is wrong stays in its field; the run's page has the task", async () => {
    const start = page.locator("[data-panel=start]");
    await start.locator("[data-field=script]").fill("task: hi\nsteps: 3\n");
    await start.getByRole("button", { name: "Run it" }).click();
    await start.locator("[role=alert]").waitFor();
    expect(await start.locator("[data-field=script]").inputValue()).toContain("steps: 3");
    const steps = [{ write: { path: "a.txt", content: "hello\n" } }, { ask: "Is that right?" }];
    await start.locator("[data-field=script]").fill(JSON.stringify({ task: "greet", steps }));
    await start.getByRole("button", { name: "Run it" }).click();
    await page.locator(".toast-command", { hasText: `signalbox run --task ${id} --project` }).waitFor();
    await page.locator("[data-page][data-state=awaiting-input]").waitFor();
    const task = page.locator("[data-panel=task]");
    await task.getByText("Nowhere else.").waitFor();
    await task.getByText("grep -q hello a.txt").waitFor();
    await task.getByText("tone.md").waitFor();
    expect(await task.getByRole("button").count(), "nothing is taken away from there").toBe(0);
    const [run] = (await read()).runs;
    expect(new URL(page.url()).pathname).toBe(`/runs/${run}`);
    await task.getByRole("link", { name: id }).click();
    await untilAddress(page, ({ pathname }) => pathname === "/settings/tasks");
    await panel()
      .getByRole("link", { name: run ?? "" })
      .click();
    await untilAddress(page, ({ pathname }) => pathname === `/runs/${run}`);
    await page.goBack();
    await panel().waitFor();
  });

  test("one with runs is cancelled after asking, and is not run again; one without is removed", async () => {
    const [run = ""] = (await read()).runs;
    await press("Cancel the task…");
    const dialog = page.getByRole("dialog", { name: `Cancel ${id}?` });
    await dialog.getByText("It has had 1 run").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect((await read()).cancelled).toBe(false);
    await press("Cancel the task…");
    await dialog.getByRole("button", { name: `Cancel ${id}` }).click();
    await panel().getByText("Cancelled; its runs are kept").waitFor();
    await page.locator(`[data-row=${id}]`, { hasText: "Cancelled" }).waitFor();
    expect(await page.locator("[data-panel=start]").count()).toBe(0);
    expect((await client.waitForRun(run, { states: ["terminated"] })).state).toBe("terminated");
    const { task: other } = await client.call("task.add", { project: "shop", title: "Not needed" });
    await page.locator(`[data-row=${other}]`).click();
    await press("Remove");
    await toast(`${other} is removed`).waitFor();
    await page.locator(`[data-row=${other}]`).waitFor({ state: "detached" });
    await page.getByText("Choose a task, or make one").waitFor();
  });

  test("on a phone and in light nothing reaches over the edge, also not absurdly long names", async () => {
    const { task } = await client.call("task.add", {
      project: "shop",
      title: "Verylongword".repeat(12),
      description: "x".repeat(3000),
      attachments: [{ kind: "link", name: "l".repeat(48), url: `https://example.org/${"long".repeat(100)}` }],
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`${rig.url}/settings/tasks?name=${task}`);
    await panel().getByRole("link").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await expectAccessible(page, "a task on a phone");
    await rig.kill();
    await page.locator("[data-banner=away]").waitFor();
    expect(await page.getByRole("button", { name: "Remove", exact: true }).isDisabled()).toBe(true);
    await rig.up();
    await page.locator(".app[data-link=live]").waitFor();
    expect(troubles.found).toEqual([]);
  });
});
