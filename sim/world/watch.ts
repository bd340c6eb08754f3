// What checkers may look at, and how they speak up. The world calls them; they never touch it.

import type { Act } from "../../src/core/acts.ts";
import type { Logged } from "../../src/core/events.ts";
import type { Given } from "../../src/core/inputs.ts";
import type { State } from "../../src/core/state.ts";
import type { Outcome } from "../../src/engine/engine.ts";
import type { Made } from "./depot.ts";
import type { LogModel } from "./log-model.ts";
import type { ModelUnit } from "./model-unit.ts";

export type Watch = {
  /** The log so far, worked out independently. */
  readonly model: LogModel;
  /** Something that must never happen has happened. The first one ends the world. */
  readonly report: (kind: string, sentence: string) => void;
  /** A branch that worth having been in was reached. */
  readonly sometimes: (name: string) => void;
  /** The virtual time. */
  readonly nowMs: () => number;
};

/** A durable append: events after `fromSeq` up to `toSeq`. */
export type Batch = { readonly fromSeq: number; readonly toSeq: number };

/** An answer that left the engine. */
export type Exchange = { readonly given: Given; readonly outcome: Outcome; readonly batch: Batch };

/** Something that was done to a shared thing: a file was written, a process started. */
export type Deed = {
  readonly kind: "write" | "process";
  readonly project: string;
  readonly unit: ModelUnit;
  readonly family: string;
  readonly fence: number;
  readonly run: string;
  readonly call: number;
  readonly node: string;
};

/** The engine as it stands after an open, or now and then. */
export type Standing = {
  readonly state: State;
  readonly nowMs: number;
  /** For how long the daemon has been open and its disk well. */
  readonly calmMs: number;
  /** For how long a question to this life of the engine has been without an answer while nothing was written. */
  readonly unansweredMs: number;
  /** The fold of the whole log, by the core. */
  readonly shadow: State;
  readonly texts: () => readonly string[];
};

export type Life = {
  readonly number: number;
  readonly bornMs: number;
  /** The last event and instant in the log when the life began to fold it. */
  readonly fromSeq: number;
};

/** One invariant. Every hook is optional. */
export type Checker = {
  readonly name: string;
  /** The model stands where it stood before this event. */
  readonly before?: (event: Logged, watch: Watch) => void;
  readonly after?: (event: Logged, watch: Watch) => void;
  /** A batch is durable. */
  readonly batch?: (batch: Batch, watch: Watch) => void;
  /** The text of each durable record. */
  readonly record?: (text: string, watch: Watch) => void;
  readonly reply?: (exchange: Exchange, watch: Watch) => void;
  readonly act?: (act: Act, watch: Watch) => void;
  readonly deed?: (deed: Deed, watch: Watch) => void;
  /** Mainline has moved. */
  readonly made?: (made: Made, watch: Watch) => void;
  readonly hear?: (events: readonly Logged[], to: "nodes" | "listeners", watch: Watch) => void;
  /** A life began; nothing was told to anyone yet. */
  readonly born?: (life: Life, watch: Watch) => void;
  readonly primed?: (state: State, watch: Watch) => void;
  readonly opened?: (standing: Standing, watch: Watch) => void;
  /** Now and then, while the engine is idle. */
  readonly sample?: (standing: Standing, watch: Watch) => void;
  /** At the end of each phase, while the engine is idle. */
  readonly phase?: (standing: Standing, watch: Watch) => void;
};
