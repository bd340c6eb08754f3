// What an operator sets and begins in the console: a run from nothing, many stopped at once, what pays for models, secrets, the network.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { openPage } from "../support/open-console.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents, settledAgent } from "../support/living-agents.ts";
import { expectAccessible, untilAddress } from "../support/page-checks.ts";

const value = "sk-never-shown-4711";

describe.skipIf(!hasChromium() || noCages)("what is set and begun in the console", () => {
  const suite = ConsoleSuite.forAll();

  beforeAll(async () => {
    await suite.client.call("profile.set", { name: "careful", settings: { runner: "script" } });
    await suite.client.call("project.change", { project: "shop", egress: { kind: "list", allow: ["example.org"] } });

    // A console in which nothing has run yet offers the demo instead of a list.
    await suite.client.call("run.stop", { run: await suite.submit("Ran before", [{ ask: "Go on?" }]) });
  });

  afterAll(() => removeAgents(suite.client));

  const toast = (command: string) => suite.page.locator(".toast-command", { hasText: command }).waitFor();

  test("what a filter leaves is stopped at once, named and counted, and nothing else", async () => {
    const { client, page } = suite;
    const asks = [{ ask: "Go on?" }];
    const nightly = await Promise.all(["One", "Two"].map((title) => suite.submit(title, asks, { tags: ["nightly"] })));
    const other = await suite.submit("Another", asks);
    for (const run of [...nightly, other]) await client.waitForRun(run, { states: ["awaiting-input"] });
    await suite.goTo("/runs");
    await page.locator(`[data-run=${other}]`).first().waitFor();
    const stopThese = page.getByRole("button", { name: "Stop these…" });
    // Of all there is no filter, and nobody ends everything by the way.
    expect(await stopThese.count()).toBe(0);
    await suite.goTo("/runs?tag=nightly");
    await stopThese.click();
    const dialog = page.getByRole("dialog", { name: "Stop 2 runs?" });
    for (const run of nightly) await dialog.locator(`[data-stops=${run}]`).waitFor();
    await dialog.getByText(/signalbox stop r_\w+ r_\w+$/).waitFor();
    await expectAccessible(page, "stopping many");
    // One more under the tag, while somebody reads the names of two.
    const later = await suite.submit("Three", asks, { tags: ["nightly"] });
    await client.waitForRun(later, { states: ["awaiting-input"] });
    await dialog.getByRole("button", { name: "Stop 2 runs" }).click();
    await toast(nightly[0] ?? "none");
    await page.locator(".toast", { hasText: "2 runs stopped" }).waitFor();
    for (const run of nightly) expect((await client.waitForRun(run)).state).toBe("terminated");
    expect((await client.call("run.get", { run: later })).run.state, "nobody was shown it").toBe("awaiting-input");
    await client.call("run.stop", { run: later });
    await suite.goTo("/runs?find=Another");
    await stopThese.click();
    await page.getByRole("dialog", { name: "Stop 1 run?" }).getByText(`signalbox stop ${other}`).waitFor();
    await page.getByRole("button", { name: "Keep them running" }).click();
    expect((await client.call("run.get", { run: other })).run.state).toBe("awaiting-input");
    await client.call("run.stop", { run: other });
  });

  test("a toast past its time stays while the keyboard goes through it, whatever the pointer does", async () => {
    const { client } = suite;
    const run = await suite.submit("Is held", [{ ask: "Go on?" }]);
    await client.waitForRun(run, { states: ["awaiting-input"] });
    const { page, troubles } = await openPage(suite.browser, client);
    await page.clock.install();
    await page.goto(`${suite.url}/runs/${run}`);
    await page.locator(`[data-page=${run}] [data-act=steer], [data-page=${run}] .acts`).first().waitFor();
    await page.keyboard.press("p");
    const shown = page.locator(".toast", { hasText: run });
    await shown.getByRole("button", { name: "Copy the command" }).focus();
    await shown.hover();
    await page.clock.fastForward(30_000);
    await page.mouse.move(5, 5);
    await page.keyboard.press("Tab");
    const undo = shown.getByRole("button", { name: "Undo" });
    expect(await undo.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await shown.waitFor({ state: "detached" });
    expect(troubles.found).toEqual([]);
    await page.context().close();
    await client.call("run.stop", { run });
  });

  test("a run is begun by key from what is wanted, in a form that is made from the contract", async () => {
    const { client, page } = suite;
    await suite.goTo("/runs");
    await page.getByRole("button", { name: "New run" }).waitFor();
    await page.keyboard.press("n");
    await untilAddress(page, ({ pathname }) => pathname === "/runs/new");
    const form = page.locator("[data-panel=new-run]");
    await form.locator("[data-field=runner]").waitFor();
    // There is one project, and it is meant.
    expect(await form.locator("[data-field=project]").inputValue()).toBe("shop");
    await expectAccessible(page, "the form of a new run");
    await form.locator("[data-field=title]").fill("Count the shelves");
    const save = form.getByRole("button", { name: "Run it" });
    await save.click();
    // What the daemon refuses stands in the form.
    await form.getByRole("alert").first().waitFor();
    expect(await form.locator("[data-field=tags]").count()).toBe(0);
    await form.getByLabel("Say more of it").selectOption("tags");
    await form.locator("[data-field=tags]").fill("nightly");
    await form.locator("[data-field=script]").fill(JSON.stringify({ task: "x", steps: [{ ask: "How many?" }] }));
    await save.click();
    await page.locator("[data-page][data-state=awaiting-input]").waitFor();
    const run = (await page.locator("[data-page]").getAttribute("data-page")) ?? "";
    expect((await client.call("run.get", { run })).run).toMatchObject({
      title: "Count the shelves",
      tags: ["nightly"],
    });
    await toast("signalbox run 'Count the shelves' --project shop --tag nightly --script -");
    await client.call("run.stop", { run });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("new run");
    await page.locator("[role=option][aria-selected=true]", { hasText: "from what is wanted" }).waitFor();
    await page.keyboard.press("Enter");
    await untilAddress(page, ({ pathname }) => pathname === "/runs/new");
  });

  test("[BG17] a secret is kept and removed by its name, and its value is on no page", async () => {
    const { client, page } = suite;
    await suite.goTo("/settings/secrets");
    await page.getByText("There is none yet").waitFor();
    await page.keyboard.press("n");
    await page.getByLabel("Name", { exact: true }).fill("OTHER_API_KEY");
    await page.getByLabel("Value", { exact: true }).fill(value);
    await expectAccessible(page, "a new secret");
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.locator("[data-setting=OTHER_API_KEY]").waitFor();
    await toast("signalbox secret set OTHER_API_KEY");
    expect((await client.call("secret.list", {})).secrets.map(({ name }) => name)).toEqual(["OTHER_API_KEY"]);
    expect(await page.getByLabel("New value").inputValue()).toBe("");
    expect(await page.content()).not.toContain(value);
    await expectAccessible(page, "a secret");
    await page.getByRole("button", { name: "Remove…" }).click();
    await page
      .getByRole("dialog", { name: "Remove OTHER_API_KEY?" })
      .getByRole("button", { name: /^Remove/ })
      .click();
    await page.locator("[data-setting=OTHER_API_KEY]").waitFor({ state: "detached" });
    expect((await client.call("secret.list", {})).secrets).toEqual([]);
  });

  test("the page of a runner has its presets, its prices and its login, each with its command and the way back", async () => {
    const { client, page } = suite;
    const smart = async (): Promise<string | undefined> =>
      (await client.call("runner.list", {})).runners.find(({ name }) => name === "claude")?.presets.smart;
    const builtIn = await smart();
    await suite.goTo("/settings/runners?name=claude");
    const preset = page.locator("[data-preset=smart]");
    await preset.getByLabel("smart").fill("claude-next");
    await preset.getByRole("button", { name: "Save" }).click();
    await toast("signalbox runners preset claude smart claude-next");
    expect(await smart()).toBe("claude-next");
    // Also after a look at the past, and by its key wherever one is.
    await page.keyboard.press("z");
    await page.locator(".app[data-link=past]").waitFor();
    await page.keyboard.press("z");
    await page.locator(".app[data-link=live]").waitFor();
    await toast("signalbox runners preset claude smart claude-next");
    await page.getByRole("link", { name: "Settings" }).first().click();
    await untilAddress(page, ({ pathname }) => pathname.startsWith("/settings"));
    await page.keyboard.press("u");
    await expect.poll(smart).toBe(builtIn);
    await suite.goTo("/settings/runners?name=claude");
    await preset.getByLabel("smart").waitFor();
    await expectAccessible(page, "the page of a runner");

    const prices = page.locator("[data-panel=prices]");
    await prices.getByLabel("Model", { exact: true }).fill("claude-next");
    await prices.getByLabel("Dollars in").fill("2.50");
    await prices.getByLabel("Dollars out").fill("12");
    await prices.getByLabel("Cache read").fill("0.125");
    await prices.getByRole("button", { name: "Set the price" }).click();
    await toast("signalbox price set claude-next --input 2.50 --output 12.00 --cache-read 0.125");
    await prices.locator("[data-price=claude-next]", { hasText: "$2.50 in, $12.00 out" }).waitFor();
    await prices.locator("[data-price=claude-next]").getByRole("button", { name: "Remove" }).click();
    await toast("signalbox price remove claude-next");
    await prices.locator("[data-price=claude-next]").waitFor({ state: "detached" });

    const login = page.locator("[data-panel=subscription]");
    await login.getByLabel("A login", { exact: true }).fill(JSON.stringify({ claudeAiOauth: { accessToken: value } }));
    await login.getByRole("button", { name: "Give the login" }).click();
    await toast("signalbox subscription add claude --from FILE");
    await login.getByRole("button", { name: "Forget it…" }).click();
    await page
      .getByRole("dialog", { name: "Forget the login of claude?" })
      .getByRole("button", { name: "Forget it" })
      .click();
    await toast("signalbox subscription remove claude");
    expect((await client.call("subscription.list", {})).subscriptions).toEqual([]);
    expect(await page.content()).not.toContain(value);
  });

  test("whom a run and an agent have tried to reach is on their pages, with what is in the way", async () => {
    const { client, page } = suite;
    const asking = `node -e 'const { hostname: host, port } = new URL(process.env.HTTP_PROXY); require("http").get({ host, port, path: "http://example.com/" }, (a) => console.log(a.statusCode))'`;
    const run = await suite.submit("Looks outside", [{ run: asking }, { ask: "Done?" }]);
    await client.waitForRun(run, { states: ["awaiting-input"] });
    await suite.goTo(`/runs/${run}`);
    const panel = page.locator("[data-panel=network]");
    await panel.locator("[data-host='example.com']", { hasText: "not on the allow-list" }).waitFor();
    await panel.getByText("May reach example.org").waitFor();
    await panel.getByRole("button", { name: `Copy: signalbox egress ${run}` }).waitFor();
    await expectAccessible(page, "the network of a run");
    await client.call("run.stop", { run });
    const template = "template: quiet\nservices:\n  web:\n    command: sleep 1000\n";
    const { agent } = await client.call("agent.create", { project: "shop", template });
    await settledAgent(client, agent.id);
    await suite.goTo(`/agents/${agent.id}`);
    await panel.getByText("It has not tried to reach anybody.").waitFor();
    await expectAccessible(page, "the network of an agent");
  });

  test("where names are known a form has them to choose from, and so has a fork", async () => {
    const { client, page } = suite;
    const optionsOf = (field: string): Promise<(string | null)[]> =>
      page
        .locator(`[data-field='${field}'] + datalist option`)
        .evaluateAll((all) => all.map((option) => option.getAttribute("value")));
    await suite.goTo("/settings/policies?name=%2B");
    await expect.poll(() => optionsOf("scope.project")).toEqual(["shop"]);
    await expect.poll(() => optionsOf("scope.profile")).toEqual(["careful"]);
    await expect.poll(() => optionsOf("scope.runner")).toContain("claude");
    await suite.goTo("/settings/profiles?name=careful");
    await expect.poll(() => optionsOf("settings.runner")).toContain("script");
    const run = await suite.submit("Writes", [{ write: { path: "a.txt", content: "a\n" } }]);
    await client.waitForRun(run);
    await suite.goTo(`/runs/${run}?step=0`);
    await page.getByRole("button", { name: "Fork from here…" }).click();
    const runners = page.getByRole("dialog").locator("datalist option");
    await expect
      .poll(() => runners.evaluateAll((all) => all.map((each) => each.getAttribute("value"))))
      .toContain("codex");
    expect(suite.troubles).toEqual([]);
  });

  test("on a phone nothing of it is wider than the screen", async () => {
    const { page } = suite;
    await page.setViewportSize({ width: 390, height: 844 });
    for (const address of [
      "/runs/new",
      "/runs?tag=nightly",
      "/settings/secrets?name=%2B",
      "/settings/runners?name=claude",
    ]) {
      await suite.goTo(address);
      await page.locator(".panel").first().waitFor();
      await expectAccessible(page, `${address} on a phone`);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    }
  });
});
