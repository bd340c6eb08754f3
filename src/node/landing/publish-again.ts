// What has landed and is not published is tried again: soon, then less and less often, for as long as it is not there. What
// was in the way is on the person's side, and nobody tells us when it is gone.

import type { Logged } from "../../core/events.ts";
import type { Project } from "../../core/project/project.ts";
import type { State } from "../../core/state.ts";
import type { Clock } from "../../ports/clock.ts";
import { isPublished } from "./lander.ts";

export type PublishAgainOptions = {
  readonly state: () => State;
  readonly clock: Pick<Clock, "setTimer">;
  /** Looks at the person's side of a project. */
  readonly look: (project: Project) => Promise<void>;
  readonly onDefect: (error: unknown) => void;
};

const firstMs = 1000;
const lastMs = 30_000;

export class PublishAgain {
  readonly #options: PublishAgainOptions;
  readonly #waits = new Map<string, () => void>();
  #closed = false;

  constructor(options: PublishAgainOptions) {
    this.#options = options;
  }

  /** A daemon comes to know its projects: what landed just before the last one ended may not have been published. */
  begin(): void {
    for (const project of this.#options.state().projects.values())
      if (isLeft(project)) this.#lookNow(project.id, firstMs);
  }

  hear(event: Logged): void {
    if (event.type !== "mainline.published") return;
    this.#forget(event.project);
    if (event.not !== null) this.#later(event.project, firstMs);
  }

  close(): void {
    this.#closed = true;
    for (const project of [...this.#waits.keys()]) this.#forget(project);
  }

  #later(id: string, waitMs: number): void {
    if (this.#closed || this.#waits.has(id)) return;
    const next = Math.min(waitMs * 2, lastMs);
    this.#waits.set(
      id,
      this.#options.clock.setTimer(waitMs, () => this.#lookNow(id, next)),
    );
  }

  #lookNow(id: string, nextMs: number): void {
    this.#waits.delete(id);
    const project = this.#options.state().projects.get(id);
    if (this.#closed || project === undefined || !isLeft(project)) return;
    void this.#options
      .look(project)
      .catch((error: unknown) => {
        if (!this.#closed) this.#options.onDefect(error);
      })
      // The same answer as before is no news, and nobody hears of it.
      .finally(() => this.#later(id, nextMs));
  }

  #forget(id: string): void {
    this.#waits.get(id)?.();
    this.#waits.delete(id);
  }
}

function isLeft(project: Project): boolean {
  return !project.removed && !isPublished(project);
}
