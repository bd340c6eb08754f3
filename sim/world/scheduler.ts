// Virtual time. Everything that happens in the world is a job at an instant; jobs of one instant run in the order in which
// they were asked for, so that a seed always gives the same world.

export type Job = { readonly atMs: number; readonly number: number; run: (() => void) | undefined };

export class Scheduler {
  #nowMs = 0;
  #number = 0;
  readonly #heap: Job[] = [];

  /** Milliseconds since the world began. */
  get nowMs(): number {
    return this.#nowMs;
  }

  get size(): number {
    return this.#heap.length;
  }

  after(delayMs: number, run: () => void): Job {
    const job: Job = { atMs: this.#nowMs + Math.max(0, Math.ceil(delayMs)), number: this.#number++, run };
    this.#heap.push(job);
    this.#up(this.#heap.length - 1);
    return job;
  }

  /** A cancelled job stays in its place and does nothing. */
  cancel(job: Job): void {
    job.run = undefined;
  }

  /** Moves time on to the next job and runs it. Says whether there was one. */
  step(): boolean {
    for (;;) {
      const job = this.#take();
      if (job === undefined) return false;
      if (job.run === undefined) continue;
      this.#nowMs = job.atMs;
      job.run();
      return true;
    }
  }

  #take(): Job | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (first === undefined || last === undefined || first === last) return first;
    this.#heap[0] = last;
    this.#down();
    return first;
  }

  #up(from: number): void {
    const heap = this.#heap;
    const job = heap[from];
    if (job === undefined) return;
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = heap[above];
      if (other === undefined || !isBefore(job, other)) break;
      heap[at] = other;
      at = above;
    }
    heap[at] = job;
  }

  #down(): void {
    const heap = this.#heap;
    const job = heap[0];
    if (job === undefined) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      let least = heap[child];
      const right = heap[child + 1];
      if (least !== undefined && right !== undefined && isBefore(right, least)) {
        least = right;
        child++;
      }
      if (least === undefined || !isBefore(least, job)) break;
      heap[at] = least;
      at = child;
    }
    heap[at] = job;
  }
}

function isBefore(a: Job, b: Job): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.number < b.number);
}
