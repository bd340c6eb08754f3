// Asks the thread that searches, and ends it when a pattern takes too long.

import { closeSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { Fault } from "../../base/fault.ts";
import type { SearchAnswer } from "../../protocol/keeper/keeper-wire.ts";
import { Ignores } from "./ignores.ts";
import { OneAtATime } from "./one-at-a-time.ts";
import type { SearchOrder, SearchReply } from "./search-worker.ts";
import { folderNamesOf, type Tree } from "./tree.ts";

const timeMsMax = 4000;
/** Beyond its own time the thread is stuck in one line with one pattern. */
const stuckMs = 500;
/** A thread that only just starts on a busy machine has not begun to search yet. */
const startMsMax = 20_000;
const idleMs = 20_000;

export type SearchWish = {
  readonly text: string;
  readonly regex: boolean;
  readonly under: string;
  readonly limit: number;
};

export class Searcher {
  readonly #tree: Tree;
  readonly #line = new OneAtATime();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  search(wish: SearchWish): Promise<SearchAnswer> {
    return this.#line.run(() => this.#search(wish));
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  async #search({ text, regex, under, limit }: SearchWish): Promise<SearchAnswer> {
    const names = folderNamesOf(under);
    const folder = this.#tree.openFolder(names, { make: false });
    if (folder === undefined) {
      throw new Fault("not-a-folder", { retry: "never", message: `${under} is not a folder` });
    }
    clearTimeout(this.#idle);
    try {
      const reply = await this.#ask({
        folder,
        names,
        ignored: this.#ignoredIn(names),
        text,
        regex,
        limit,
        timeMs: timeMsMax,
      });
      if ("answer" in reply) return reply.answer;
      throw new Fault("bad-pattern", { retry: "never", message: `the pattern cannot be used: ${reply.bad}` });
    } finally {
      closeSync(folder);
      this.#idle = setTimeout(() => void this.close(), idleMs);
      this.#idle.unref();
    }
  }

  /** Whoever searches a folder that is ignored wants what is in it: then only its own rules hold. */
  #ignoredIn(names: readonly string[]): readonly string[] {
    const rules = new Ignores(this.#tree);
    const texts = rules.textsTo(names);
    return rules.coversWayTo(names) ? texts.map((text, at) => (at < names.length ? "" : text)) : texts;
  }

  async #ask(order: SearchOrder): Promise<SearchReply> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<SearchReply>((resolve, reject) => {
        timer = setTimeout(() => reject(tooSlow()), startMsMax);
        worker.on("message", (said: "begun" | SearchReply) => {
          if (said !== "begun") return resolve(said);
          clearTimeout(timer);
          timer = setTimeout(() => reject(tooSlow()), order.timeMs + stuckMs);
        });
        worker.once("error", reject);
        worker.postMessage(order, []);
      });
    } catch (error) {
      // The folder is ours to close only once the thread does not read it any more.
      await worker.terminate();
      this.#worker = undefined;
      throw error;
    } finally {
      clearTimeout(timer);
      worker.removeAllListeners("message").removeAllListeners("error");
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL("search-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
    });
    worker.unref();
    return worker;
  }
}

function tooSlow(): Fault {
  return new Fault("search-too-slow", { retry: "never", message: "the pattern takes too long: use a simpler one" });
}
