import type { CageOrder, KeeperOp } from "../../protocol/keeper/keeper-wire.ts";

/**
 * A line to the keeper of one agent. It connects again when the connection breaks, and where its keeper was lost there is
 * another one in the same place. Once the agent was ended it leads nowhere: a Fault `keeper-gone`.
 */
export interface KeeperLine {
  request(op: KeeperOp, signal?: AbortSignal): Promise<unknown>;
  /** Lets go of the line; the keeper goes on. */
  close(): void;
}

/** The keepers of this machine, also those that an earlier daemon started. */
export interface Keepers {
  /** Makes an agent's place, in the keeper that it has or else in a new one. */
  open(order: CageOrder): Promise<KeeperLine>;
  /** Ends an agent's keeper with everything in it, and resolves when that is proven, also where it had died by itself. */
  end(agent: string, graceMs: number): Promise<void>;
}
