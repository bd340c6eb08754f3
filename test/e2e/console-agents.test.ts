// Living agents in the console: real services in real cages, seen and steered in a real browser.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { AgentView } from "../../src/protocol/wire/agent.ts";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { removeAgents } from "../support/living-agents.ts";
import { noCages } from "../support/keeper-rig.ts";
import { expectAccessible, untilAddress } from "../support/page-checks.ts";

const server = `
require("http").createServer((asked, answer) => {
  if (asked.url !== "/") console.log("asked for " + asked.url);
  answer.end("hello from the shop");
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("\\u001b[32mlistening\\u001b[0m <b>bold</b>"));
`;

const stack = `
template: shop
services:
  web:
    command: node web.js
    ports: [http]
    health: { http: /, interval: 200ms, timeout: 150ms }
    restart: { delay: 10ms }
  queue:
    command: sleep 1000
    depends_on: [web]
faces:
  shop: { service: web, title: The shop }
`;

const broken = `
template: broken
services:
  web:
    command: 'echo no database here; exit 3'
    restart: { delay: 10ms, limit: 1 }
`;

describe.skipIf(!hasChromium() || noCages)("agents in the console", () => {
  const suite = ConsoleSuite.forAll({
    files: { "web.js": server },
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  let client: Client;
  let page: Page;

  beforeAll(() => {
    ({ client, page } = suite);
  });

  afterAll(() => removeAgents(client));

  const create = async (template: string): Promise<AgentView> =>
    (await client.call("agent.create", { project: "shop", template })).agent;

  const inState = (agent: string, state: string) =>
    page.locator(`[data-agent=${agent}][data-state=${state}]`).waitFor();
  const service = (name: string) => page.locator(`[data-service=${name}]`);
  let first: AgentView;

  test("without agents the next step is there to be copied", async () => {
    await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Agents" }).click();
    await page.getByRole("heading", { name: "No agent lives here yet" }).waitFor();
    await page.getByText("signalbox agent create --project shop").waitFor();
    await expectAccessible(page, "no agents");
  });

  test("agents come up while one looks: state, services in short, and what failed, the broken ones first", async () => {
    first = await create(stack);
    const second = await create(broken);
    await inState(first.id, "running");
    await inState(second.id, "error");
    const rows = page.locator("[data-row]");
    expect(await rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-row")))).toEqual([
      second.id,
      first.id,
    ]);
    await page.locator(`[data-agent=${first.id}]`).getByText("2/2").waitFor();
    await page.locator(`[data-agent=${second.id}] .c-does`, { hasText: "web: it ended with 3" }).waitFor();
    await expectAccessible(page, "agents");
    await page.locator("[data-agents=error]").click();
    await untilAddress(page, ({ search }) => search === "?state=error");
    await rows.nth(1).waitFor({ state: "detached" });
    await page.locator("[data-agents=error]").click();
    await page.getByRole("searchbox", { name: "Find an agent" }).fill("shop-1");
    await page.locator(`[data-row=${second.id}]`).waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
  });

  test("its page shows services, ports that open, logs that are inert, and its template", async () => {
    await page.locator("[data-row]").first().waitFor();
    for (const key of ["j", "j", "Enter"]) await page.keyboard.press(key);
    await page.locator(`[data-page=${first.id}]`).waitFor();
    await untilAddress(page, ({ pathname }) => pathname === `/agents/${first.id}`);
    await service("web").getByText("Healthy").waitFor();
    const link = service("web").getByRole("link", { name: /http 127\.0\.0\.2/ });
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    const asked = await fetch(`${(await link.getAttribute("href")) ?? ""}from-a-tab`);
    expect(await asked.text()).toBe("hello from the shop");
    await page.locator(".log-line", { hasText: "listening <b>bold</b>" }).waitFor();
    await page.locator(".log-line", { hasText: "asked for /from-a-tab" }).waitFor();
    await page.getByRole("group", { name: "Template" }).getByText("template: shop").waitFor();
    await page.locator("[data-event='agent.created']").waitFor();
    await expectAccessible(page, "an agent");
  });

  test("[FC1] its faces open in tabs of their own, apart from the console", async () => {
    const opening = page.context().waitForEvent("page");
    await page.locator("[data-face=shop]").getByRole("button", { name: /^Open/ }).click();
    const tab = await opening;
    await tab.getByText("hello from the shop").waitFor();
    expect(new URL(tab.url()).hostname).toBe(`${first.name}-shop.localhost`);
    expect(await tab.evaluate(() => [window.opener === null, document.cookie])).toEqual([true, ""]);
    await tab.close();
    await expectAccessible(page, "faces of an agent");
  });

  test("logs are searched, and of one service alone, at an address that can be sent", async () => {
    await page.keyboard.press("l");
    await page.keyboard.type("FROM-A");
    await page.locator(".log-line mark", { hasText: "from-a" }).waitFor();
    await page.getByRole("combobox", { name: "Which service" }).selectOption("queue");
    await page.getByText("Nothing that was said has this in it").waitFor();
    const { pathname, search } = new URL(page.url());
    expect(`${pathname}${search}`).toBe(`/agents/${first.id}?service=queue&said=FROM-A`);
    await page.getByRole("button", { name: "Copy the command that shows the same" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      `signalbox agent logs ${first.name} queue -f --find FROM-A`,
    );
    await page.getByRole("combobox", { name: "Which service" }).selectOption("");
    await page.getByRole("searchbox", { name: "Only lines with this in them" }).press("Escape");
  });

  test("a service is stopped, taken back and restarted by keys alone", async () => {
    for (const key of ["j", "j", "s"]) await page.keyboard.press(key);
    await service("queue").getByText("Stopped", { exact: true }).waitFor();
    await page.locator(".toast-command", { hasText: `signalbox service stop ${first.name} queue` }).waitFor();
    await page.keyboard.press("u");
    await page.locator("[data-service=queue][data-state=up]").waitFor();
    await page.keyboard.press("k");
    await page.keyboard.press("r");
    await service("web").locator(".s-lives", { hasText: /^2$/ }).waitFor();
    expect((await client.call("agent.get", { agent: first.id })).agent.services[0]).toMatchObject({ life: 2 });
    await page.keyboard.press("Escape");
  });

  test("the agent is stopped and started, and its page follows", async () => {
    await page.getByRole("button", { name: "Stop", exact: true }).last().waitFor();
    await page.keyboard.press("s");
    await inState(first.id, "stopped");
    expect(await page.getByRole("button", { name: "Restart web" }).count()).toBe(0);
    await page.keyboard.press("t");
    await inState(first.id, "running");
  });

  test("what a run in it does is what it does, with the way to that run", async () => {
    const script = JSON.stringify({ task: "look around", steps: [{ ask: "Go on?" }] });
    const { run } = await client.call("run.submit", { project: "shop", agent: first.name, script });
    await page.locator(".agent-does", { hasText: `Waits for your answer to ${run}` }).waitFor();
    expect(await page.locator(".run-meta").getByRole("link", { name: run }).getAttribute("href")).toBe(`/runs/${run}`);
    await client.call("run.stop", { run });
    await page.locator(".agent-does", { hasText: "Ready" }).waitFor();
  });

  test("one in error says what was tried and what it said last, and is removed only after asking", async () => {
    await suite.goTo("/agents/broken-1");
    await page.locator("[data-rung=ask]:not([data-times='0'])").waitFor();
    await service("web").getByText("no database here").waitFor();
    await page.locator("[data-rung=restart]", { hasText: "web: it ended with 3" }).waitFor();
    await expectAccessible(page, "an agent in error");
    await page.keyboard.press("e");
    await page.getByRole("dialog", { name: "Remove broken-1?" }).waitFor();
    await expectAccessible(page, "the question before removing");
    await page.getByRole("button", { name: "Remove broken-1" }).click();
    await page.getByText("It is gone, and nothing of it is left").waitFor();
    await page.goBack();
  });

  test("looking back from its page shows the same agent then, or says that it was not there", async () => {
    await suite.goTo(`/agents/${first.id}`);
    const { events } = await client.call("events.read", { after: 0, types: ["service.", "agent."], limit: 1000 });
    const of = events.filter((event) => event["agent"] === first.id).map(({ seq }) => seq);
    const made = Math.min(...of);
    await suite.goTo(`/agents/${first.id}?at=${made}`);
    await page.locator(`[data-past='${made}']`).waitFor();
    await page.locator(`[data-agent=${first.id}][data-state=stopped]`).waitFor();
    await page.locator("[data-panel=story] [data-event='agent.created']").waitFor();
    expect(await page.locator("[data-panel=story] .event").count()).toBe(1);
    await expectAccessible(page, "an agent as it was");
    await suite.goTo(`/agents/${first.id}?at=${made - 1}`);
    await page.getByRole("heading", { name: `${first.id} was not there` }).waitFor();
    await page.getByRole("link", { name: `${first.id} now` }).click();
    await page.locator("[data-panel=logs]").waitFor();
    // The time of an event leads there, too.
    await page.locator("[data-panel=story] .event-at").last().click();
    await page.locator(`[data-past='${made}']`).waitFor();
    await untilAddress(page, ({ pathname }) => pathname === `/agents/${first.id}`);
    await page.keyboard.press("z");
  });

  test("an agent is made of a template in a form; what is wrong stands at its line, or at its field", async () => {
    await suite.goTo("/agents");
    await page.getByRole("button", { name: "New agent" }).click();
    await page.locator("[data-setting=bare]").click();
    const text = page.getByRole("textbox", { name: "The template, as YAML" });
    await text.fill("template: desk\nenv: { MOOD: calm }\nservices:\n  idle: { comand: sleep 1000 }\n");
    await page.locator("[data-problem='4']", { hasText: "services.idle" }).first().waitFor();
    await expectAccessible(page, "a template that is not right");
    await text.fill("template: desk\nenv: { MOOD: calm }\nservices:\n  idle: { command: sleep 1000 }\n");
    const name = page.locator("[data-field=name]");
    await name.fill("not a name");
    await page.locator("[data-field='values.MOOD']").fill("busy");
    await page.getByRole("button", { name: "Make the agent" }).click();
    await page.locator("[data-field=name][aria-invalid=true]").waitFor();
    await expectAccessible(page, "a form with something wrong");
    await name.fill("desk");
    await page.getByRole("button", { name: "Make the agent" }).click();
    await page.locator(".run-name", { hasText: "desk" }).waitFor();
    await page.getByRole("group", { name: "Template" }).getByText("MOOD: busy").waitFor();
  });

  test("a template lands in its project as everything does, only when it is right, and its past says who changed it", async () => {
    await client.call("policy.set", { name: "look", rules: { approvalRequired: true } });
    await suite.goTo("/settings/templates?name=%2B");
    const text = page.getByRole("textbox", { name: "The template, as YAML" });
    const land = page.getByRole("button", { name: "Land it in shop" });
    const one = "template: desk\nservices:\n  idle: { command: sleep 1000 }\n";
    await text.fill(one.replace("command", "comand"));
    await page.getByText("it has to be right first").waitFor();
    expect(await land.isDisabled()).toBe(true);
    await text.fill(one);
    await page.getByRole("button", { name: "Make the agent" }).waitFor();
    expect(await page.locator(".btn.primary").allInnerTexts(), "one thing stands out").toEqual(["Make the agent"]);
    await land.click();
    const approve = async (): Promise<string> => {
      await page.locator("[data-page][data-state=review]").waitFor();
      const run = (await page.locator("[data-page]").getAttribute("data-page")) ?? "";
      await client.call("run.approve", { run });
      await page.locator(`[data-page=${run}][data-state=done]`).waitFor();
      return run;
    };
    const first = await approve();
    await suite.goTo("/settings/templates");
    await page.locator("[data-setting=desk]").click();
    expect(await text.inputValue()).toBe(one);
    await page.locator(`[data-by=${first}]`).waitFor();
    await page.getByText("nothing is changed").waitFor();
    await text.fill(one.replace("1000", "2000"));
    await page.getByRole("button", { name: "Copy the command that lands it" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      "signalbox run --project shop --script -",
    );
    await land.click();
    const second = await approve();
    await suite.goTo("/settings/templates");
    await page.locator("[data-setting=desk]").click();
    const past = page.locator("[data-panel=past]");
    await past.getByRole("button", { name: `What ${second} changed` }).click();
    await past.locator("tr.add", { hasText: "sleep 2000" }).waitFor();
    await past.locator("tr.del", { hasText: "sleep 1000" }).waitFor();
    expect(await past.locator("[data-commit]").count()).toBe(2);
    await expectAccessible(page, "a template with its past");
    // A project has one: another is not written over it.
    await suite.goTo("/settings/templates?name=%2B");
    await page.getByText("shop has a template already: change that one").waitFor();
    await client.call("policy.remove", { name: "look" });
  });

  test("what is set is changed in forms that the contract makes, with who changed what, and taken back", async () => {
    await suite.goTo("/settings/policies");
    await page.locator("[data-setting=default]").waitFor();
    await page.keyboard.press("n");
    await page.locator("[data-field=name]").fill("small");
    await page.getByRole("combobox", { name: "Add to Rules" }).selectOption({ label: "Denied paths" });
    await page.locator("[data-field='rules.deniedPaths']").fill("src/[a");
    await page.getByRole("button", { name: "Make the policy" }).click();
    await page.locator("[data-field='rules.deniedPaths'][aria-invalid=true]").waitFor();
    await page.locator("[data-field='rules.deniedPaths']").fill("src/**");
    await page.getByRole("button", { name: "Make the policy" }).click();
    await page.locator("[data-setting=small][aria-selected=true]").waitFor();
    await page.getByRole("combobox", { name: "Add to Rules" }).selectOption({ label: "Max files" });
    await page.locator("[data-field='rules.maxFiles']").fill("12");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator("[data-change=changed]", { hasText: "rules.maxFiles: 12" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).last().click();
    await page.locator("[data-change=changed]", { hasText: "rules.maxFiles is left out" }).waitFor();
    await expectAccessible(page, "a policy");
    const { policy } = await client.call("policy.get", { name: "small" });
    expect(policy.rules).toEqual({ deniedPaths: ["src/**"] });
    await suite.goTo("/settings/projects?name=shop");
    await page.locator("[data-field=landingTest]").fill("node\n--version");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("shop: landingTest changed").waitFor();
    expect((await client.call("project.get", { project: "shop" })).project.landingTest).toEqual(["node", "--version"]);
    await expectAccessible(page, "a project");
    await suite.goTo("/settings/runners?name=claude");
    await page.locator("[data-panel=runner]").getByText("Credential").waitFor();
    await expectAccessible(page, "a runner");
    await suite.goTo("/settings/you");
    await page.getByRole("button", { name: "Dense" }).click();
    await page.locator("html[data-density=dense]").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Roomy" }).click();
    await expectAccessible(page, "what a person likes");
  });

  test("of a thousand agents only those in sight are drawn, and keys reach the last", async () => {
    const { agents } = await client.call("agent.list", {});
    const many = Array.from({ length: 1000 }, (_, at) => ({ ...agents[0], id: `a_x${at}`, name: `many-${at}` }));
    await page.route("**/api/v1/agents", (route) => route.fulfill({ json: { agents: many } }));
    await suite.goTo("/agents");
    await page.locator(".p-agents .meta", { hasText: "1,000 agents" }).waitFor();
    await page.locator("[data-row]").first().waitFor();
    expect(await page.locator("[data-row]").count()).toBeLessThan(60);
    await page.keyboard.press("End");
    await page.locator("[data-row=a_x999][aria-selected=true]").waitFor();
    await page.unroute("**/api/v1/agents");
  });

  test("on a phone, in light, everything is there, and a broken connection says so", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "light" });
    await suite.goTo("/agents");
    await page.locator("[data-row]").first().waitFor();
    await expectAccessible(page, "agents on a phone");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await suite.goTo(`/agents/${first.id}`);
    await page.locator(".log-line").first().waitFor();
    await expectAccessible(page, "an agent on a phone");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await suite.rig.kill();
    await page.locator("[data-banner=away]").waitFor();
    expect(await page.getByRole("button", { name: "Restart web" }).isDisabled()).toBe(true);
    await suite.rig.up();
    await page.locator(".app[data-link=live]").waitFor();
    await inState(first.id, "running");
    expect(suite.troubles).toEqual([]);
  });
});
