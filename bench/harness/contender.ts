// What the harness knows of the things it compares.

/** What was done in a slice. */
export type Work = {
  readonly ops: number;
  /** Answers that were not the wanted ones. They make a row worthless, so they are shown. */
  readonly errors: number;
  /** For rows about latency: one number per operation. */
  readonly latenciesUs?: readonly number[];
  /** The time that counts, where a slice does things that do not; otherwise the whole slice. */
  readonly countedMs?: number;
  /** For rows about the disk: what all operations of the slice together took of it. */
  readonly bytes?: number;
  /** For rows about memory: the most that one operation had at once. */
  readonly memoryBytes?: number;
  /** For rows about assistants: tool calls that all operations of the slice together took. */
  readonly calls?: number;
};

export type Contender = {
  readonly name: string;
  /** Works for about this long, then for as long as it takes to finish what is under way. */
  readonly work: (sliceMs: number) => Work | Promise<Work>;
  /** CPU spent so far by whoever does the work: a server, or this process. */
  readonly cpuMs: () => number;
};

/**
 * rate: operations per second. cpu: CPU per operation. p50, p99: latency. disk: bytes per operation. memory: the most bytes at
 * once. calls: tool calls per operation.
 */
export type Measure = "rate" | "cpu" | "p50" | "p99" | "disk" | "memory" | "calls";

/** What we aim at. A lower bound is held against the lower quartile, an upper one against the upper quartile. */
export type Aim = { readonly atLeast: number } | { readonly atMost: number };

/** Ours divided by theirs, in one measure. */
export type Comparison = {
  readonly against: string;
  readonly measure: Measure;
  readonly aim?: Aim;
};

export type Row = {
  readonly name: string;
  /** What is done and counted, in a few words. */
  readonly title: string;
  /** What one operation is, in the plural. */
  readonly ops: string;
  readonly ours: Contender;
  readonly others: readonly Contender[];
  readonly comparisons: readonly Comparison[];
  /** Contenders that could not be there, each with the reason. */
  readonly leftOut: readonly string[];
  /** Slices are this long unless the row needs more to say anything. */
  readonly sliceMs?: number;
  /** No more rounds than this, whoever asks for them. */
  readonly roundsMax?: number;
  readonly close: () => Promise<void> | void;
};
