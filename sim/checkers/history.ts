// A short history for a test: events are numbered and stamped, checkers watch, and what they report is collected.

import type { Event, Logged } from "../../src/core/events.ts";
import { Clerk } from "../world/clerk.ts";
import type { Checker } from "../world/watch.ts";

type Stamp = { readonly atMs?: number; readonly actor?: string; readonly cause?: number | null };

export class History {
  readonly reports: string[] = [];
  readonly clerk: Clerk;
  #seq = 0;
  #nowMs = 0;

  constructor(...checkers: readonly Checker[]) {
    const report = (kind: string, sentence: string): void => void this.reports.push(`${kind}: ${sentence}`);
    this.clerk = new Clerk({ report, nowMs: () => this.#nowMs, tick: () => 0 });
    this.clerk.use(checkers);
    this.clerk.born({ number: 1, bornMs: 0, fromSeq: 0 });
  }

  /** Appends one batch. */
  add(...events: readonly (Event & Stamp)[]): this {
    const logged = events.map((event): Logged => {
      const { atMs = 1000 + this.#seq, actor = "system", cause = null } = event;
      return { ...event, seq: ++this.#seq, atMs, actor, cause };
    });
    this.#nowMs = Math.max(this.#nowMs, ...logged.map((event) => event.atMs));
    const texts = logged.map((event) => JSON.stringify(event));
    this.clerk.durable(texts, logged, () => undefined);
    return this;
  }

  /** A project with two holders from outside, A and B. */
  begin(): this {
    const processes = {};
    const source = { kind: "git", branch: "main", author: { name: "Ann", email: "ann@example.org" } } as const;
    const history = { source, landingTest: null, commit: "m0" };
    return this.add(
      { type: "project.added", v: 1, project: "p", name: "p", root: "/p", foldCase: false, processes, ...history },
      opened("A"),
      opened("B"),
    );
  }
}

export function opened(family: string, kind: "run" | "outside" = "outside"): Event {
  const holder = kind === "run" ? family.replace(/\.\d+$/, "") : family;
  return {
    type: "family.opened",
    v: 1,
    family,
    project: "p",
    holder,
    kind,
    ttlMs: 30_000,
    expiresAtMs: 60_000,
    patienceMs: null,
  };
}

export function granted(
  claim: string,
  family: string,
  units: readonly string[],
  fence: number,
  atMs: number,
): Event & Stamp {
  const fences = units.map((_, at) => fence + at);
  const arrival = { priority: 0, key: null, passed: 0 };
  const expiresAtMs = atMs + 30_000;
  return {
    type: "lease.granted",
    v: 1,
    claim,
    family,
    project: "p",
    units,
    fences,
    expiresAtMs,
    ready: true,
    slot: null,
    arrival,
    atMs,
  };
}

export function queued(
  claim: string,
  family: string,
  units: readonly string[],
  more: Partial<Event & { type: "claim.queued" }> = {},
): Event {
  return {
    type: "claim.queued",
    v: 1,
    claim,
    family,
    project: "p",
    units,
    priority: 0,
    key: null,
    slot: null,
    deadlineAtMs: null,
    after: null,
    moved: 0,
    passed: 0,
    behind: [],
    ...more,
  };
}

export function submitted(run: string, more: Partial<Event & { type: "run.submitted" }> = {}): Event {
  return {
    type: "run.submitted",
    v: 1,
    run,
    task: "t",
    project: "p",
    title: run,
    runner: "script",
    profile: null,
    node: "n1",
    priority: 0,
    tags: [],
    plan: [],
    dependsOn: [],
    script: null,
    parent: null,
    sub: false,
    retryOf: null,
    key: null,
    policy: "built-in",
    ...more,
  };
}

export function moved(run: string, from: string, to: string): Event {
  return { type: "run.moved", v: 1, run, from, to, because: null, policy: null } as Event;
}
