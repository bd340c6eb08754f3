// What most tests of the console stand on: a console that is signed in, over a project that has nothing in it, for all tests of a group.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { ConsoleRig, launchChromium } from "./console-rig.ts";
import { openPage } from "./open-console.ts";
import type { PageTroubles } from "./page-checks.ts";

type Opened = { readonly client: Client; readonly page: Page; readonly troubles: PageTroubles };

/** What each of its projects and runs is in. */
const project = "shop";

export class ConsoleSuite {
  #rig: ConsoleRig | undefined;
  #browser: Browser | undefined;
  #opened: Opened | undefined;

  private constructor() {}

  /** Opened before the first test of the group and closed after its last. */
  static forAll(): ConsoleSuite {
    const suite = new ConsoleSuite();
    beforeAll(() => suite.#start());
    afterAll(() => suite.#end());
    return suite;
  }

  get page(): Page {
    return this.#open.page;
  }

  get client(): Client {
    return this.#open.client;
  }

  /** Opens a view by its address, such as /runs?tag=nightly, and waits until it is live, or shows the past that the address names. */
  async goTo(address: string): Promise<void> {
    await this.page.goto(new URL(address, this.page.url()).href);
    await this.page.locator(".app:is([data-link=live], [data-link=past])").waitFor();
  }

  /** Runs a script of these steps. */
  async submit(title: string, steps: readonly object[], more: object = {}): Promise<string> {
    const script = JSON.stringify({ task: "from a script", steps });
    return (await this.client.call("run.submit", { project, title, script, ...more })).run;
  }

  /** What broke or was forbidden until now. */
  get troubles(): readonly string[] {
    return this.#open.troubles.found;
  }

  async #start(): Promise<void> {
    this.#rig = await ConsoleRig.start();
    this.#browser = await launchChromium();
    const client = await this.#rig.connect();
    await client.call("project.add", { root: await this.#rig.makeFolder(project), name: project });
    this.#opened = { client, ...(await openPage(this.#browser, client, { scheme: "dark" })) };
  }

  async #end(): Promise<void> {
    try {
      await this.#browser?.close();
    } finally {
      await this.#rig?.remove();
    }
  }

  get #open(): Opened {
    if (this.#opened === undefined) throw new Error("the console is open only while a test of its group runs");
    return this.#opened;
  }
}
