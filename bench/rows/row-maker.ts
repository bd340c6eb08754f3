import type { Row } from "../harness/contender.ts";
import type { ProgramName } from "../peers/programs.ts";
import type { Peers } from "../peers/peers.ts";

/** A row before its peers are started. */
export type RowMaker = {
  readonly name: string;
  /** Programs that it compares with, when they are there. */
  readonly programs: readonly ProgramName[];
  /** The assistant without which there is nothing to compare. */
  readonly assistant?: "claude";
  readonly make: (peers: Peers, scale: Scale) => Promise<Row>;
};

/** How much is prepared for a row: everything, or enough to see that it works. */
export type Scale = {
  readonly liveLeases: number;
  readonly logEvents: number;
  /** The most files that a repository gets. */
  readonly filesMax: number;
  readonly workspaces: number;
  /** Processes that are supervised at once. */
  readonly processes: number;
  /** How long each of them lives before anything is done to it: one that dies within a second is held to be broken, and waits. */
  readonly livedMs: number;
  /** How long idleness is looked at. */
  readonly idleMs: number;
  /** What a terminal says in one go. */
  readonly terminalBytes: number;
};

export const fullScale: Scale = {
  ...{ liveLeases: 100_000, logEvents: 100_000, filesMax: 100_000, workspaces: 100 },
  ...{ processes: 100, livedMs: 1100, idleMs: 2000, terminalBytes: 4_000_000 },
};
export const tinyScale: Scale = {
  ...{ liveLeases: 2000, logEvents: 2000, filesMax: 50, workspaces: 2 },
  ...{ processes: 4, livedMs: 20, idleMs: 20, terminalBytes: 100_000 },
};
