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
};

export const fullScale: Scale = { liveLeases: 100_000, logEvents: 100_000, filesMax: 100_000, workspaces: 100 };
export const tinyScale: Scale = { liveLeases: 2000, logEvents: 2000, filesMax: 50, workspaces: 2 };
