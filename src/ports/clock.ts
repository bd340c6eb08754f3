/** Time. The core never sees it; the engine turns it into engine time. */
export interface Clock {
  /** Rises steadily, from an arbitrary start; a jump of the wall clock does not touch it. */
  monotonicMs(): number;
  /** What a person's watch says: only ever shown, never decided upon. */
  wallMs(): number;
  /** Calls back once after the delay, unless the returned function was called before. */
  setTimer(delayMs: number, callback: () => void): () => void;
  /** Calls back soon, after what is under way. */
  defer(callback: () => void): void;
}
