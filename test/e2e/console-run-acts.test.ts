// What can be done to a run, a unit, an agent and a list from the console beside reviewing: each act against a real daemon.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents, settledAgent } from "../support/living-agents.ts";
import { expectAccessible, untilAddress } from "../support/page-checks.ts";

const template = (line: string): string => `template: shop
services:
  web:
    command: '${line}'
`;

describe.skipIf(!hasChromium() || noCages)("acts in the console", () => {
  const suite = ConsoleSuite.forAll({
    files: { "a.txt": "a\n", "signalbox.yaml": template("sleep 1000") },
    permissions: ["clipboard-read", "clipboard-write"],
    terminalsAsText: true,
  });
  let client: Client;
  let page: Page;

  beforeAll(() => {
    ({ client, page } = suite);
  });

  afterAll(() => removeAgents(client));

  const pageIn = (run: string, state: string) => page.locator(`[data-page=${run}][data-state=${state}]`).waitFor();
  const command = (text: string) => page.locator(".toast-command", { hasText: text }).waitFor();
  const clipboard = (): Promise<string> => page.evaluate("navigator.clipboard.readText()");

  test("a run that failed is tried again; one that is done is taken up again with something more to do", async () => {
    const failed = await suite.submit("Fails", [{ fail: "no luck" }]);
    await client.waitForRun(failed);
    await suite.goTo(`/runs/${failed}`);
    await pageIn(failed, "failed");
    await page.keyboard.press("t");
    await command(`signalbox retry ${failed}`);
    const again = async (): Promise<string | undefined> =>
      (await client.call("run.list", { find: "Fails" })).runs.find(({ retryOf }) => retryOf === failed)?.id;
    await expect.poll(again).toMatch(/^r_/);
    const done = await suite.submit("Is done", [{ say: "so far" }], {}, { onMessage: [{ say: "and more" }] });
    await client.waitForRun(done);
    await suite.goTo(`/runs/${done}`);
    await pageIn(done, "done");
    await page.keyboard.press("c");
    await page.getByRole("dialog").getByRole("textbox").fill("go on");
    await page.keyboard.press("Control+Enter");
    await command(`signalbox continue ${done} 'go on'`);
    await page.locator("[data-event='run.said']", { hasText: "and more" }).first().waitFor();
    expect((await client.call("run.get", { run: failed })).run.state).toBe("failed");
  });

  test("whoever types on does not know that a letter has opened a dialog, and confirms nothing by it", async () => {
    const run = await suite.submit("Is not taken off by a sentence", [{ say: "done" }]);
    await client.waitForRun(run);
    await suite.goTo(`/runs/${run}`);
    await pageIn(run, "done");
    await page.keyboard.press("e");
    const dialog = page.getByRole("dialog", { name: `Remove ${run}?` });
    await dialog.waitFor();
    await page.keyboard.type("cho done");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    // It is closed a moment before the page hears of it, and a key in between would open what is about to go.
    await page.locator("dialog").waitFor({ state: "detached" });
    expect((await client.call("run.get", { run })).run.state).toBe("done");
    await page.keyboard.press("e");
    await dialog.waitFor();
    await page.keyboard.press("Enter");
    await command(`signalbox rm ${run}`);
  });

  test("a run that failed says first of all why, where and what was said last, with what to do; what happened has the room", async () => {
    const run = await suite.submit("Is red", [
      { claim: ["file:red.txt"] },
      { run: "echo '2 passed, 1 failed'; exit 3" },
    ]);
    await client.waitForRun(run);
    await suite.goTo(`/runs/${run}`);
    const why = page.locator("[data-panel=why]");
    await why.getByText("ended with 3").first().waitFor();
    await why.locator(".output", { hasText: "2 passed, 1 failed" }).waitFor();
    await why.getByText("exit 3", { exact: true }).waitFor();
    expect(await why.locator(".why-where").innerText(), "what it said is told once").not.toContain("passed");
    await page.locator("[data-panel=changes]", { hasText: "It changed nothing" }).waitFor();
    const boxOf = async (panel: string) => {
      const box = await page.locator(`[data-panel=${panel}]`).boundingBox();
      if (box === null) throw new Error(`there is no ${panel}`);
      return box;
    };
    const [reason, timeline, story] = [await boxOf("why"), await boxOf("timeline"), await boxOf("story")];
    expect(reason.y, "why it failed stands on top").toBeLessThan(timeline.y);
    expect(story.width, "of 1440 pixels").toBeGreaterThan(720);
    expect(story.y, "what happened is in sight").toBeLessThan(900 - 200);
    expect(story.y, "none lies over another").toBeGreaterThanOrEqual(timeline.y + timeline.height);
    const cut = page.locator("[data-panel=why], [data-panel=timeline]");
    expect(await cut.evaluateAll((all) => all.map((each) => each.scrollHeight - each.clientHeight))).toEqual([0, 0]);
    await expectAccessible(page, "why a run failed");
    await why.getByRole("button", { name: /^Fork from step/ }).click();
    await page.getByRole("dialog", { name: new RegExp(`^Fork ${run}`) }).waitFor();
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 390, height: 844 });
    expect((await boxOf("why")).y, "also on a phone").toBeLessThan((await boxOf("timeline")).y);
    await page.setViewportSize({ width: 1440, height: 900 });
    await why.getByRole("link", { name: "Open its log" }).click();
    await untilAddress(page, ({ pathname, searchParams }) => pathname === "/events" && searchParams.get("of") === run);
  });

  test("while a run has changed nothing, what it does has the room; what it changed has it in a review", async () => {
    const steps = [{ ask: "Begin?" }, { write: { path: "wide.txt", content: "wide\n" } }];
    const run = await suite.submit("Changes little", steps);
    await client.waitForRun(run, { states: ["awaiting-input"] });
    await suite.goTo(`/runs/${run}`);
    await page.locator("[data-panel=changes]", { hasText: "Nothing is changed yet" }).waitFor();
    await page.locator(".run-main > [data-panel=story] [data-event='run.asked']").waitFor();
    await client.call("policy.set", { name: "look", scope: { project: "shop" }, rules: { approvalRequired: true } });
    await client.call("run.answer", { run, text: "yes" });
    await pageIn(run, "review");
    await page.locator(".run-main > [data-panel=changes] .hunk").waitFor();
    await page.locator(".run-side > [data-panel=story] .event").first().waitFor();
    expect(await page.locator("[data-panel=story]").count(), "it is told once").toBe(1);
    await client.call("run.reject", { run, message: "Enough." });
    await client.call("policy.remove", { name: "look" });
  });

  test("its plan has the state of each unit and step, and whom it waits for; then as now", async () => {
    const holder = await suite.submit("Holds it", [{ claim: ["file:a.txt"] }, { ask: "go on?" }]);
    await client.waitForRun(holder, { states: ["awaiting-input"] });
    const steps = [{ say: "first" }, { write: { path: "a.txt", content: "b" } }, { say: "last" }];
    const run = await suite.submit("Has a plan", steps, {}, { plan: ["file:b.txt"] });
    await suite.goTo(`/runs/${run}`);
    const plan = page.locator("[data-panel=plan]");
    const step = (number: number, state: string) => plan.locator(`[data-step='${number}'][data-state=${state}]`);
    await step(0, "done").waitFor();
    await step(1, "waiting").getByText(holder).waitFor();
    await step(2, "pending").waitFor();
    // The same number as everywhere else.
    expect(await plan.locator("[data-step] .num").allInnerTexts()).toEqual(["0", "1", "2"]);
    await step(0, "done").getByRole("button", { name: "say first" }).click();
    await page.getByRole("heading", { name: "What step 0 did" }).waitFor();
    await page.getByRole("button", { name: "All steps" }).click();
    await plan.locator("[data-planned='file:b.txt'][data-state=held]").waitFor();
    await plan.getByText("1 of 3 steps done").waitFor();
    await expectAccessible(page, "a plan");
    const { events } = await client.call("run.log", { run });
    const submitted = events.find(({ type }) => type === "run.submitted")?.seq ?? 0;
    await client.call("run.answer", { run: holder, text: "yes" });
    await plan.getByText("3 of 3 steps done").waitFor();
    await suite.goTo(`/runs/${run}?at=${submitted}`);
    await step(0, "pending").waitFor();
    await plan.getByText("0 of 3 steps done").waitFor();
    await plan.locator("[data-planned='file:b.txt'][data-state=free]").waitFor();
  });

  test("from a step a run is forked into another, and taken back; what it published is read there", async () => {
    const run = await suite.submit("Works in steps", [
      { write: { path: "report.md", content: "# <b>All</b> is well\n" } },
      { publish: { name: "report.md", path: "report.md" } },
      { write: { path: "later.txt", content: "later\n" } },
      { ask: "Enough?" },
    ]);
    await client.waitForRun(run, { states: ["awaiting-input"] });
    await suite.goTo(`/runs/${run}?step=0`);
    await page.locator("[data-artifact='report.md']").getByRole("button", { name: "report.md" }).click();
    await page.getByRole("group", { name: "report.md", exact: true }).getByText("# <b>All</b> is well").waitFor();
    await page.getByRole("button", { name: "Fork from here…" }).click();
    const fork = page.getByRole("dialog", { name: `Fork ${run} from step 0` });
    await fork.getByLabel("What it should do otherwise").fill("shorter");
    await expectAccessible(page, "a fork");
    await fork.getByRole("button", { name: "Fork it" }).click();
    await command(`signalbox fork ${run} --step 0 -m shorter`);
    await untilAddress(page, ({ pathname }) => pathname !== `/runs/${run}` && pathname.startsWith("/runs/r_"));
    const made = new URL(page.url()).pathname.slice("/runs/".length);
    expect((await client.call("run.get", { run: made })).run.title).toBe("Works in steps");
    await client.call("run.stop", { run: made }).catch(() => undefined);
    await suite.goTo(`/runs/${run}?step=0`);
    await page.getByRole("button", { name: "Rewind to here…" }).click();
    const asked = page.getByRole("dialog", { name: `Take ${run} back to step 0?` });
    await asked.getByRole("button", { name: "Leave it" }).click();
    await asked.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Rewind to here…" }).click();
    await asked.getByRole("button", { name: "Back to step 0" }).click();
    await command(`signalbox rewind ${run} --step 0`);
    await page.locator("[data-event='run.rewound']").first().waitFor();
    await client.call("run.stop", { run });
  });

  test("runs that a run has started are below it, and whom these have started below them", async () => {
    const top = await suite.submit("Starts others", [{ ask: "Wait?" }]);
    const below = await suite.submit("Is started", [{ ask: "Wait, too?" }], { parent: top });
    const deeper = await suite.submit("Is started in turn", [{ ask: "And I?" }], { parent: below });
    await suite.goTo(`/runs/${top}`);
    const tree = page.locator("[data-panel=sub-runs]");
    await tree.locator(`[data-sub-run=${below}] [data-sub-run=${deeper}]`, { hasText: "in turn" }).waitFor();
    expect(await tree.locator(".meta").innerText()).toBe("2");
    await tree.getByRole("link", { name: deeper }).click();
    await untilAddress(page, ({ pathname }) => pathname === `/runs/${deeper}`);
    for (const run of [deeper, below, top]) await client.call("run.stop", { run });
  });

  test("what somebody outside holds is taken from them after asking, and what one holds oneself is given back by undo", async () => {
    await client.call("claim.make", { project: "shop", units: ["file:held.txt"], as: "mara", ttlMs: 600_000 });
    await suite.goTo("/locks?unit=shop%3Afile%3Aheld.txt");
    await page.locator("[data-unit-now='file:held.txt']", { hasText: "mara" }).waitFor();
    await page.keyboard.press("x");
    const asked = page.getByRole("dialog", { name: "Release file:held.txt?" });
    await asked.getByText("Nobody waits for it.").waitFor();
    await asked.getByRole("button", { name: "Take it from mara" }).click();
    await command("signalbox release");
    const holders = async (): Promise<string[]> => (await client.call("locks", {})).leases.map(({ holder }) => holder);
    await expect.poll(holders).toEqual([]);
    // Who had it stays to be read.
    await page.locator("[data-panel=unit] .past-row[data-past=mara]", { hasText: "given back" }).waitFor();
    await page.keyboard.press("h");
    await page.getByText("You hold file:held.txt for an hour").waitFor();
    await expect.poll(holders).toEqual(["operator"]);
    await page.keyboard.press("u");
    await expect.poll(holders).toEqual([]);
  });

  test("a view of the runs gets a name, is found again by it, and the command that lists the same is copied", async () => {
    const tagged = await suite.submit("Has a tag", [{ say: "hi" }], { tags: ["nightly"] });
    await client.waitForRun(tagged);
    await suite.goTo("/runs");
    await page.getByLabel("Tag", { exact: true }).fill("nightly");
    await page.getByLabel("Tag", { exact: true }).press("Enter");
    await untilAddress(page, ({ searchParams }) => searchParams.get("tag") === "nightly");
    await expect.poll(() => page.locator("[data-row]").count()).toBe(1);
    const views = page.getByLabel("Saved views");
    await views.selectOption({ label: "Save this view …" });
    await page.getByLabel("Its name").fill("at night");
    await page.keyboard.press("Enter");
    await suite.goTo("/runs");
    await views.selectOption("at night");
    await untilAddress(page, ({ searchParams }) => searchParams.get("tag") === "nightly");
    await page.locator(".p-runs").getByRole("button", { name: /^Copy/ }).click();
    await expect.poll(clipboard).toContain("signalbox ps");
    expect(await clipboard()).toContain("nightly");
    // How long ago, and exactly when for whoever points at it.
    const time = page.locator("[data-row] time").first();
    expect([await time.innerText(), await time.getAttribute("title")]).toEqual([
      expect.stringMatching(/^\d+[smh]$/),
      expect.stringMatching(/\d{4}.*\d\d:\d\d:\d\d/),
    ]);
  });

  test("agents are a table or cards, which is kept; an agent says what its template says by now, and becomes it", async () => {
    const { agent } = await client.call("agent.create", { project: "shop", template: template("sleep 1000") });
    await settledAgent(client, agent.id);
    await suite.goTo("/agents");
    await page.getByRole("button", { name: "Cards" }).click();
    const card = page.locator(`.agent-card[data-agent=${agent.id}]`);
    await card.getByRole("link", { name: "shop-1" }).waitFor();
    await expectAccessible(page, "agents as cards");
    await page.reload();
    await card.waitFor();
    await page.keyboard.press("j");
    await page.locator(".agent-card[aria-current=true]").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(`[data-page=${agent.id}]`).waitFor();
    const drift = page.locator("[data-panel=drift]");
    await drift.getByText("It is what its template says").waitFor();
    const run = await suite.submit("Changes the template", [
      { write: { path: "signalbox.yaml", content: template("sleep 2000") } },
    ]);
    const { state } = await client.waitForRun(run, { states: ["done", "review", "failed"] });
    if (state === "review") await client.call("run.approve", { run });
    await client.waitForRun(run);
    await drift.locator("[data-drift]", { hasText: "sleep 2000" }).waitFor();
    await drift.getByText("restarts services").first().waitFor();
    await expectAccessible(page, "an agent beside its template");
    await drift.getByRole("button", { name: "Reload" }).click();
    await command("signalbox agent reload shop-1");
    await drift.getByText("It is what its template says").waitFor();
    await suite.goTo("/agents");
    await page.getByRole("button", { name: "Table" }).click();
    const row = page.locator(`.agent-row[data-agent=${agent.id}]`);
    await row.waitFor();
    await page.locator("[data-agents=error]").click();
    await page.getByText("No agent matches").waitFor();
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await row.waitFor();
    await untilAddress(page, ({ search }) => search === "");
  });

  test("an agent's files are brought to mainline by a key, and it says how many came and which stayed", async () => {
    const { agent } = await client.call("agent.create", { project: "shop", template: template("sleep 1000") });
    await settledAgent(client, agent.id);
    await client.call("agent.exec", { agent: agent.id, argv: ["sh", "-c", "echo mine > a.txt"] });
    suite.sample.write({ "a.txt": "theirs\n", "b.txt": "new\n" });
    suite.sample.commit("by hand");
    await suite.goTo(`/agents/${agent.id}`);
    await page.getByRole("button", { name: "Refresh" }).waitFor();
    await page.keyboard.press("f");
    await command(`signalbox agent refresh ${agent.name}`);
    const told = page.locator(".toast", { hasText: `${agent.name} has mainline's files` });
    await told.getByText("1 file came; changed here, and left: a.txt").waitFor();
    const { output } = await client.call("agent.exec", { agent: agent.id, argv: ["cat", "a.txt", "b.txt"] });
    expect(output).toBe("mine\nnew\n");
  });

  test("what an agent uses is drawn over time, and told in words to whoever does not see it", async () => {
    const { agents } = await client.call("agent.list", {});
    await suite.goTo(`/agents/${agents[0]?.id}`);
    const over = page.locator("[data-panel=history]");
    const memory = over.getByRole("region", { name: "web over time" }).getByRole("img", { name: "Memory" });
    await page
      .getByRole("img", { name: /^Memory: \d.* now, \d.* at most/ })
      .first()
      .waitFor();
    await over.getByRole("button", { name: "Day", exact: true }).click();
    await untilAddress(page, ({ searchParams }) => searchParams.get("span") === "day");
    await memory.waitFor();
    await expectAccessible(page, "an agent over time");
  });

  test("a profile is made and changed in its form, and who did so is told", async () => {
    await suite.goTo("/settings/profiles");
    await page.getByText("There is none yet").waitFor();
    await page.keyboard.press("n");
    await page.locator("[data-field=name]").fill("careful");
    await page.getByRole("combobox", { name: "Add to Settings" }).selectOption({ label: "Runner" });
    await page.locator("[data-field='settings.runner']").fill("script");
    await page.getByRole("button", { name: "Make the profile" }).click();
    await page.locator("[data-setting=careful][aria-selected=true]").waitFor();
    await page.locator("[data-change=made]").waitFor();
    expect((await client.call("profile.get", { name: "careful" })).profile.settings.runner).toBe("script");
    await expectAccessible(page, "a profile");
  });

  test("[TM15] what is selected in a terminal is copied, and an address there opens only with Ctrl and a click", async () => {
    const run = await suite.submit("Has a terminal", [{ ask: "Still?" }]);
    await client.waitForRun(run, { states: ["awaiting-input"] });
    const { terminal } = await client.call("terminal.open", { run });
    await suite.goTo(`/runs/${run}?terminal=${terminal}`);
    await page.getByText("You have the keyboard.").waitFor();
    await page.locator(".xterm-helper-textarea").focus();
    await page.keyboard.type(`echo see-$((40+2)) ${suite.url}/robots-$((1+1))\r`);
    const row = page.locator(".xterm-rows > div", { hasText: "see-42" });
    await row.waitFor();
    const box = await row.boundingBox();
    const at = { x: (box?.x ?? 0) + 12, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
    await page.mouse.dblclick(at.x, at.y);
    await expect.poll(clipboard).toBe("see-42");
    const link = { x: at.x + 90, y: at.y };
    await page.mouse.move(link.x, link.y);
    await page.mouse.click(link.x, link.y);
    expect(page.context().pages()).toHaveLength(1);
    const opening = page.context().waitForEvent("page");
    await page.keyboard.down("Control");
    await page.mouse.move(link.x + 4, link.y);
    await page.mouse.click(link.x + 4, link.y);
    await page.keyboard.up("Control");
    const tab = await opening;
    await tab.waitForURL(/robots-2/);
    expect(await tab.evaluate(() => window.opener === null)).toBe(true);
    await tab.close();
  });

  test("whoever wants no motion gets none", async () => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await suite.goTo("/");
    const moving = await page.evaluate(() => document.getAnimations().length);
    expect(moving).toBe(0);
    const slow = await page.evaluate(
      () =>
        [...document.querySelectorAll("*")].filter(
          (each) => Number.parseFloat(getComputedStyle(each).transitionDuration) > 0.01,
        ).length,
    );
    expect(slow).toBe(0);
    expect(suite.troubles).toEqual([]);
  });
});
