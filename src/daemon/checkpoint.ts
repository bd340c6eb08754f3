// How the workspace of a run stood after one of its calls, worked out from the log.

import type { Run } from "../core/run/run-state.ts";
import { isDirty, type Work } from "../core/workspace/workspace-state.ts";
import { protocolError } from "../protocol/errors.ts";
import type { LogEvent } from "../protocol/wire/log-event.ts";
import type { Context } from "./context.ts";
import { numberOfId } from "./number-of-id.ts";

/** What was changed, each path against its base, and the commit that all others stood at; null before it was made. */
export type Checkpoint = { readonly works: readonly Work[]; readonly commit: string | null };

const types = [
  "run.submitted",
  "call.",
  "run.moved",
  "run.stopped",
  "lease.ready",
  "paths.set-aside",
  "run.approved",
  "run.landed",
  "works.found",
  "rewind.begun",
  "run.rewound",
];

export async function checkpointAt(context: Context, run: Run, step: number): Promise<Checkpoint> {
  const fold = new WorkspaceFold(run.id);
  let reached: LogEvent | undefined;
  for await (const event of eventsSince(context, run)) {
    if (reached !== undefined) {
      // What the call brought about belongs to it: what it was not to change was set aside at once (LD15).
      if (event.atMs !== reached.atMs || event.type.startsWith("call.") || event.type === "rewind.begun") break;
      if (event.type === "paths.set-aside") fold.take(event);
      continue;
    }
    fold.take(event);
    const isEnd = event.type === "call.finished" || event.type === "call.refused";
    if (isEnd && event["run"] === run.id && event["call"] === step) reached = event;
  }
  if (reached === undefined) throw protocolError("not-found", { kind: "step", id: `${step} of ${run.id}` });
  return fold.checkpoint();
}

async function* eventsSince(context: Context, { id, project }: Run): AsyncIterable<LogEvent> {
  const to = context.parts.store.lastSeq;
  for (let after = (numberOfId(id) ?? 1) - 1, more = true; more;) {
    const page = await context.history.read(after, to, 1000, { project, types });
    yield* page.events;
    after = page.next;
    more = page.more;
  }
}

class WorkspaceFold {
  readonly #root: string;
  /** The run and its sub-runs: they share a workspace. */
  readonly #members: Set<string>;
  readonly #dirty = new Map<string, Work>();
  readonly #approved = new Map<string, Work["work"]>();
  #commit: string | null = null;

  constructor(root: string) {
    this.#root = root;
    this.#members = new Set([root]);
  }

  checkpoint(): Checkpoint {
    return { works: [...this.#dirty.values()], commit: this.#commit };
  }

  take(event: LogEvent): void {
    if (event.type === "run.submitted") return this.#begin(event);
    if (event.type === "lease.ready") return this.#ready(event);
    if (typeof event["run"] !== "string" || !this.#members.has(event["run"])) return;
    switch (event.type) {
      case "call.finished":
      case "run.stopped":
      case "works.found":
      case "run.rewound":
        return this.#note(event["works"] as readonly Work[]);
      case "paths.set-aside":
        for (const { path } of event["works"] as readonly Work[]) this.#dirty.delete(path);
        return;
      case "run.approved":
        this.#approved.clear();
        for (const { path, entry } of event["approved"] as readonly Landed[]) this.#approved.set(path, entry);
        return;
      case "run.landed":
        return this.#land(event["entries"] as readonly Landed[]);
      default:
        return;
    }
  }

  #begin(event: LogEvent): void {
    const { run, parent, sub, fork } = event as unknown as Submitted;
    if (sub && parent !== null && this.#members.has(parent)) this.#members.add(run);
    if (run !== this.#root || fork === undefined) return;
    this.#commit = fork.commit;
    this.#note(fork.works);
  }

  #ready(event: LogEvent): void {
    const { family, commit, works } = event as unknown as Ready;
    if (!family.startsWith(`${this.#root}.`) || commit === null) return;
    this.#commit = commit;
    this.#note(works);
  }

  #note(works: readonly Work[]): void {
    for (const work of works) {
      if (isDirty(work)) this.#dirty.set(work.path, work);
      else this.#dirty.delete(work.path);
    }
  }

  /** What was approved whole is clean; by hunk, the rest stays on what was approved (LD32). */
  #land(entries: readonly Landed[]): void {
    for (const { path } of entries) {
      const work = this.#dirty.get(path);
      const approved = this.#approved.get(path);
      if (work === undefined || approved === undefined) continue;
      this.#note([{ path, base: approved, work: work.work }]);
    }
  }
}

type Landed = { readonly path: string; readonly entry: Work["work"] };
type Ready = Checkpoint & { readonly family: string };
type Submitted = {
  readonly run: string;
  readonly parent: string | null;
  readonly sub: boolean;
  readonly fork?: Checkpoint;
};
