// The inbox in the console: what needs a person, answered where it is shown.

import { rmSync } from "node:fs";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents } from "../support/living-agents.ts";
import { expectAccessible, untilAddress } from "../support/page-checks.ts";
import { closeUnit, submitDelayed, submitHeld, submitSpent, submitStuck } from "../support/troubled-runs.ts";

const broken = `
template: broken
services:
  web:
    command: 'exit 3'
    restart: { delay: 10ms, limit: 1 }
`;

describe.skipIf(!hasChromium() || noCages)("the inbox in the console", () => {
  const suite = ConsoleSuite.forAll();

  beforeAll(async () => {
    await suite.client.call("policy.set", {
      ...{ name: "ask", scope: { project: "shop", runner: "script" }, rules: { approvalRequired: true } },
    });
  });

  afterAll(() => removeAgents(suite.client));

  const submit = (title: string, steps: readonly object[]): Promise<string> => suite.submit(title, steps);
  const item = (kind: string, subject: string): Locator => suite.page.locator(`[data-item="${kind} ${subject}"]`);

  test("a console without runs offers the demo, and one click starts it", async () => {
    const { client, page } = suite;
    await page.getByRole("button", { name: "Start the demo" }).click();
    await page.getByText("8 agents are at work").waitFor();
    await page.locator("[data-lane]", { hasText: "Count the stock" }).waitFor();
    await expect.poll(() => page.locator("[data-lane]").count()).toBe(8);
    const { projects } = await client.call("project.list", {});
    const demo = projects.find(({ name }) => name === "demo-shop");
    const { runs } = await client.call("run.list", { tag: "demo" });
    expect(runs).toHaveLength(8);
    await client.call("run.stop-all", {});
    for (const { id } of runs) await client.waitForRun(id);
    // Its test stays closed until it is proven that nothing of it runs.
    const isRemoved = (): Promise<boolean> =>
      client.call("project.remove", { project: "demo-shop" }).then(
        () => true,
        () => false,
      );
    await expect.poll(isRemoved).toBe(true);
    rmSync(demo?.root ?? "", { recursive: true });
  });

  test("nothing needs anybody, and it says what would come here", async () => {
    const { page } = suite;
    await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Inbox" }).click();
    await page.getByText("Nothing needs you").waitFor();
    await expectAccessible(page, "an empty inbox");
  });

  test("words that were begun for one question do not answer the next one", async () => {
    const { client, page } = suite;
    const run = await submit("Asks twice", [{ ask: "First?" }, { ask: "Second?" }]);
    await suite.goTo(`/runs/${run}`);
    const panel = page.locator("[data-panel=asks]");
    await panel.getByText("First?").waitFor();
    await panel.locator("[data-answer]").fill("for the first");
    await client.call("run.answer", { run, text: "from somebody else" });
    await panel.getByText("Second?").waitFor();
    await panel.locator("[data-answer]").press("Enter");
    await panel.locator("[data-answer]").fill("for the second");
    await panel.getByRole("button", { name: "Answer" }).click();
    await page.locator(`[data-page=${run}][data-state=done]`).waitFor();
    const { events } = await client.call("events.read", { run, types: ["run.answered"] });
    expect(events.map(({ text }) => text)).toEqual(["from somebody else", "for the second"]);
    await page.goBack();
    await page.getByText("Nothing needs you").waitFor();
  });

  test("questions, reviews, failures and agents come by themselves, and are answered by keys alone", async () => {
    const { client, page } = suite;
    const asks = await submit("Asks", [{ ask: "Shall I go on?" }, { write: { path: "a.txt", content: "a" } }]);
    await item("question", asks).waitFor();
    const review = await submit("Writes", [{ write: { path: "b.txt", content: "b" } }]);
    await item("review", review).waitFor();
    const fails = await submit("Fails", [{ fail: "no luck" }]);
    await item("failure", fails).getByText("no luck").waitFor();
    const { agent } = await client.call("agent.create", { project: "shop", template: broken });
    await item("agent", agent.id).waitFor();
    expect(await page.locator("[data-item]").count()).toBe(4);
    await expectAccessible(page, "an inbox");

    await page.keyboard.press("j");
    await page.keyboard.press("r");
    await page.keyboard.type("yes");
    await page.keyboard.press("Enter");
    await item("question", asks).waitFor({ state: "detached" });

    await page.locator("[data-kind=failure]").click();
    await untilAddress(page, ({ search }) => search === "?kind=failure");
    await page.keyboard.press("j");
    await page.keyboard.press("y");
    await item("failure", fails).waitFor({ state: "detached" });
    await page.locator(".toast-command", { hasText: `signalbox inbox --seen ${fails}` }).waitFor();
    await page.locator("[data-kind=failure]").click();

    await item("agent", agent.id).getByRole("button", { name: "Stop" }).click();
    await item("agent", agent.id).waitFor({ state: "detached" });
    // The one that was answered waits for a review now, too, and came later.
    await item("review", asks).waitFor();
    await page.locator(".rail-link[aria-current=page] .rail-count", { hasText: /^2/ }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.locator(`[data-page=${review}]`).waitFor();
    await untilAddress(page, ({ pathname }) => pathname === `/runs/${review}`);
  });

  test("[RN43] work that did not land is seen with a key, and is back by undo; the run's page has it and how to get it back", async () => {
    const { client, page } = suite;
    await client.call("policy.set", {
      name: "closed",
      scope: { project: "shop" },
      rules: { deniedPaths: ["taken.txt"] },
    });
    const run = await submit("Goes too far", [{ run: "echo mine > taken.txt" }]);
    await client.waitForRun(run);
    await suite.goTo(`/inbox?kind=warning`);
    await item("warning", run).getByText("did not land: taken.txt (policy closed forbids it)").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("y");
    await item("warning", run).waitFor({ state: "detached" });
    await page.getByText("Goes too far is off the inbox").waitFor();
    await page.keyboard.press("u");
    await item("warning", run).waitFor();
    await item("warning", run).getByRole("button", { name: "Seen" }).click();
    await item("warning", run).waitFor({ state: "detached" });

    await suite.goTo(`/runs/${run}`);
    await page.locator(".run-because", { hasText: "all that it changed was set aside" }).waitFor();
    const aside = page.locator(".p-aside [data-trash='taken.txt']");
    await aside.getByText("policy closed forbids it").waitFor();
    await page.locator(".p-changes .panel-head", { hasText: "set aside" }).waitFor();
    await expectAccessible(page, "a run whose work was set aside");
    await aside.getByRole("button", { name: "Restore" }).click();
    await page.getByRole("dialog").getByText("mine").waitFor();
    await page.keyboard.press("Escape");
  });

  test("a budget that is spent is raised by a step that says whose limit it is, and back by undo", async () => {
    const { client, page } = suite;
    const run = await submitSpent(client, "shop", "Spends it all");
    await suite.goTo("/inbox?kind=budget");
    await item("budget", run).getByText("thrift keeps it from its model: what one run may cost is spent").waitFor();
    await page.keyboard.press("j");
    await expectAccessible(page, "a spent budget");
    await page.keyboard.press("a");
    const dialog = page.getByRole("dialog", { name: `Raise what ${run} may spend` });
    await dialog.getByText("Policy thrift holds it: max run cost is $0.01.").waitFor();
    await dialog.getByText(`signalbox raise ${run} --to 0.02`).waitFor();
    await expectAccessible(page, "raising a limit");
    await dialog.getByLabel("New limit, in dollars").fill("2.50");
    await dialog.getByRole("button", { name: "Raise $0.01 to $2.50" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".toast-command", { hasText: `signalbox raise ${run} --to 2.50` }).waitFor();
    const limit = async (): Promise<unknown> =>
      (await client.call("policy.get", { name: "thrift" })).policy.rules.maxRunCostMicros;
    expect(await limit()).toBe(2_500_000);
    // Somebody else rules more of it: that is not taken back with the limit.
    const { policy } = await client.call("policy.get", { name: "thrift" });
    await client.call("policy.set", { ...policy, rules: { ...policy.rules, deniedPaths: ["theirs.txt"] } });
    await page.keyboard.press("u");
    await expect.poll(limit).toBe(10_000);
    const { rules } = (await client.call("policy.get", { name: "thrift" })).policy;
    expect(rules.deniedPaths).toEqual(["theirs.txt"]);
    // What is shown in a dialog is not what there is, once somebody else has raised it.
    await page.keyboard.press("a");
    await dialog.getByText("Policy thrift holds it: max run cost is $0.01.").waitFor();
    await client.call("policy.set", { ...policy, rules: { maxRunCostMicros: 5_000_000 } });
    await page.keyboard.press("Enter");
    await page.locator(".toast", { hasText: "Policy thrift has $5.00 by now, where it had $0.01" }).waitFor();
    expect(await limit()).toBe(5_000_000);
    await client.call("run.stop", { run });
    await item("budget", run).waitFor({ state: "detached" });
  });

  test("[PF21] what a profile gave a run is raised for the run alone, for good, with the way to the profile", async () => {
    const { client, page } = suite;
    const run = await submitHeld(client, "shop", "Has had what its profile gives");
    await suite.goTo("/inbox?kind=budget");
    await item("budget", run)
      .getByText("profile brief keeps it from its model: what one run may cost is spent")
      .waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("a");
    const dialog = page.getByRole("dialog", { name: `Raise what ${run} may spend` });
    await dialog.getByText("Profile brief gave it its limit: max cost is $0.01.").waitFor();
    await dialog.getByText("The profile stays as it is for runs to come.").waitFor();
    await expectAccessible(page, "raising a limit of a run");
    await dialog.getByRole("link", { name: "Open profile brief" }).click();
    await untilAddress(page, ({ pathname, search }) => pathname === "/settings/profiles" && search === "?name=brief");
    await dialog.waitFor({ state: "detached" });

    await suite.goTo("/inbox?kind=budget");
    await item("budget", run).getByRole("button", { name: "Raise the limit…" }).click();
    await dialog.getByLabel("New limit, in dollars").fill("2.50");
    await page.keyboard.press("Enter");
    await page.locator(".toast-command", { hasText: `signalbox raise ${run} --to 2.50` }).waitFor();
    await item("budget", run).waitFor({ state: "detached" });
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    const settings = async (): Promise<unknown> => (await client.call("run.get", { run })).run.settings;
    expect(await settings()).toMatchObject({ maxCostMicros: 2_500_000 });
    const { profile } = await client.call("profile.get", { name: "brief" });
    expect(profile.settings.maxCostMicros).toBe(10_000);
    await client.call("run.stop", { run });
  });

  test("a run that is stuck can be paused, and goes on by key where a policy has paused it", async () => {
    const { client, page } = suite;
    const paused = await submitStuck(client, "shop", { title: "Was paused for it", onSilent: "pause" });
    const silent = await submitStuck(client, "shop", { title: "Says nothing", onSilent: "tell" });
    await suite.goTo("/inbox?kind=stuck");
    await item("stuck", silent).getByRole("button", { name: "Pause" }).waitFor();
    await item("stuck", paused).getByText("it is paused").waitFor();
    await page.keyboard.press("j");
    await expectAccessible(page, "stuck runs");
    await page.keyboard.press("p");
    await page.locator(".toast-command", { hasText: `signalbox resume ${paused}` }).waitFor();
    await item("stuck", paused).waitFor({ state: "detached" });
    for (const run of [paused, silent]) await client.call("run.stop", { run });
  });

  test("a run whose model turns it away says when it is tried again, and is stopped by key", async () => {
    const { client, page } = suite;
    const run = await submitDelayed(client, "shop", "Is turned away");
    await suite.goTo("/inbox?kind=delayed");
    await item("delayed", run)
      .getByText(/try 1 of \d+ in \d+ s/)
      .waitFor();
    await page.keyboard.press("j");
    await expectAccessible(page, "a run that waits for its model");
    await page.keyboard.press("s");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: `Stop ${run}` })
      .click();
    await item("delayed", run).waitFor({ state: "detached" });
  });

  test("[LS32] a unit that is kept closed is opened by a person's word, after asking", async () => {
    const { client, page } = suite;
    await closeUnit(client, "shop", "process:deploy");
    await suite.goTo("/inbox?kind=closed");
    const card = page.locator("[data-need=closed]", { hasText: "process:deploy" });
    await card.getByText("signalbox clear process:deploy --project shop").waitFor();
    await page.keyboard.press("j");
    await expectAccessible(page, "a closed unit");
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "Clear process:deploy?" });
    await dialog.getByText("noor, who held it, is gone").waitFor();
    await expectAccessible(page, "a person's word on a closed unit");
    // Nobody gives it by pressing Enter once more.
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await card.getByRole("button", { name: "Clear it…" }).click();
    await dialog.getByRole("button", { name: "They are dead: clear it" }).click();
    await page.locator(".toast-command", { hasText: "signalbox clear process:deploy --project shop" }).waitFor();
    await card.waitFor({ state: "detached" });
  });

  test("on a phone it is the first that one sees of what waits", async () => {
    const { page } = suite;
    await page.setViewportSize({ width: 390, height: 844 });
    await suite.goTo(`/inbox`);
    await page.locator("[data-item]").first().waitFor();
    await expectAccessible(page, "an inbox on a phone");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await page.locator(".tab-count").innerText()).toContain("2");
    expect(suite.troubles).toEqual([]);
  });
});
