// Review and landing in the console, in a real browser against a real daemon: one of each for the whole file.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { makeSampleRepository } from "../../src/adapters/git/sample-repository.ts";
import type { Client } from "../../src/client/client.ts";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { FaceNode } from "../support/faces/face-node.ts";
import { openFaceWorld } from "../support/faces/face-world.ts";
import { openPage } from "../support/open-console.ts";
import { expectAccessible, PageTroubles, untilAddress } from "../support/page-checks.ts";

const canRun = hasChromium() || process.env["CI"] === "true";
const hostile = `<img src=x onerror="window.hurt=1"><b>bold</b>`;
const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`);

describe.skipIf(!canRun)("review in the console", () => {
  let root: string;
  const suite = ConsoleSuite.forAll({
    fill: async (folder) => {
      await makeSampleRepository(folder);
      writeFileSync(path.join(folder, "long.txt"), lines.join(""));
      root = folder;
    },
  });
  let client: Client;
  let page: Page;

  beforeAll(async () => {
    ({ client, page } = suite);
    await client.call("policy.set", { name: "ask", scope: { project: "shop" }, rules: { approvalRequired: true } });
  });

  const inReview = async (title: string, steps: readonly object[], script: object = {}): Promise<string> => {
    const run = await suite.submit(title, steps, {}, script);
    expect((await client.waitForRun(run, { states: ["review", "failed"] })).state).toBe("review");
    return run;
  };
  const pageIn = (run: string, state: string) => page.locator(`[data-page=${run}][data-state=${state}]`).waitFor();
  const keys = async (...names: string[]): Promise<void> => {
    for (const name of names) await page.keyboard.press(name);
  };
  const hunk = (id: string) => page.locator(`[data-hunk="${id}"]`);
  const write = (file: string, content: string): object => ({ write: { path: file, content } });

  test("by keys alone: finds the review, chooses two hunks of three, lands them, and then the rest", async () => {
    const first = await inReview("Adds the long file", [write("long.txt", lines.join(""))]);
    await client.call("run.approve", { run: first });
    await client.waitForRun(first);
    const work = lines
      .join("")
      .replace("line 3\n", "LINE 3\n")
      .replace("line 20\n", "")
      .replace("line 38\n", "LINE 38\n");
    const run = await inReview("Changes three places", [write("long.txt", work), write("other.txt", "other\n")]);
    await suite.goTo("/");
    await page.locator(`[data-need][data-run=${run}]`).waitFor();
    await keys("n", "o");
    await pageIn(run, "review");
    await untilAddress(page, ({ pathname }) => pathname === `/runs/${run}`);
    await hunk("3").waitFor();
    // The first hunk is meant before one has gone anywhere, and one is there then.
    await keys("a", "j");
    await page.locator("[data-hunk='2'][aria-current=true]").waitFor();
    await keys("j", "a");
    await page.getByText("2 of 4 chosen").waitFor();
    await keys("l");
    await page.locator(".files", { hasText: "2 files" }).waitFor();
    await page.locator("[data-hunk='2']").waitFor({ state: "detached" });
    await pageIn(run, "review");
    expect(await page.locator(".toast-command code").last().innerText()).toMatch(
      new RegExp(`^signalbox approve ${run} --hunk long.txt:1,3 --seen [0-9a-f]{16}$`),
    );
    const { events } = await client.call("run.log", { run, limit: 1000 });
    expect(events.find(({ type }) => type === "run.approved")?.["approved"]).toMatchObject([{ path: "long.txt" }]);
    const landed = await client.call("project.blame", { project: "shop", path: "long.txt" });
    expect([2, 19, 37].map((at) => landed.lines[at]?.text)).toEqual(["LINE 3", "line 20", "LINE 38"]);
    await keys("l");
    await pageIn(run, "done");
    const commit = (await client.call("run.get", { run })).run.landed ?? "none";
    await page.locator(".p-changes .panel-head", { hasText: `landed as ${commit.slice(0, 10)}` }).waitFor();
  });

  test("what moved since it was looked at is not approved before it was looked at again", async () => {
    const run = await inReview("Moves under the reviewer", [{ read: "other.txt" }, write("moves.txt", "one\n")], {
      onMessage: [write("moves.txt", "two\n")],
    });
    const other = await inReview("Changes what was read", [write("other.txt", "another\n")]);
    await client.call("run.approve", { run: other });
    await client.waitForRun(other);
    await suite.goTo(`/runs/${run}`);
    await page.locator("[data-note=stale]", { hasText: "other.txt" }).waitFor();
    await page.locator("td.line", { hasText: /^one$/ }).waitFor();
    const before = (await client.call("run.diff", { run })).seen;
    await client.call("run.return", { run, message: "two, please" });
    await client.waitForRun(run, { states: ["review"] });
    await page.locator("[data-note=moved]").waitFor();
    await pageIn(run, "review");
    expect(await page.locator("td.line").allInnerTexts(), "what was looked at stays").toEqual(["one"]);
    await keys("l");
    await page.locator(".toast", { hasText: "Look again, then decide" }).waitFor();
    expect((await client.call("run.get", { run })).run.state).toBe("review");
    await keys("r");
    await page.locator("td.line", { hasText: /^two$/ }).waitFor();
    expect((await client.call("run.diff", { run })).seen).not.toBe(before);
    await keys("l");
    await pageIn(run, "done");
  });

  test("two look at one review: what one lands, the other sees, and lands nothing twice", async () => {
    const run = await inReview("Is reviewed by two", [write("one.txt", "one\n"), write("two.txt", "two\n")]);
    await suite.goTo(`/runs/${run}`);
    await hunk("1").waitFor();
    const { page: second, troubles: others } = await openPage(suite.browser, client);
    await second.goto(`${suite.url}/runs/${run}?file=two.txt`);
    await second.locator("[data-hunk='1']").waitFor();
    await keys("j", "a", "l");
    await page.locator(".files", { hasText: "1 file" }).waitFor();
    await second.locator("[data-note=moved]").waitFor();
    await second.keyboard.press("l");
    await second.locator(".toast", { hasText: "Look again, then decide" }).waitFor();
    await second.keyboard.press("r");
    await second.locator(".files", { hasText: "1 file" }).waitFor();
    await second.keyboard.press("l");
    await second.locator(`[data-page=${run}][data-state=done]`).waitFor();
    await pageIn(run, "done");
    await page.getByText("landed on").waitFor();
    expect(await page.getByText("Lost its lease").count(), "what has landed needs no lease").toBe(0);
    const { events } = await client.call("run.log", { run, limit: 1000 });
    expect(events.filter(({ type }) => type === "run.landed").length).toBe(2);
    expect(others.found).toEqual([]);
    await second.context().close();
  });

  test("sends back with a message, and shows what comes of it by itself", async () => {
    const run = await inReview("Is sent back", [write("back.txt", "draft\n")], {
      onMessage: [write("back.txt", "final\n")],
    });
    await suite.goTo(`/runs/${run}`);
    await page.locator("td.line", { hasText: "draft" }).waitFor();
    await keys("c");
    await page.keyboard.type("finish it");
    await keys("Escape");
    await page.getByRole("button", { name: "Send back 1 comment" }).waitFor();
    await keys("b");
    expect(await page.getByLabel("What is missing").inputValue()).toContain("back.txt, hunk 1: finish it");
    await page.keyboard.press("Control+Enter");
    await page.locator("td.line", { hasText: "final" }).waitFor();
    await pageIn(run, "review");
    expect(await page.locator("[data-note=moved]").count()).toBe(0);
    await page.locator("[data-event='run.messaged']", { hasText: "finish it" }).waitFor();
    await keys("x");
    const why = page.getByLabel("Why, for the record");
    expect(await why.inputValue(), "what was said of one change set is not said of another").toBe("");
    await why.fill("not needed");
    await page.keyboard.press("Control+Enter");
    await pageIn(run, "rejected");
  });

  test("what was chosen and said of a change set is there again after a look at a step, or at another page", async () => {
    const run = await inReview("Is looked at closely", [write("closely.txt", "one\n"), write("widely.txt", "two\n")]);
    await suite.goTo(`/runs/${run}`);
    await page.locator("td.line", { hasText: "one" }).waitFor();
    await keys("a", "c");
    await page.keyboard.type("why one?");
    await keys("Escape");
    const isThere = async (): Promise<void> => {
      await page.getByText("1 of 2 chosen").waitFor();
      expect(await page.locator("[data-comment='closely.txt 1']").inputValue()).toBe("why one?");
    };
    await isThere();
    await keys(",");
    await page.getByRole("heading", { name: /What step \d did/ }).waitFor();
    await page.getByRole("button", { name: "All of it", exact: true }).click();
    await isThere();
    await page.getByRole("link", { name: "Inbox" }).first().click();
    await untilAddress(page, ({ pathname }) => pathname === "/inbox");
    await page.goBack();
    await isThere();
    await client.call("run.reject", { run, message: "seen enough" });
  });

  test("a dialog stays where text is dragged out of it, and goes by a press beside it", async () => {
    const run = await inReview("Is answered at length", [write("length.txt", "one\n")]);
    await suite.goTo(`/runs/${run}`);
    await page.locator("td.line", { hasText: "one" }).waitFor();
    await keys("b");
    const words = page.getByLabel("What is missing");
    await words.fill("all of it");
    const box = await words.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 10);
    await page.mouse.down();
    await page.mouse.move(5, 5);
    await page.mouse.up();
    expect(await words.inputValue({ timeout: 5000 })).toBe("all of it");
    await page.mouse.click(5, 5);
    await words.waitFor({ state: "detached" });
    await client.call("run.reject", { run, message: "seen enough" });
  });

  test("a key right behind the one that closes a dialog opens the next one", async () => {
    const run = await inReview("Is answered twice", [write("twice.txt", "one\n")]);
    await suite.goTo(`/runs/${run}`);
    await page.locator("td.line", { hasText: "one" }).waitFor();
    await keys("b");
    const words = page.locator("dialog[open]").getByLabel("What is missing");
    await words.waitFor();
    // Before the browser has told the page that the first one is closed.
    await page.evaluate(async () => {
      const dialog = document.querySelector("dialog");
      const told = new Promise((resolve) => dialog?.addEventListener("close", resolve));
      dialog?.requestClose();
      await Promise.resolve();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "b", bubbles: true, cancelable: true }));
      await told;
    });
    expect(await words.isVisible(), "what the second key has opened").toBe(true);
    await keys("Escape");
    await words.waitFor({ state: "detached" });
    await client.call("run.reject", { run, message: "seen enough" });
  });

  test("shows every kind of change, and all of it as text", async () => {
    const run = await inReview("Changes in every way", [
      write(`${hostile.replaceAll("/", "")}.txt`, `${hostile}\nadmin\u202e = true\n${"x".repeat(5000)}\n`),
      write(".npmrc", "ignore-scripts=true\n"),
      { run: "printf '\\000\\377' > image.bin && git rm -q --cached README.md; rm README.md; chmod +x src/tax.ts" },
      { run: "printf '\\033[32mgreen\\033[0m <b>said</b>\\n'" },
    ]);
    await suite.goTo(`/runs/${run}`);
    const file = (name: string) => page.locator(".file", { hasText: name });
    await file(".npmrc").click();
    await page.locator(".diff-head", { hasText: "Guarded" }).waitFor();
    await file("image.bin").click();
    await page.getByText("Not text: nothing → 2 B").waitFor();
    await file("README.md").click();
    await page.locator(".diff-kind", { hasText: "deleted" }).waitFor();
    await file("tax.ts").click();
    await page.getByText("Only its mode has changed: was a file, is executable").waitFor();
    await file("img").click();
    await page.getByText("admin⟨U+202E⟩ = true").waitFor();
    await page.getByText("show 4,000 more characters").click();
    expect(await page.locator("td.line").last().innerText()).toHaveLength(5000);
    await page.locator(".output", { hasText: "green <b>said</b>" }).waitFor();
    expect(await page.locator("main img, main b b, .output b, .line b").count()).toBe(0);
    expect(await page.evaluate("window.hurt")).toBeUndefined();
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    }
  });

  test("goes through the steps, each with its own diff and what its command said", async () => {
    const run = await inReview("Works in steps", [
      write("steps.txt", "a\n"),
      { run: "echo first; echo b >> steps.txt" },
      { edit: { path: "steps.txt", find: "a\n", replace: "A\n" } },
    ]);
    await suite.goTo(`/runs/${run}`);
    await page.locator(".tl-tick").first().waitFor();
    await page.getByRole("slider", { name: "Step" }).press("Home");
    await page.getByRole("heading", { name: "What step 0 did" }).waitFor();
    await keys(".");
    await page.getByRole("heading", { name: "What step 1 did" }).waitFor();
    await untilAddress(page, ({ searchParams }) => searchParams.get("step") === "1");
    await page.locator("td.line.add", { hasText: /^b$/ }).waitFor();
    await page.locator(".output", { hasText: "first" }).waitFor();
    expect(await page.locator(".verdict .btn.primary").count(), "a step is not decided on").toBe(0);
    await page.getByRole("combobox", { name: "Which events" }).selectOption("message");
    await page.getByText("Nothing of that kind has happened").waitFor();
    await page.getByRole("button", { name: "All of it", exact: true }).click();
    await page.locator("[data-file='steps.txt']").waitFor();
  });

  test("shows what is being tested, what has landed, what is not published and why, and where a line comes from", async () => {
    await client.call("project.change", { project: "shop", landingTest: ["sh", "-c", "sleep 2; ./test.sh"] });
    writeFileSync(path.join(root, "src/prices.ts"), "// being edited by hand\n\n");
    const pears = { path: "src/prices.ts", find: "pricePear = 45;", replace: "pricePear = 50;" };
    const second = await inReview("Prices pears anew", [{ edit: pears }]);
    await suite.goTo("/landing");
    await page.getByText("Nothing is on its way").waitFor();
    await client.call("run.approve", { run: second });
    await page.locator(`[data-landing=${second}]`).getByText("testing: sh -c 'sleep 2; ./test.sh'").waitFor();
    await client.waitForRun(second);
    const branch = page.locator("[data-branch=shop]");
    await branch.getByText("landed, not published").waitFor();
    expect(await branch.locator(".command code").innerText()).toContain("git");
    const row = page.locator(`[data-landed=${second}][data-how=landed]`);
    await row.getByText("its test passed").waitFor();
    await row.getByRole("link", { name: "src/prices.ts" }).click();
    await page.getByRole("heading", { name: "Lines of src/prices.ts" }).waitFor();
    await page.locator(".blame tr", { hasText: "pricePear = 50;" }).getByRole("link", { name: second }).waitFor();
    await untilAddress(page, ({ searchParams }) => searchParams.get("file") === "src/prices.ts");
    await page.goBack();
    await row.waitFor();
    expect(readFileSync(path.join(root, "src/prices.ts"), "utf8"), "a person's work").toContain("by hand");
    // The overview has the newest few, each with the way to its run.
    await suite.goTo("/");
    const lately = page.getByRole("list", { name: "Recent landings" }).getByRole("listitem");
    await lately.first().getByText("Prices pears anew").waitFor();
    const { events } = await client.call("events.read", { types: ["run.landed"] });
    expect(events.length, "more than one has landed").toBeGreaterThan(1);
    const newest = events.toReversed().slice(0, 3);
    expect(await lately.evaluateAll((all) => all.map((row) => row.dataset["lately"]))).toEqual(
      newest.map((event) => event["run"]),
    );
    expect(await lately.first().getByRole("link").getAttribute("href")).toBe(`/runs/${second}`);
  });

  // Scripts resolve nothing, so the run is one that a test moves, behind the daemon's own faces.
  test("a landing that met somebody else's change shows its three sides, and the run is told from there", async () => {
    const world = await openFaceWorld({ consoleFolder: path.join(import.meta.dirname, "../../dist/console") });
    const context = await suite.browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "light" });
    try {
      const node = new FaceNode(world);
      await world.http.call("project.add", { root: world.folder, name: "demo" });
      await world.http.call("policy.set", { name: "ask", rules: { approvalRequired: true } });
      await node.commit({ "long.txt": lines.join("") });
      const script = JSON.stringify({ task: "meets somebody", steps: [{ say: "hello" }] });
      const { run } = await world.http.call("run.submit", { project: "demo", title: "Meets somebody", script });
      await node.start(run);
      await node.write(run, { "long.txt": lines.join("").replace("line 5\n", "mine\n").replace("line 30\n", "") });
      await node.finish(run);
      await node.commit({ "long.txt": lines.join("").replace("line 5\n", "theirs\n") });
      await world.http.call("run.approve", { run });
      await node.conflict(run, "long.txt");
      await node.start(run);
      await node.finish(run);
      const met = await context.newPage();
      const others = await PageTroubles.watch(met);
      await met.goto(world.server.makeLoginLink().url);
      await met.locator(".app[data-link=live]").waitFor();
      await met.goto(`${world.server.url}/landing`);
      await met.locator(`[data-conflict=${run}]`).waitFor();
      await met.keyboard.press("j");
      for (const [side, line] of Object.entries({ base: "line 5", theirs: "theirs", ours: "mine" }))
        await met.locator(`[data-side=${side}] li`, { hasText: new RegExp(`${line}$`) }).waitFor();
      await met.getByText("One more place was changed by one side alone").waitFor();
      await untilAddress(met, ({ searchParams }) => searchParams.get("of") === run);
      await expectAccessible(met, "three sides");
      await met.setViewportSize({ width: 390, height: 844 });
      expect(await met.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
      await met.setViewportSize({ width: 1440, height: 900 });
      // It would only come back, so nobody is offered to land it, and the page says why.
      await met.goto(`${world.server.url}/runs/${run}`);
      await met.locator("[data-note=unresolved]", { hasText: "long.txt" }).waitFor();
      expect(await met.getByRole("button", { name: "Land all of it" }).isDisabled()).toBe(true);
      await met.keyboard.press("l");
      await expectAccessible(met, "a review with two sides");
      await met.getByRole("link", { name: "Show the three sides" }).click();
      await met.locator("[data-side=base]").first().waitFor();
      await met.goto(`${world.server.url}/?run=${run}`);
      await met.locator(`[data-sheet=${run}]`).getByRole("button", { name: "Approve…" }).click();
      const asked = met.getByRole("dialog", { name: `Approve ${run}?` });
      await asked.getByText("It cannot land yet").waitFor();
      expect(await asked.getByRole("button", { name: `Approve ${run}` }).isDisabled()).toBe(true);
      await met.keyboard.press("Escape");
      expect((await world.http.call("run.get", { run })).run.state).toBe("review");
      await met.goto(`${world.server.url}/landing?of=${run}`);
      await met.locator("[data-side=ours]").first().waitFor();
      await met.keyboard.press("1");
      await met.getByRole("dialog", { name: `Send ${run} back` }).waitFor();
      expect(await met.getByLabel("What is missing").inputValue()).toContain("the side of mainline in long.txt");
      await met.keyboard.press("Control+Enter");
      await met.locator(".toast", { hasText: "goes back to work" }).waitFor();
      expect(others.found).toEqual([]);
    } finally {
      await context.close();
      await world.close();
    }
  });

  test("the trash gives back and lets go, and asks by name before it does", async () => {
    await suite.goTo("/landing");
    const item = page.locator("[data-trash='back.txt']");
    await item.getByRole("button", { name: "Restore…" }).click();
    const dialog = page.getByRole("dialog", { name: "Restore back.txt" });
    await dialog.getByText("final").waitFor();
    const saved = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Save as a file" }).click();
    expect((await saved).suggestedFilename()).toBe("back.txt");
    await page.keyboard.press("Escape");
    await item.getByRole("button", { name: "Purge…" }).click();
    await page
      .getByRole("dialog", { name: "Purge back.txt?" })
      .getByRole("button", { name: "Purge it for good" })
      .click();
    await item.waitFor({ state: "detached" });
    const { items } = await client.call("trash.list", { project: "shop" });
    expect(items.map(({ path: name }) => name)).not.toContain("back.txt");
  });

  test("lists any number of runs, draws few, and keeps filter and place in the address", async () => {
    await client.call("policy.set", { name: "none", scope: { project: "shop" }, rules: { maxConcurrent: 0 } });
    for (let made = 0; made < 600; made += 100)
      await Promise.all(Array.from({ length: 100 }, (_, at) => suite.submit(`Number ${made + at}`, [{ say: "hi" }])));
    await suite.goTo("/runs?state=queued");
    await page.getByText("600 runs").waitFor();
    await page.locator("[data-row]").first().waitFor();
    expect(await page.locator("[data-row]").count()).toBeLessThan(80);
    await keys("End", "End");
    await page.locator(".run-row[aria-selected=true]", { hasText: /Number \d+/ }).waitFor();
    await keys("Home", "j", "j", "k");
    await expect.poll(() => page.locator("[data-row]").nth(1).getAttribute("aria-selected")).toBe("true");
    await keys("/");
    await page.keyboard.type("number 42");
    await page.locator(".p-runs .meta", { hasText: "11 runs" }).waitFor();
    await untilAddress(page, ({ search }) => search === "?state=queued&find=number+42");
    await page.locator(".find input").press("Enter");
    await page.locator(".table-scroll").focus();
    await keys("Home", "Enter");
    await page.locator("[data-page][data-state=queued]").waitFor();
    await page.goBack();
    await page.locator(".p-runs .meta", { hasText: "11 runs" }).waitFor();
    await client.call("run.stop-all", { project: "shop" });
    await page.getByText("No run matches").waitFor();
    await client.call("policy.remove", { name: "none" });
  });

  // Axe looks at every element's colours: on a machine that is busy with other tests that takes its time.
  test("everybody can use it, in both themes and on a phone", { timeout: 300_000 }, async () => {
    const run = await inReview("Looked at by everybody", [write("axe.txt", "a\n"), { run: "echo said" }]);
    const check = async (place: string, wait: string, colorScheme: "dark" | "light"): Promise<void> => {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await suite.goTo(place);
      await page.locator(wait).first().waitFor();
      await expectAccessible(page, `${place} in ${colorScheme}`);
    };
    await check(`/runs/${run}`, ".output", "dark");
    await check("/runs", "[data-row]", "light");
    await page.setViewportSize({ width: 390, height: 844 });
    await check("/landing", "[data-landed]", "light");
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test("an unknown run is said to be one, with a way on", async () => {
    await suite.goTo("/runs/r_zzzz");
    await page.getByRole("heading", { name: "r_zzzz cannot be shown" }).waitFor();
    await page.getByRole("link", { name: "All runs" }).click();
    await page.locator("[data-row]").first().waitFor();
    await untilAddress(page, ({ pathname }) => pathname === "/runs");
    expect(await page.getByText("r_zzzz cannot be shown").count()).toBe(0);
  });

  test("nothing broke and nothing was forbidden on the way", () => {
    expect(suite.troubles).toEqual([]);
  });
});
