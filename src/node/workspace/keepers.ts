import type { CageOrder, KeeperOp, WorkspaceOrder } from "../../protocol/keeper/keeper-wire.ts";

/**
 * A line to the keeper of one agent. It connects again when the connection breaks, and where its keeper was lost there is
 * another one in the same place. Once the agent was ended it leads nowhere: a Fault `keeper-gone`.
 */
export interface KeeperLine {
  /** That of the keeper which answered last: in it lies what an answer speaks of. One that lends no files has none. */
  readonly folder?: string | undefined;
  request(op: KeeperOp, signal?: AbortSignal): Promise<unknown>;
  /** Lets go of the line; the keeper goes on. */
  close(): void;
}

/** A keeper that has a workspace mounted for whoever comes. */
export interface KeeperAhead {
  readonly isAlive: boolean;
  /** Ends it. Resolves when nothing is mounted any more. */
  discard(): Promise<void>;
}

/** The keepers of this machine, also those that an earlier daemon started. */
export interface Keepers {
  /** Makes an agent's place, in the keeper that it has or else in a new one: the one that was made ready for it, if there is one. */
  open(order: CageOrder, ahead?: KeeperAhead): Promise<KeeperLine>;
  /** Has one of those that wait mount a workspace for whoever comes; undefined where none can be spared. */
  ahead?(workspace: WorkspaceOrder): Promise<KeeperAhead | undefined>;
  /** Ends an agent's keeper with everything in it, and resolves when that is proven, also where it had died by itself. */
  end(agent: string, graceMs: number): Promise<void>;
}
