import type { Act } from "../core/acts.ts";
import type { Logged } from "../core/events.ts";
import type { State } from "../core/state.ts";

/** The engine's line to the machines that act. What they report comes back as inputs. */
export interface NodeLink {
  /** Tells where things stand, before anything else: who holds what, under which fence. */
  prime(state: State): void;
  /**
   * Durable events, in order, before anyone is told their outcome: a node must know of a grant before its holder does,
   * or it could not refuse an act that the grant has overtaken (LS29).
   */
  hear(events: readonly Logged[]): void;
  /** Does something in the world. It may come again after a restart, under the same id. */
  perform(act: Act): void;
}
