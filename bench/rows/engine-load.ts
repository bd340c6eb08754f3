// An engine with its log on disk, and writers that claim and release. No socket: this is about the engine.

import { assert } from "../../src/base/assert.ts";
import { systemClock } from "../../src/adapters/clock/system-clock.ts";
import { SqliteStore } from "../../src/adapters/store/sqlite-store.ts";
import type { Answer, Input, MakeClaim } from "../../src/core/inputs.ts";
import { defaultEngineOptions, Engine } from "../../src/engine/engine.ts";
import type { EventStore } from "../../src/ports/event-store.ts";
import type { NodeLink } from "../../src/ports/node-link.ts";
import { benchProject, pathOf } from "./lease-load.ts";

const ttlMs = 3_600_000;
const nobody: NodeLink = { prime: () => undefined, hear: () => undefined, perform: () => undefined };

export class EngineLoad {
  readonly engine: Engine;
  readonly #project: string;
  /** What each writer asks for, over and over. */
  readonly #claims: MakeClaim[] = [];
  /** What each writer holds at the moment. */
  readonly #held: (string | undefined)[] = [];

  private constructor(engine: Engine, project: string) {
    this.engine = engine;
    this.#project = project;
  }

  static async open(store: EventStore, options: { readonly snapshotEvery?: number } = {}): Promise<EngineLoad> {
    const ports = { store, clock: systemClock, nodes: nobody };
    const engine = await Engine.open(ports, { ...defaultEngineOptions, ...options, version: "bench" });
    const added = await ask(engine, benchProject);
    assert(added?.of === "id", "a project has an id");
    return new EngineLoad(engine, added.id);
  }

  static openStore(file: string): SqliteStore {
    return SqliteStore.open({ path: file });
  }

  /** One durable event: the writer claims its unit, or gives it back. */
  async step(writer: number): Promise<boolean> {
    const held = this.#held[writer];
    if (held !== undefined) {
      this.#held[writer] = undefined;
      return (await ask(this.engine, { type: "lease.release", claim: held, units: null })) !== undefined;
    }
    const answer = await ask(this.engine, (this.#claims[writer] ??= claimOf(this.#project, writer)));
    if (answer?.of !== "claim" || answer.claim.state !== "granted") return false;
    this.#held[writer] = answer.claim.claim;
    return true;
  }
}

function claimOf(project: string, writer: number): MakeClaim {
  return {
    type: "claim.make",
    project,
    as: `writer-${writer}`,
    units: [pathOf("work", writer)],
    priority: 0,
    key: null,
    mode: "wait",
    ttlMs,
    waitMs: null,
  };
}

function ask(engine: Engine, input: Input): Promise<Answer | undefined> {
  return new Promise((resolve) =>
    engine.submit({ actor: "person:bench", input }, (outcome) => resolve(outcome.ok ? outcome.value : undefined)),
  );
}
