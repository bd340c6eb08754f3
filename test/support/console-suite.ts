// What most tests of the console stand on: a console that is signed in, over one project, for all tests of a group.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { ConsoleRig, launchChromium } from "./console-rig.ts";
import { openPage, type PageWishes } from "./open-console.ts";
import type { PageTroubles } from "./page-checks.ts";
import { SampleProject } from "./sample-project.ts";

type Opened = {
  readonly rig: ConsoleRig;
  readonly browser: Browser;
  readonly client: Client;
  readonly page: Page;
  readonly url: string;
  readonly troubles: PageTroubles;
};

type Wishes = PageWishes & {
  /** What the project's repository begins with. Left out, it is a folder with nothing in it. */
  readonly files?: Readonly<Record<string, string>>;
  /** Makes what it is of the project's folder, where files alone do not say it. */
  readonly fill?: (folder: string) => Promise<void>;
  /** With what stands for a graphics processor. */
  readonly graphics?: boolean;
};

/** What each of its projects and runs is in. */
const project = "shop";

export class ConsoleSuite {
  readonly #wishes: Wishes;
  #rig: ConsoleRig | undefined;
  #browser: Browser | undefined;
  #opened: Opened | undefined;
  #sample: SampleProject | undefined;

  private constructor(wishes: Wishes) {
    this.#wishes = wishes;
  }

  /** Opened before the first test of the group and closed after its last. */
  static forAll(wishes: Wishes = {}): ConsoleSuite {
    const suite = new ConsoleSuite(wishes);
    beforeAll(() => suite.#start());
    afterAll(() => suite.#end());
    return suite;
  }

  /** What the daemon is killed and begun again with. */
  get rig(): ConsoleRig {
    return this.#open.rig;
  }

  /** For who looks beside this page, in a context of their own. */
  get browser(): Browser {
    return this.#open.browser;
  }

  get page(): Page {
    return this.#open.page;
  }

  get client(): Client {
    return this.#open.client;
  }

  get url(): string {
    return this.#open.url;
  }

  /** The person's repository, where it began with files. */
  get sample(): SampleProject {
    if (this.#sample === undefined) throw new Error("the project of this group began with no files");
    return this.#sample;
  }

  /** Opens a view by its address, such as /runs?tag=nightly, and waits until it is live, or shows the past that the address names. */
  async goTo(address: string): Promise<void> {
    await this.page.goto(`${this.url}${address}`);
    await this.page.locator(".app:is([data-link=live], [data-link=past])").waitFor();
  }

  /** Runs a script of these steps. */
  async submit(
    title: string,
    steps: readonly object[],
    more: object = {},
    /** What else the script says. */
    script: object = {},
  ): Promise<string> {
    const text = JSON.stringify({ task: "from a script", steps, ...script });
    return (await this.client.call("run.submit", { project, title, script: text, ...more })).run;
  }

  /** What broke or was forbidden until now. */
  get troubles(): readonly string[] {
    return this.#open.troubles.found;
  }

  async #start(): Promise<void> {
    const { files, fill, graphics = false, scheme = "dark", ...wishes } = this.#wishes;
    const rig = await ConsoleRig.start();
    this.#rig = rig;
    const browser = await launchChromium(graphics ? ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] : []);
    this.#browser = browser;
    const folder = await rig.makeFolder(project);
    await fill?.(folder);
    if (files !== undefined) this.#sample = new SampleProject(files, folder);
    const client = await rig.connect();
    await client.call("project.add", { root: this.#sample?.root ?? folder, name: project });
    this.#opened = { rig, browser, client, ...(await openPage(browser, client, { scheme, ...wishes })) };
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
