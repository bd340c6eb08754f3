import type { Act } from "../core/acts.ts";
import type { Logged } from "../core/events.ts";

/** The engine's line to the machines that act. What they report comes back as inputs. */
export interface NodeLink {
  /**
   * Durable events, in order, before anyone is told their outcome: a node must know of a grant before its holder does,
   * or it could not refuse an act that the grant has overtaken (LS29).
   */
  hear(events: readonly Logged[]): void;
  /** Does something in the world. It may come again after a restart, under the same id. */
  perform(act: Act): void;
}
