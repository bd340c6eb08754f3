// A real engine over a log in memory, with a node that only takes notes of what it is told, and when.

import assert from "node:assert/strict";
import { MemoryStore, makeMemoryDisk, type MemoryDisk } from "../../src/adapters/store/memory-store.ts";
import type { Act } from "../../src/core/acts.ts";
import type { Logged } from "../../src/core/events.ts";
import type { Answer, ClaimAnswer, Input, MakeClaim, SubmitRun } from "../../src/core/inputs.ts";
import type { State } from "../../src/core/state.ts";
import { Engine, type EngineOptions, type Outcome } from "../../src/engine/engine.ts";
import type { NodeLink } from "../../src/ports/node-link.ts";
import { toProject } from "./core-world.ts";
import { TestClock } from "./test-clock.ts";
import { TroubledStore } from "./troubled-store.ts";

/** What happened around the engine, in the order in which it happened. */
export type Note =
  | { readonly what: "prime"; readonly seq: number }
  | { readonly what: "hear" | "listener"; readonly events: readonly Logged[] }
  | { readonly what: "reply"; readonly outcome: Outcome }
  | { readonly what: "act"; readonly act: Act };

export class NotingLink implements NodeLink {
  readonly notes: Note[] = [];

  prime(state: State): void {
    this.notes.push({ what: "prime", seq: state.seq });
  }

  hear(events: readonly Logged[]): void {
    this.notes.push({ what: "hear", events });
  }

  perform(act: Act): void {
    this.notes.push({ what: "act", act });
  }

  get acts(): Act[] {
    return this.notes.flatMap((note) => (note.what === "act" ? note.act : []));
  }

  get heard(): Logged[] {
    return this.notes.flatMap((note) => (note.what === "hear" ? note.events : []));
  }
}

export type RigParts = {
  readonly disk?: MemoryDisk;
  readonly clock?: TestClock;
  readonly options?: Partial<EngineOptions>;
  /** Troubles that begin before the engine is opened. */
  readonly prepare?: (store: TroubledStore) => void;
  /** Shows the node, also when the engine does not open. */
  readonly onLink?: (link: NotingLink) => void;
};

export class EngineRig {
  readonly disk: MemoryDisk;
  readonly clock: TestClock;
  readonly store: TroubledStore;
  readonly link: NotingLink;
  readonly engine: Engine;

  private constructor(
    parts: { disk: MemoryDisk; clock: TestClock; store: TroubledStore; link: NotingLink },
    engine: Engine,
  ) {
    this.disk = parts.disk;
    this.clock = parts.clock;
    this.store = parts.store;
    this.link = parts.link;
    this.engine = engine;
  }

  static async open(given: RigParts = {}): Promise<EngineRig> {
    const { disk = makeMemoryDisk(), clock = new TestClock() } = given;
    const store = new TroubledStore(new MemoryStore(disk));
    given.prepare?.(store);
    const link = new NotingLink();
    given.onLink?.(link);
    const options = { version: "test", inboxMax: 1000, batchMax: 100, snapshotEvery: 1_000_000, ...given.options };
    const engine = await Engine.open({ store, clock, nodes: link }, options);
    return new EngineRig({ disk, clock, store, link }, engine);
  }

  /** What happened since, with replies and subscribers in it. */
  get notes(): readonly Note[] {
    return this.link.notes;
  }

  /** Takes note of what subscribers hear, too. */
  listen(): Logged[] {
    const heard: Logged[] = [];
    this.engine.subscribe((events) => {
      heard.push(...events);
      this.link.notes.push({ what: "listener", events });
    });
    return heard;
  }

  give(input: Input, actor = "person:eva"): Promise<Outcome> {
    return new Promise((resolve) =>
      this.engine.submit({ actor, input }, (outcome) => {
        this.link.notes.push({ what: "reply", outcome });
        resolve(outcome);
      }),
    );
  }

  async ok(input: Input, actor?: string): Promise<Answer> {
    const outcome = await this.give(input, actor);
    assert(outcome.ok, `refused: ${JSON.stringify(outcome)}`);
    return outcome.value;
  }

  async id(input: Input): Promise<string> {
    const answer = await this.ok(input);
    assert(answer.of === "id", `no id: ${answer.of}`);
    return answer.id;
  }

  project(name = "p"): Promise<string> {
    return this.id(toProject(name));
  }

  async claim(more: Partial<MakeClaim> & { readonly project: string }): Promise<ClaimAnswer> {
    return claimOf(await this.give(toClaim(more)));
  }

  run(project: string, more: Partial<SubmitRun> = {}): Promise<string> {
    return this.id(toSubmit(project, more));
  }
}

export function claimOf(outcome: Outcome): ClaimAnswer {
  assert(outcome.ok && outcome.value.of === "claim", `no claim: ${JSON.stringify(outcome)}`);
  return outcome.value.claim;
}

export function toClaim(more: Partial<MakeClaim> & { readonly project: string }): MakeClaim {
  const body = {
    as: "eva",
    units: ["file:a"],
    priority: 0,
    key: null,
    mode: "wait",
    ttlMs: 60_000,
    waitMs: null,
  } as const;
  return { type: "claim.make", ...body, ...more };
}

export function toSubmit(project: string, more: Partial<SubmitRun> = {}): SubmitRun {
  return {
    type: "run.submit",
    project,
    title: "a task",
    description: "",
    acceptance: null,
    runner: "script",
    profile: null,
    node: "local",
    priority: 0,
    tags: [],
    plan: [],
    dependsOn: [],
    script: null,
    parent: null,
    sub: false,
    key: null,
    ...more,
  };
}

/** Lets everything that is ready to happen happen, timers aside. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve));
}
