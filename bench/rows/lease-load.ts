// A core with many live leases, and the claims that come and go among them.

import { assert } from "../../src/base/assert.ts";
import { decide } from "../../src/core/decide.ts";
import type { Answer, Input } from "../../src/core/inputs.ts";
import { makeState, type State } from "../../src/core/state.ts";

const ttlMs = 3_600_000;
/** Distinct units that come and go: enough that none is held twice, few enough to be seen again. */
const comingUnits = 4096;
const holders = 100;
const startMs = 1_780_000_000_000;

/** A project that nobody lands in. */
export const benchProject = {
  type: "project.add",
  name: "bench",
  root: "/bench",
  foldCase: false,
  processes: {},
  source: { kind: "folder", branch: "main", author: { name: "bench", email: "bench@localhost" } },
  landingTest: null,
  commit: "0",
} as const satisfies Input;

export class LeaseLoad {
  readonly #state: State = makeState();
  readonly #project: string;
  readonly #units = Array.from({ length: comingUnits }, (_, at) => [pathOf("work", at)]);
  #next = 0;

  constructor(liveLeases: number) {
    this.#ask({ type: "engine.open", version: "bench", wallMs: startMs });
    const added = this.#ask(benchProject);
    assert(added.of === "id", "a project has an id");
    this.#project = added.id;
    for (let at = 0; at < liveLeases; at++) this.#claim(`holder-${at % holders}`, [pathOf("src", at)]);
  }

  /** One claim that is granted, and its release. */
  pair(): void {
    const at = this.#next++;
    const units = this.#units[at % comingUnits];
    assert(units !== undefined, "there are units");
    const claim = this.#claim(`worker-${at % holders}`, units);
    this.#ask({ type: "lease.release", claim, units: null });
  }

  #claim(as: string, units: readonly string[]): string {
    const project = this.#project;
    const answer = this.#ask({
      type: "claim.make",
      project,
      as,
      units,
      priority: 0,
      key: null,
      mode: "wait",
      ttlMs,
      waitMs: null,
    });
    assert(answer.of === "claim" && answer.claim.state === "granted", "nothing is in the way");
    return answer.claim.claim;
  }

  #ask(input: Input): Answer {
    const { result } = decide(this.#state, { actor: "person:bench", input }, startMs);
    assert(result.ok, "the bench asks for nothing that is refused");
    return result.value;
  }
}

/** Paths as a repository has them: a few levels, many folders. */
export function pathOf(top: string, at: number): string {
  return `file:${top}/part-${at % 97}/module-${at % 31}/file-${at}.ts`;
}
