// What waits for what, and how well services were, as the console draws it: the leases that a run wants, the queue of landings, the last
// hour of a service.

import { afterAll, describe, expect, test } from "vitest";
import { hasChromium } from "../support/console-rig.ts";
import { ConsoleSuite } from "../support/console-suite.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents, settledAgent } from "../support/living-agents.ts";
import { expectAccessible } from "../support/page-checks.ts";

/** It is well while it has no file called ill. */
const template = `
template: moody
services:
  web:
    command: sleep 1000
    health: { command: 'test ! -e ill', interval: 1s, timeout: 1s, retries: 1 }
    restart: { policy: never }
`;

describe.skipIf(!hasChromium() || noCages)("what waits in the console", () => {
  const suite = ConsoleSuite.forAll();

  afterAll(() => removeAgents(suite.client));

  test("a run's page has the units that it wants, its place for them and who is in the way; the holder's has who waits", async () => {
    const { client, page } = suite;
    const wanted = "file:src/app.ts";
    const holder = await suite.submit("Holds it", [{ claim: [wanted, "dir:docs"] }, { ask: "Go on?" }]);
    await client.waitForRun(holder, { states: ["awaiting-input"] });
    const waiters: string[] = [];
    for (const title of ["Waits first", "Waits second"]) {
      const run = await suite.submit(title, [{ claim: wanted }, { ask: "Done?" }]);
      await expect.poll(async () => (await client.call("run.get", { run })).run.behind).not.toEqual([]);
      waiters.push(run);
    }
    const [first = "", second = ""] = waiters;
    const units = page.locator("[data-panel=units]");
    await suite.goTo(`/runs/${second}`);
    await units.getByText("Waits 2nd in the queue").waitFor();
    const row = units.locator("li", { hasText: "app.ts" });
    expect(await row.locator(".obstacles .rid").allInnerTexts()).toEqual([holder, first]);
    await units.getByText("Holds nothing").waitFor();
    await expectAccessible(page, "a run that waits for a unit");
    await suite.goTo(`/runs/${holder}`);
    await units.getByText("Holds 2").waitFor();
    expect(await units.locator("li", { hasText: "app.ts" }).locator(".chip .rid").allInnerTexts()).toEqual(waiters);
    // Whoever goes first moves up while somebody looks.
    await suite.goTo(`/runs/${second}`);
    await client.call("run.stop", { run: first });
    await units.getByText("Waits 1st in the queue").waitFor();
    await client.call("run.stop", { run: holder });
    await units.getByText("Holds 1").waitFor();
    await client.call("run.stop", { run: second });
  });

  test("the landing queue has the first with its test, and the others in the order in which they were approved", async () => {
    const { client, page } = suite;
    await client.call("policy.set", { name: "ask", scope: { project: "shop" }, rules: { approvalRequired: true } });
    await client.call("project.change", { project: "shop", landingTest: ["sh", "-c", "sleep 1000"] });
    const runs = await Promise.all(
      ["a", "b", "c"].map((name) =>
        suite.submit(`Writes ${name}`, [{ write: { path: `${name}.txt`, content: name } }]),
      ),
    );
    for (const run of runs) await client.waitForRun(run, { states: ["review"] });
    const [a = "", b = "", c = ""] = runs;
    // Not in the order in which they were submitted.
    for (const run of [b, c, a]) await client.call("run.approve", { run });
    await suite.goTo("/landing");
    const rows = page.locator("[data-panel=queue] [data-landing]");
    const order = (): Promise<(string | null)[]> =>
      rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-landing")));
    await expect.poll(order).toEqual([b, c, a]);
    await rows.nth(0).getByText("testing: sh -c 'sleep 1000'").waitFor();
    await rows.nth(1).getByText("next", { exact: true }).waitFor();
    await rows.nth(2).getByText("2 before it").waitFor();
    await expectAccessible(page, "a queue of landings");
    await client.call("run.stop", { run: c });
    await expect.poll(order).toEqual([b, a]);
    await rows.nth(1).getByText("next", { exact: true }).waitFor();
    for (const run of [b, a]) await client.call("run.stop", { run });
    await page.getByText("Nothing is on its way").waitFor();
  });

  test("the last hour of a service is drawn: a fault is lower, and counted in words", async () => {
    const { client, page } = suite;
    const { agent } = await client.call("agent.create", { project: "shop", template });
    await settledAgent(client, agent.id);
    await suite.goTo(`/agents/${agent.id}`);
    const strip = page.locator("[data-service=web] .health");
    await expect.poll(() => strip.getAttribute("aria-label")).toBe("no fault in the last hour");
    await strip.locator(".h-well").first().waitFor();
    const heightOf = (look: string): Promise<number> =>
      strip
        .locator(look)
        .first()
        .evaluate((bar) => bar.getBoundingClientRect().height);
    const well = await heightOf(".h-well");
    await client.call("agent.exec", { agent: agent.id, argv: ["touch", "ill"] });
    await strip.locator(".h-ill").first().waitFor();
    expect(await strip.getAttribute("aria-label")).toBe("faults in 2 of the last 60 minutes");
    expect(await heightOf(".h-ill")).toBeLessThan(well);
    await expectAccessible(page, "an agent with a fault");
    expect(suite.troubles).toEqual([]);
  });
});
