// Changes of a run that were not its to make. They were set aside, and still stand in its workspace until they are put back.

import type { Logged } from "../../core/events.ts";
import type { Work } from "../../core/workspace/workspace-state.ts";
import type { DoorAnswer } from "../../ports/runner.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import { type Aside, withSetAside } from "./door-answer.ts";

export class Asides {
  readonly #putBack: (works: readonly Work[]) => Promise<void>;
  readonly #standing: Aside[] = [];

  constructor(putBack: (works: readonly Work[]) => Promise<void>) {
    this.#putBack = putBack;
  }

  hear(event: Logged): void {
    if (event.type !== "paths.set-aside") return;
    this.#standing.push(...event.works.map((work) => ({ work, why: event.why })));
  }

  /** They leave the workspace before the run goes on, and it is told with an answer. */
  async tellWith(answer: DoorAnswer): Promise<DoorAnswer> {
    const asides = [...this.#standing];
    if (asides.length === 0) return answer;
    try {
      await this.#putBack(asides.map(({ work }) => work));
      this.#standing.splice(0, asides.length);
    } catch (error) {
      // They are safe already; the next call tries again.
      if (!isOfTheWorld(error)) throw error;
    }
    return withSetAside(answer, asides);
  }
}
