// Lets go of bytes that nothing refers to: neither the state, nor the record of a run that is there, nor a workspace, nor a
// ref. It reads only what is durable, because what it lets go of cannot be had back.

import { Fault } from "../../base/fault.ts";
import type { Logged } from "../../core/events.ts";
import type { Project } from "../../core/project/project.ts";
import type { State } from "../../core/state.ts";
import { blobsIn, RecordReferences, referencesIn, type References } from "../../core/workspace/references.ts";
import { upgradeEvent } from "../../core/upgrade.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Collected } from "../../ports/mainline.ts";
import type { DurableReads } from "../durable-reads.ts";
import type { BlobStore, CollectedBlobs } from "../../ports/blob-store.ts";
import type { DaemonParts } from "../parts.ts";

export type CollectorOptions = Pick<DaemonParts, "store"> & {
  readonly mainlines: Pick<DaemonParts["mainlines"], "of">;
  readonly engine: Pick<DaemonParts["engine"], "subscribe">;
  readonly clock: Pick<Clock, "setTimer">;
  readonly reads: Pick<DurableReads, "read">;
  /** Scripts, and what comes along with tasks. */
  readonly blobs: Pick<BlobStore, "collect">;
  /** What the workspaces of this machine stand on. */
  readonly workspaces: { references(): Promise<References> };
};

export type CollectedOf = Collected & { readonly project: Project };

/** Whoever has written something says so well within this. */
const youngMs = 10 * 60_000;
/** How long after something became superfluous it is looked for. */
const laterMs = youngMs + 60_000;
const readEvents = 1000;
/** After these something may be superfluous that was not before. */
const freeing: ReadonlySet<string> = new Set([
  "trash.purged",
  "run.removed",
  "task.attached",
  "task.detached",
  "task.removed",
]);

export class Collector {
  readonly #options: CollectorOptions;
  readonly #unsubscribe: () => void;
  #line: Promise<unknown> = Promise.resolve();
  #cancel: (() => void) | undefined;
  #closed = false;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#unsubscribe = options.engine.subscribe((events) => {
      if (events.some(({ type }) => freeing.has(type))) this.#later();
    });
    // A daemon before this one may have had no time for it.
    this.#later();
  }

  /** Looks at one project or at all, one after another, and lets go of what nobody needs; or only says what that would be. */
  collect(only: string | null, dryRun: boolean): Promise<CollectedOf[]> {
    const turn = this.#line.then(() => this.#collect(only, dryRun));
    this.#line = turn.catch(() => undefined);
    return turn;
  }

  /** Scripts of runs that were removed, and what comes along with no task any more, or never did (TK11). */
  collectBlobs(dryRun: boolean): Promise<CollectedBlobs> {
    const turn = this.#line.then(async () => {
      const kept = await this.#durable(blobsIn);
      return await this.#options.blobs.collect({ kept, youngMs, dryRun });
    });
    this.#line = turn.catch(() => undefined);
    return turn;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    this.#cancel?.();
    await this.#line;
  }

  #later(): void {
    if (this.#cancel !== undefined || this.#closed) return;
    this.#cancel = this.#options.clock.setTimer(laterMs, () => {
      this.#cancel = undefined;
      // A disk or a git that is in the way now may not be so the next time.
      void Promise.all([this.collect(null, false), this.collectBlobs(false)]).catch(() => this.#later());
    });
  }

  async #collect(only: string | null, dryRun: boolean): Promise<CollectedOf[]> {
    const projects = await this.#durable((state) =>
      [...state.projects.values()].filter(({ id, removed }) => !removed && (only === null || only === id)),
    );
    const found: CollectedOf[] = [];
    for (const project of projects) {
      if (this.#closed) break;
      const mainline = await this.#options.mainlines.of(project).catch((error: unknown) => {
        // What cannot be opened is said to whoever asked for it, and keeps nobody else's garbage.
        if (only !== null || !(error instanceof Fault)) throw error;
      });
      if (mainline === undefined) continue;
      const kept = (): Promise<References> => this.#keptOf(project.root);
      found.push({ project, ...(await mainline.collect({ kept, youngMs, dryRun })) });
    }
    return found;
  }

  /** Everything that somebody may still ask for. What is written from now on, the mainline itself sees to. */
  async #keptOf(root: string): Promise<References> {
    // A workspace that is made meanwhile stands on commits that are named elsewhere, or were made just now.
    const kept = await this.#options.workspaces.references();
    const record = new RecordReferences();
    for await (const event of this.#log()) record.note(event);
    const named = await this.#durable((state) => [referencesIn(state, root), record.of(state, root)]);
    for (const each of named) kept.addAll(each);
    return kept;
  }

  async *#log(): AsyncIterable<Logged> {
    const { store } = this.#options;
    for (let after = 0; ;) {
      const stored = await store.read(after, readEvents);
      if (stored.length === 0) return;
      for (const each of stored) {
        const event = upgradeEvent(each);
        // One that a newer release wrote would have kept this one from starting.
        if ("atMs" in event) yield event;
        after = each.seq;
      }
      // The store answers at once, and others wait meanwhile.
      await new Promise(setImmediate);
    }
  }

  #durable<T>(view: (state: State) => T): Promise<T> {
    return new Promise((resolve, reject) => this.#options.reads.read(view, resolve, reject));
  }
}
