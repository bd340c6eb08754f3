// What has to be done in the world. Acts follow from events once these are durable, and from the state after a restart;
// both give the same names, so that whoever does them can tell a repetition. Outcomes come back as inputs.

import type { Logged } from "./events.ts";
import { rewindName } from "./run/rewind-decide.ts";
import { actName, type Run } from "./run/run-state.ts";
import { isDriven, isOver } from "./run/run-states.ts";
import type { State } from "./state.ts";
import { compareIds } from "./step.ts";
import type { Work } from "./workspace/workspace-state.ts";

export type Act =
  /** Bring the paths of a grant in step; answered by `lease.refreshed`. */
  | {
      readonly type: "refresh";
      readonly id: string;
      readonly claim: string;
      readonly family: string;
      readonly project: string;
      readonly node: string;
      readonly units: readonly string[];
    }
  /** See that a driver works for the run; answered by `run.driven`. */
  | {
      readonly type: "drive";
      readonly id: string;
      readonly run: string;
      readonly family: string;
      readonly node: string;
    }
  /** Try the result; answered by `run.validated`. */
  | {
      readonly type: "validate";
      readonly id: string;
      readonly run: string;
      readonly node: string;
      readonly argv: readonly string[];
    }
  /** Bring the result home; answered by `run.landed`. */
  | { readonly type: "land"; readonly id: string; readonly run: string; readonly node: string }
  /** Take its workspace back to an earlier step; answered by `run.rewound`. */
  | {
      readonly type: "rewind";
      readonly id: string;
      readonly run: string;
      readonly node: string;
      readonly works: readonly Work[];
    }
  /** End everything of the run and prove it; answered by `run.stopped`. */
  | {
      readonly type: "stop";
      readonly id: string;
      readonly run: string;
      readonly node: string;
      /** Leaves no time to tidy up. */
      readonly force: boolean;
    };

/** Most events call for nothing, and share this. */
const none: readonly Act[] = [];

/** The acts that one durable event calls for. */
export function actsOf(state: State, event: Logged): readonly Act[] {
  switch (event.type) {
    case "lease.granted":
      return event.ready ? none : refreshOf(state, event.claim);
    case "run.moved": {
      const run = state.runs.get(event.run);
      // Later events of the same step may have moved it on; what counts is where it stands now.
      return run === undefined || run.sinceSeq !== event.seq ? [] : actsFor(state, run);
    }
    case "run.revived": {
      // Where it went on at once, the move says so.
      const run = state.runs.get(event.run);
      return run === undefined || !isDriven(run.state) || run.state === "running" ? [] : driveOf(run);
    }
    case "rewind.begun": {
      const run = state.runs.get(event.run);
      return run === undefined ? none : rewindOf(run);
    }
    default:
      return none;
  }
}

/** Everything that is still to be done, after a restart. */
export function actsPending(state: State): Act[] {
  const acts: Act[] = [];
  const claims = new Set<string>();
  for (const family of state.table.families.values()) {
    for (const lease of family.leases.values()) if (!lease.ready && !lease.quarantined) claims.add(lease.claim);
  }
  for (const claim of [...claims].toSorted(compareIds)) acts.push(...refreshOf(state, claim));
  for (const run of [...state.runs.values()].toSorted((a, b) => compareIds(a.id, b.id)))
    acts.push(...(isDriven(run.state) ? driveOf(run) : []), ...rewindOf(run), ...outcomesFor(state, run));
  return acts;
}

function actsFor(state: State, run: Run): Act[] {
  if (run.state === "starting" || run.state === "running") return driveOf(run);
  return outcomesFor(state, run);
}

function outcomesFor(state: State, run: Run): Act[] {
  const { node } = run;
  const id = actName(run);
  if (run.state === "validating") {
    const argv = state.tasks.get(run.task)?.acceptance ?? null;
    return argv === null ? [] : [{ type: "validate", id, run: run.id, node, argv }];
  }
  if (run.state === "landing") return [{ type: "land", id, run: run.id, node }];
  if (isOver(run.state) && run.startedAtMs !== null && !run.stopped) {
    return [{ type: "stop", id, run: run.id, node, force: run.forced }];
  }
  return [];
}

function driveOf(run: Run): Act[] {
  // Whoever is tried again later has no driver until then.
  if (run.startedAtMs === null || run.lost || run.delay !== null) return [];
  const id = `drive:${run.id}:${run.family}@${run.messages.length}`;
  return [{ type: "drive", id, run: run.id, family: run.family, node: run.node }];
}

function rewindOf({ id: run, node, rewinding }: Run): Act[] {
  if (rewinding === null) return [];
  return [{ type: "rewind", id: rewindName(run, rewinding), run, node, works: rewinding.works }];
}

function refreshOf(state: State, claim: string): Act[] {
  const record = state.table.claims.get(claim);
  const family = record === undefined ? undefined : state.table.families.get(record.family);
  if (record === undefined || family === undefined || family.life === "over") return [];
  const node = state.runs.get(family.holder)?.node ?? "local";
  return [
    {
      type: "refresh",
      id: `refresh:${claim}`,
      claim,
      family: family.id,
      project: family.project,
      node,
      units: record.units,
    },
  ];
}
