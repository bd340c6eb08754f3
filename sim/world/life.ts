// One life of the daemon's process, from its start to its crash. A dead process does nothing any more: what its engine
// still computes reaches nobody.

/** Every step between an input and its acts at which the process can die. */
export const crashPoints = [
  "before-decide",
  "before-append",
  "during-append",
  "before-publish",
  "between-nodes-and-listeners",
  "before-reply",
  "between-replies",
  "before-acts",
  "between-acts",
  "during-load",
  "during-fold",
  "after-prime",
  "after-open",
  "anywhere",
] as const;

export type CrashPoint = (typeof crashPoints)[number];

export class Life {
  readonly number: number;
  readonly bornMs: number;
  alive = true;
  readonly #onCrash: (point: CrashPoint) => void;
  readonly #onDefect: (error: unknown) => void;
  #armed: CrashPoint | undefined;

  constructor(options: {
    readonly number: number;
    readonly bornMs: number;
    readonly onCrash: (point: CrashPoint) => void;
    readonly onDefect: (error: unknown) => void;
  }) {
    this.number = options.number;
    this.bornMs = options.bornMs;
    this.#onCrash = options.onCrash;
    this.#onDefect = options.onDefect;
  }

  /** The process will die when it next comes to this point. */
  arm(point: CrashPoint): void {
    this.#armed = point;
    if (point === "anywhere") this.end(point);
  }

  /** Says whether the process is dead now: it may just have died here. */
  reach(point: CrashPoint): boolean {
    if (this.alive && this.#armed === point) this.end(point);
    return !this.alive;
  }

  end(point: CrashPoint): void {
    if (!this.alive) return;
    this.alive = false;
    this.#onCrash(point);
  }

  /** Runs what belongs to this process. A defect stops it, and the world with it. */
  run(callback: () => void): void {
    if (!this.alive) return;
    try {
      callback();
    } catch (error) {
      this.#onDefect(error);
    }
  }
}
