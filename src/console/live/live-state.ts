// What the page knows. It is replaced, never changed, so that a view can tell by identity whether its part is new.

import type { AgentView } from "../../protocol/wire/agent.ts";
import type { Locks } from "../../protocol/wire/claim.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { Project } from "../../protocol/wire/project.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { Status } from "../../protocol/wire/status.ts";
import type { Saying } from "../../protocol/stream.ts";
import type { Tracks } from "./tracks.ts";

/** How the page stands with the daemon. Anything but `live` means that what is shown may be old. */
export type Link =
  | { readonly is: "loading" }
  | { readonly is: "live" }
  | { readonly is: "away"; readonly sinceWallMs: number; readonly seenWallMs: number }
  /** Not now at all: the world after an event. */
  | { readonly is: "past"; readonly seq: number; readonly atMs: number }
  | { readonly is: "signed-out" }
  | { readonly is: "failed"; readonly code: string; readonly message: string; readonly ways: readonly string[] };

/** How many runs there are, also beyond those that were fetched. */
export type Totals = { readonly active: number; readonly failed: number; readonly rest: number };

export type LiveState = {
  readonly link: Link;
  readonly status: Status | null;
  readonly projects: readonly Project[];
  /** All active runs up to a limit, and the newest of those that are over. */
  readonly runs: ReadonlyMap<string, Run>;
  readonly totals: Totals;
  /** Every living agent, by id. */
  readonly agents: ReadonlyMap<string, AgentView>;
  readonly locks: Locks;
  /** The newest first. */
  readonly events: readonly LogEvent[];
  readonly tracks: Tracks;
  /** Number of the newest event that the page has seen. */
  readonly seq: number;
  /** What assistants are just saying, by their runs. */
  readonly saying: ReadonlyMap<string, Saying["words"]>;
};

export const noLocks: Locks = { seq: 0, nowMs: 0, leases: [], queue: [], waits: [], truncated: false };

export const emptyState: LiveState = {
  link: { is: "loading" },
  status: null,
  projects: [],
  runs: new Map(),
  totals: { active: 0, failed: 0, rest: 0 },
  agents: new Map(),
  locks: noLocks,
  events: [],
  tracks: new Map(),
  seq: 0,
  saying: new Map(),
};
