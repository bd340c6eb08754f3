// The first page of the console, in a real browser against a real daemon.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { ConsoleRig, hasChromium, launchChromium } from "../support/console-rig.ts";
import { expectAccessible, PageTroubles, untilAddress } from "../support/page-checks.ts";

const mustRun = process.env["CI"] === "true";
const canRun = hasChromium() || mustRun;
if (!canRun) console.warn("THE CONSOLE IS NOT TRIED: there is no Chromium at /usr/bin/chromium (SIGNALBOX_CHROMIUM).");

const hostile = `<img src=x onerror="window.hurt=1"><script>window.hurt=1</script> & "quoted"`;

describe.skipIf(!canRun)("the console", () => {
  let rig: ConsoleRig;
  let browser: Browser;
  let client: Client;
  let page: Page;
  let troubles: PageTroubles;

  beforeAll(async () => {
    rig = await ConsoleRig.start();
    browser = await launchChromium();
    client = await rig.connect();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "dark" });
    // A machine that is busy with other tests is slow, not wrong.
    context.setDefaultTimeout(60_000);
    page = await context.newPage();
    troubles = await PageTroubles.watch(page);
  });

  afterAll(async () => {
    await browser?.close();
    await rig?.remove();
  });

  const submit = async (title: string, steps: readonly object[], more: object = {}): Promise<string> => {
    const script = JSON.stringify({ task: "from a script", steps });
    return (await client.call("run.submit", { project: "track", title, script, ...more })).run;
  };
  const lane = (run: string) => page.locator(`[data-lane][data-run=${run}]`);
  const need = (run: string) => page.locator(`[data-need][data-run=${run}]`);
  const inState = (run: string, state: string) => page.locator(`[data-run=${run}][data-state=${state}]`).waitFor();
  /** Goes up to the first row, then down to the one that is meant. */
  const selectByKeys = async (run: string): Promise<void> => {
    const count = await page.locator("[data-lane]").count();
    for (let at = 0; at < count; at++) await page.keyboard.press("k");
    for (let at = 0; at < count; at++) {
      if ((await lane(run).getAttribute("aria-current")) === "true") return;
      await page.keyboard.press("j");
    }
    expect(await lane(run).getAttribute("aria-current")).toBe("true");
  };

  test("says how to sign in, and opens with the one-time link, once", async () => {
    await page.goto(rig.url);
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    await expectAccessible(page, "signed out");
    await page.goto(rig.loginUrl);
    await page.getByRole("heading", { name: "Nothing runs yet" }).waitFor();
    expect(await page.getByText("signalbox project add .").isVisible()).toBe(true);
    await expectAccessible(page, "empty");
    expect(await page.getByRole("button", { name: "Start the demo" }).isEnabled()).toBe(true);
    const again = await fetch(rig.loginUrl, { redirect: "manual" });
    expect(again.status).not.toBe(303);
  });

  test("shows runs, leases and queues live while runs contend", async () => {
    await client.call("project.add", { root: await rig.makeFolder("track"), name: "track" });
    await page.getByText("Project track is added").waitFor();
    const holder = await submit("Holds the file", [{ claim: "file:src/one.txt" }, { ask: "Go on?" }]);
    await inState(holder, "awaiting-input");
    const first = await submit("Waits first", [{ claim: "file:src/one.txt" }, { say: "done" }]);
    // Who is in the queue first is who asked first, not who was submitted first.
    await lane(first).getByText("1st, after").waitFor();
    const second = await submit("Waits second", [{ claim: "dir:src" }, { say: "done" }]);
    await lane(second).getByText("2nd, after").waitFor();
    const lease = page.locator("[data-lease='file:src/one.txt']");
    expect(await lease.locator(".lock-holder").innerText()).toContain(holder);
    expect(await lease.locator(".chip").allInnerTexts()).toEqual([`1\n${first}`, `2\n${second}`]);
    expect(await page.locator(`[data-waiter=${first}]`).innerText()).toContain("one.txt");
    await page.getByText(`Your answer to ${holder} frees 2 runs`).waitFor();
    expect(await page.locator("[data-count=you]").innerText()).toBe("1");
    expect(await page.locator("[data-count=wait]").innerText()).toBe("2");
    await page.locator("[data-event='claim.queued']").first().waitFor();
    expect(await page.title()).toBe("(1) Overview · Signalbox");
    const vitals = page.getByRole("group", { name: "Machine, spend and landings" });
    await vitals.getByText("Spent today $0.00").waitFor();
    expect(await vitals.innerText()).toMatch(
      /Load\s+[\d.]+ of \d+[^]*Memory[^]* GB[^]*Disk[^]*free[^]*Nothing has landed yet/,
    );
  });

  test("answers a question, and those who waited go on", async () => {
    const box = page.locator("[data-need] textarea");
    await box.fill("yes");
    await box.press("Enter");
    await page.getByText("has its answer").waitFor();
    await page.getByText("Nothing needs you").waitFor();
    for (const state of ["you", "wait", "go"])
      await page.locator(`[data-count=${state}]`, { hasText: /^0$/ }).waitFor();
    await page.locator("[data-count=rest]", { hasText: /^3$/ }).waitFor();
    await page.getByText("Nothing is held").waitFor();
    const { runs } = await client.call("run.list", {});
    expect(runs.map(({ state }) => state)).toEqual(["done", "done", "done"]);
  });

  test("pauses, resumes and takes back by keys alone, and stops only after asking", async () => {
    const run = await submit("Works for long", [{ claim: "file:long.txt" }, { sleep: "10m" }], { tags: ["slow"] });
    await inState(run, "running");
    await selectByKeys(run);
    await page.keyboard.press("p");
    await inState(run, "paused");
    // Locks are asked for after the move was shown.
    await page.locator(".lock-word", { hasText: "resumed" }).waitFor();
    await page.keyboard.press("u");
    await inState(run, "running");
    await page.keyboard.press("p");
    await inState(run, "paused");
    await page.keyboard.press("p");
    await inState(run, "running");
    await page.keyboard.press("Enter");
    const sheet = page.locator(`[data-sheet=${run}]`);
    await sheet.locator("[data-event='call.started']").first().waitFor();
    await untilAddress(page, ({ searchParams }) => searchParams.get("run") === run);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await page.locator(`[data-lane][data-run=${run}]:focus`).waitFor();
    await page.keyboard.press("s");
    await page.getByRole("dialog", { name: `Stop ${run}?` }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("s");
    await page.getByRole("button", { name: `Stop ${run}` }).press("Enter");
    await inState(run, "terminated");
    expect(await page.locator(".toast-command code").last().innerText()).toBe(`signalbox stop ${run}`);
  });

  test("finds and does everything by keys alone", async () => {
    const run = await submit("Paints the fence", [{ claim: "file:fence.txt" }, { sleep: "10m" }]);
    await inState(run, "running");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("pnts fence");
    await page.locator(`[data-item='run ${run}'][aria-selected=true]`).waitFor();
    expect(await page.locator(".palette-foot code").innerText()).toBe(`signalbox inspect ${run}`);
    await expectAccessible(page, "palette");
    await page.keyboard.press("Tab");
    await page.keyboard.type("pause");
    await page.locator("[data-item='act pause'][aria-selected=true] kbd", { hasText: "P" }).waitFor();
    await page.keyboard.press("Enter");
    await inState(run, "paused");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("fence.txt");
    await page.locator("[data-item='unit track:file:fence.txt'][aria-selected=true]").waitFor();
    await page.keyboard.press("Enter");
    await page.locator("[data-unit-now='file:fence.txt']", { hasText: run }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("never/held.ts");
    await page.locator("[data-item='unit track:file:never/held.ts'][aria-selected=true]").waitFor();
    await page.keyboard.press("Enter");
    await page.locator("[data-unit-now='file:never/held.ts']", { hasText: "It is free." }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("overview");
    await page.keyboard.press("Enter");
    await lane(run).waitFor();
    await client.call("run.stop", { run });
    await inState(run, "terminated");
  });

  test("approves, and sends back with a message", async () => {
    await client.call("policy.set", { name: "ask", scope: { project: "track" }, rules: { approvalRequired: true } });
    const run = await submit("Wants a review", [{ write: { path: "a.txt", content: "a" } }]);
    await inState(run, "review");
    const since = await need(run).locator("time").getAttribute("datetime");
    await page.keyboard.press("n");
    await page.keyboard.press("b");
    await page.getByLabel("What is missing").fill("a test");
    await page.getByRole("button", { name: `Send ${run} back` }).click();
    // It was in review before, too: only the second time counts.
    await need(run).locator(`time:not([datetime="${since}"])`).waitFor();
    await page.keyboard.press("n");
    await page.keyboard.press("a");
    // It shows what lands before anybody says yes, and the yes is for that alone.
    await page
      .getByRole("dialog", { name: `Approve ${run}?` })
      .getByText("a.txt")
      .waitFor();
    await page.locator("dialog .btn.primary:focus").press("Enter");
    await inState(run, "done");
    expect(await page.locator(".toast-command code").last().innerText()).toContain(`approve ${run} --seen `);
    await client.call("policy.remove", { name: "ask" });
    expect(await page.locator("[data-event='run.messaged']").first().innerText()).toContain("a test");
  });

  test("what agents write is text and nothing else", async () => {
    const run = await submit(hostile, [{ say: hostile }, { claim: "file:<b>x.txt" }, { ask: hostile }]);
    await inState(run, "awaiting-input");
    await lane(run).click();
    await page.locator(`[data-sheet=${run}]`).getByText(hostile).first().waitFor();
    await page.locator("[data-event='run.said']", { hasText: hostile }).first().waitFor();
    expect(await page.locator("main img, main b b, .sheet img, #app script").count()).toBe(0);
    expect(await page.evaluate("window.hurt")).toBeUndefined();
    await page.keyboard.press("Escape");
    await client.call("run.stop", { run });
    await inState(run, "terminated");
  });

  test("the log is followed, narrowed, walked through and left where it was", async () => {
    await page.goto(`${rig.url}/events`);
    const row = (seq: number) => page.locator(`[data-seq="${seq}"]`);
    const { seq } = await client.call("status", {});
    await row(seq).waitFor();
    const claim = await client.call("claim.make", { project: "track", units: ["file:seen.txt"], as: "eva" });
    await page.locator("[data-event='lease.granted']", { hasText: "seen.txt" }).waitFor();
    await client.call("claim.release", { claim: claim.claim });
    await page.getByLabel("Kind").selectOption({ label: "Leases and queues" });
    await page.locator("[data-event='lease.released']").first().waitFor();
    expect(await page.locator("[data-event^='run.']").count()).toBe(0);
    await page.getByLabel("Unit", { exact: true }).fill("dir:");
    await page.getByLabel("Unit", { exact: true }).press("Enter");
    await untilAddress(page, ({ searchParams }) => searchParams.get("unit") === "dir:");
    await page.getByText("Follow").focus();
    const selected = page.locator("[data-seq][aria-selected=true]");
    // What the filter lets through may still be on its way.
    const goDown = async (): Promise<number> => {
      await page.keyboard.press("j");
      return selected.count();
    };
    await expect.poll(goDown).toBe(1);
    const first = (await selected.getAttribute("data-seq")) ?? "";
    await page.keyboard.press("j");
    await page.locator(`[data-seq][aria-selected=true]:not([data-seq="${first}"])`).waitFor();
    const chosen = Number(await selected.getAttribute("data-seq"));
    await page.locator(`[data-detail="${chosen}"]`).getByText(`--from ${chosen} --to ${chosen}`).waitFor();
    await page.reload();
    await page.locator(`[data-seq="${chosen}"][aria-selected=true]`).waitFor();
    // A view gets a name, and is found again by it.
    const views = page.getByLabel("Saved views");
    await views.selectOption({ label: "Save this view …" });
    await page.getByLabel("Its name").fill("who held what");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Clear" }).click();
    await expect.poll(() => views.inputValue()).toBe("");
    await views.selectOption("who held what");
    await untilAddress(page, ({ searchParams }) => searchParams.get("unit") === "dir:");
    await views.selectOption({ label: "Forget this view" });
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => views.inputValue()).toBe("who held what");
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByLabel("Go to").selectOption({ label: "1 day ago" });
    await page.locator("[data-detail='1']").getByText("the daemon opened its log").waitFor();
    await page.goto(rig.url);
    await page.locator(".app[data-link=live] .board").waitFor();
  });

  test("[LG19] shows the world as it was, lets nobody act there, and comes back by one key", async () => {
    const claim = await client.call("claim.make", { project: "track", units: ["file:then.txt"], as: "eva" });
    const lease = page.locator("[data-lease='file:then.txt']");
    await lease.waitFor();
    const { seq } = await client.call("status", {});
    const run = await submit("Comes later", [{ say: "hi" }]);
    await inState(run, "done");
    await client.call("claim.release", { claim: claim.claim });
    await lease.waitFor({ state: "detached" });
    await page.goto(`${rig.url}/events?event=${seq}`);
    await page.locator(`[data-detail="${seq}"]`).waitFor();
    await page.keyboard.press("w");
    await page.locator(`[data-past="${seq}"]`).waitFor();
    await lease.getByText("eva").waitFor();
    expect(await lane(run).count()).toBe(0);
    expect(await page.locator(".live").innerText()).toContain("The past");
    expect(await page.title()).toContain(`Event ${seq}`);
    expect(await page.locator("[data-need] button:enabled").count()).toBe(0);
    await page.keyboard.press(",");
    await page.locator(`[data-past="${seq - 1}"]`).waitFor();
    await untilAddress(page, ({ searchParams }) => searchParams.get("at") === String(seq - 1));
    await page.keyboard.press("z");
    await page.locator(".app[data-link=live]").waitFor();
    await lane(run).waitFor();
    expect(await lease.count()).toBe(0);
    await page.goBack();
    await page.locator(`[data-past="${seq - 1}"]`).waitFor();
    await page.goto(`${rig.url}/?at=2`);
    await page.locator("[data-past='2']").waitFor();
    await expectAccessible(page, "the past");

    // Of a run's page, too: the same run then.
    const { events } = await client.call("run.log", { run });
    const begun = events.find(({ type }) => type === "run.moved")?.seq ?? 0;
    await page.goto(`${rig.url}/runs/${run}`);
    await page.locator(`[data-page=${run}][data-state=done]`).waitFor();
    await page.goto(`${rig.url}/runs/${run}?at=${begun}`);
    await page.locator(`[data-past="${begun}"]`).waitFor();
    await page.locator(`[data-page=${run}][data-state=starting]`).waitFor();
    await expectAccessible(page, "a run in the past");
    // Nowhere is something asked for that the past cannot answer.
    for (const place of [`/runs/${run}`, "/runs", "/agents", "/locks", "/landing", "/inbox", "/"]) {
      await page.goto(`${rig.url}${place}?at=${begun}`);
      await page.locator(`[data-past="${begun}"]`).waitFor();
      await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
      expect({ place, refused: await page.getByText("nothing can be done there").count() }).toEqual({
        place,
        refused: 0,
      });
    }
    await page.goto(`${rig.url}/agents?at=${begun}`);
    await page.getByText("No agent lived then").waitFor();
    await page.goto(`${rig.url}/runs/${run}?at=${begun}`);
    await page.locator(`[data-page=${run}][data-state=starting]`).waitFor();
    await page.keyboard.press("z");
    await page.locator(`[data-page=${run}][data-state=done]`).waitFor();
    await page.goto(`${rig.url}/runs/${run}?at=2`);
    await page.getByText(`${run} was not there yet`).waitFor();
    await page.goto(`${rig.url}/runs/${run}`);
    await page.getByLabel("Look back: the world as it was").selectOption({ label: "1 minute ago" });
    await untilAddress(page, ({ pathname, searchParams }) => pathname === `/runs/${run}` && searchParams.has("at"));
    await page.goto(rig.url);
    await page.locator(".app[data-link=live] .board").waitFor();
  });

  test("bears absurdly long names", async () => {
    const long = `${"Verylongword".repeat(12)} and so on`;
    const run = await submit(
      long,
      [{ claim: `file:${"deep/".repeat(60)}${"long".repeat(40)}.txt` }, { sleep: "10m" }],
      {
        tags: ["t".repeat(60)],
        priority: -1000,
      },
    );
    await inState(run, "running");
    await page.locator("[data-lease^='file:deep']").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 390, height: 844 });
    // Without its word it still looks like a list.
    await page.locator(".look-back-arrow").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await client.call("run.stop", { run });
    await inState(run, "terminated");
  });

  // Axe looks at every element's colours: on a machine that is busy with other tests that takes its time.
  test("everybody can use it, in both themes and on a phone", { timeout: 300_000 }, async () => {
    const run = await submit("Asks something", [{ claim: "file:src/a.ts" }, { ask: "Which one?" }], { tags: ["axe"] });
    await inState(run, "awaiting-input");
    const waiting = await submit("Waits for it", [{ claim: "file:src/a.ts" }]);
    await lane(waiting).getByText("1st, after").waitFor();
    const check = async (place: string, colorScheme: "dark" | "light", what?: "colours"): Promise<void> => {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.goto(`${rig.url}${place}`);
      await page.locator(".app[data-link=live] .board").waitFor();
      await expectAccessible(page, `${place} in ${colorScheme}`, what);
    };
    for (const place of ["/", `/?run=${run}`]) {
      await check(place, "dark");
      await check(place, "light", "colours");
    }
    await check("/locks", "dark");
    // Two keys and a part of its name: who holds it.
    await page.keyboard.press("/");
    await page.keyboard.type("a.ts");
    const now = page.locator("[data-unit-now='file:src/a.ts']");
    await now.getByText("Asks something").waitFor();
    await now.getByText("1 waits").waitFor();
    await page.locator(`[data-graph=${waiting}]`).waitFor();
    await page.locator(`[data-past=${run}]`).waitFor();
    await page.locator("[data-row][data-unit='dir:src']").click();
    await untilAddress(page, ({ searchParams }) => searchParams.get("unit") === "track:dir:src");
    await page.keyboard.press("j");
    await page.keyboard.press("h");
    await page.getByText("You wait for file:src/a.ts").waitFor();
    expect((await client.call("locks", {})).queue.map(({ holder }) => holder)).toEqual([waiting, "operator"]);
    await page.keyboard.press("u");
    await page.locator("[data-lost=cancelled]").waitFor();
    await check("/locks?unit=track%3Afile%3Asrc%2Fa.ts", "light");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    expect(await page.getByRole("heading", { name: "Keys" }).isVisible()).toBe(true);
    expect(await page.getByRole("dialog", { name: "Keys" }).evaluate((sheet) => sheet.scrollTop), "from the top").toBe(
      0,
    );
    await expectAccessible(page, "keys");
    await page.setViewportSize({ width: 390, height: 844 });
    await check("/", "light");
    await check("/events", "dark");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(rig.url);
    // The one that waits first: it would have its file, and be done, as soon as the other has gone.
    for (const each of [waiting, run]) await client.call("run.stop", { run: each });
    await inState(run, "terminated");
  });

  test("every change becomes a pixel, in order, without anybody asking for it", async () => {
    const run = await submit("Goes to and fro", [{ sleep: "10m" }]);
    await inState(run, "running");
    const drawn: string[] = [];
    for (const [operation, state] of [1, 2, 3, 4].flatMap(() => [
      ["run.pause", "paused"] as const,
      ["run.resume", "running"] as const,
    ])) {
      const seen = lane(run).evaluate((row, wanted) => {
        return new Promise<string>((resolve) => {
          const look = (): void => {
            if (row.dataset["state"] === wanted) resolve(wanted);
            else requestAnimationFrame(look);
          };
          look();
        });
      }, state);
      await client.call(operation, { run });
      drawn.push(await seen);
    }
    await client.call("run.stop", { run });
    expect(drawn).toEqual([1, 2, 3, 4].flatMap(() => ["paused", "running"]));
  });

  test("survives kill -9 of the daemon, and says so meanwhile", async () => {
    const run = await submit("Outlives the daemon", [{ claim: "file:kept.txt" }, { ask: "Still there?" }]);
    await inState(run, "awaiting-input");
    // The inbox is asked for after the move was shown.
    await need(run).waitFor();
    await rig.kill();
    await page.locator("[data-banner=away]").waitFor();
    expect(await page.locator(".live").innerText()).toContain("Not live");
    expect(await need(run).locator("button[type=submit]").isDisabled()).toBe(true);
    const age = await need(run).locator("time").innerText();
    await page.getByText(/Disconnected for [2-9]s/).waitFor();
    expect(await need(run).locator("time").innerText(), "clocks stand").toBe(age);
    await page.getByText("The machine cannot be asked now").waitFor();
    await expectAccessible(page, "disconnected");
    // What has not been read yet cannot be read now: it comes by itself when the daemon is there again.
    await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Settings" }).click();
    await page.getByText("Reading the settings …").waitFor();
    await rig.up();
    client = await rig.connect();
    await page.locator("[data-banner=away]").waitFor({ state: "detached" });
    await page.locator(".app[data-link=live]").waitFor();
    await page.locator("[data-panel=setting-list]").waitFor();
    await page.goBack();
    await inState(run, "awaiting-input");
    await need(run).locator("textarea").fill("yes");
    await need(run).getByRole("button", { name: "Answer", exact: true }).click();
    await inState(run, "done");
  });

  test("a thousand runs are counted, capped and found", async () => {
    await client.call("policy.set", { name: "none", scope: { project: "track" }, rules: { maxConcurrent: 0 } });
    for (let made = 0; made < 1000; made += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, at) => submit(`Run number ${made + at}`, [{ say: "hi" }])));
    }
    await page.locator("[data-count=wait]", { hasText: "1,000" }).waitFor();
    expect(await page.locator("[data-lane]").count()).toBe(100);
    await page.getByText("100 of 1,0").waitFor();
    // Whoever goes back finds the list where they left it, also beyond its first page.
    await page.goto(`${rig.url}/runs`);
    const list = page.locator(".table-scroll");
    await list.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
    await page.waitForFunction(() => (document.querySelector(".table-space")?.clientHeight ?? 0) > 900 * 32);
    await list.evaluate((box) => box.scrollTo({ top: 800 * 32 }));
    const far = page.locator("[aria-rowindex='810']");
    const id = await far.getAttribute("data-run");
    await far.getByRole("link").click();
    await page.getByRole("heading", { name: id ?? "" }).waitFor();
    await page.goBack();
    await far.waitFor();
    expect([await far.getAttribute("data-run"), await list.evaluate((box) => box.scrollTop)]).toEqual([id, 800 * 32]);
    await page.goto(rig.url);
    await page.getByText("100 of 1,0").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("number 777");
    await page.getByText("Run number 777").first().waitFor();
    expect(await page.locator("[data-lane]").count()).toBe(1);
    await page.keyboard.press("Escape");
    await client.call("run.stop-all", { project: "track" });
    await page.locator("[data-count=wait]", { hasText: /^0$/ }).waitFor();
    await client.call("policy.remove", { name: "none" });
  });

  test("the scripts that it begins with are at most 200 KB, compressed; what shows terminals comes when it is wanted", () => {
    const folder = path.join(import.meta.dirname, "../../dist/console");
    const html = readFileSync(path.join(folder, "index.html"), "utf8");
    const first = [...html.matchAll(/"\/(assets\/[^"]+\.js)"/g)].map(([, name = ""]) => name);
    const later = readdirSync(path.join(folder, "assets")).filter((name) => name.startsWith("terminal-panel"));
    expect(first.length).toBeGreaterThan(0);
    expect(later.length).toBeGreaterThan(0);
    const sizes = first.map((name) => gzipSync(readFileSync(path.join(folder, name))).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(200_000);
  });

  test("nothing broke and nothing was forbidden on the way", () => {
    expect(troubles.found).toEqual([]);
  });
});
