// Looks through the log of a real daemon for what must never be in one, with the simulator's own eyes: its model of the log
// and its checkers know nothing of the code that wrote it.

import { callsAreCovered } from "../../../sim/checkers/calls-are-covered.ts";
import { finishedRunsKeepChanges } from "../../../sim/checkers/finished-runs-keep-changes.ts";
import { noConflictingLeases } from "../../../sim/checkers/i01-no-conflicting-leases.ts";
import { fencesRise } from "../../../sim/checkers/i02-fences-rise.ts";
import { onlyTheHolderGivesBack } from "../../../sim/checkers/i04-only-the-holder-gives-back.ts";
import { noRenewalAfterExpiry } from "../../../sim/checkers/i05-no-renewal-after-expiry.ts";
import { aliveAtTheGrant } from "../../../sim/checkers/i06-alive-at-the-grant.ts";
import { claimsEndOnce } from "../../../sim/checkers/i10-claims-end-once.ts";
import { runsFollowTheArrows } from "../../../sim/checkers/runs-follow-the-arrows.ts";
import { Clerk } from "../../../sim/world/clerk.ts";
import type { Checker } from "../../../sim/world/watch.ts";
import type { Logged } from "../../../src/core/events.ts";

export type LogFindings = { readonly wrong: readonly string[]; readonly grants: number; readonly writes: number };

export function checkLog(events: readonly Logged[]): LogFindings {
  const wrong: string[] = [];
  const report = (kind: string, sentence: string): void => void wrong.push(`${kind}: ${sentence}`);
  const clerk = new Clerk({ report, nowMs: () => 0, tick: () => 0 });
  clerk.use([
    noConflictingLeases(),
    fencesRise(),
    onlyTheHolderGivesBack(),
    noRenewalAfterExpiry(),
    aliveAtTheGrant(),
    claimsEndOnce(),
    callsAreCovered(),
    runsFollowTheArrows(),
    finishedRunsKeepChanges(),
    writesAreHeld(),
  ]);
  for (const step of stepsOf(events))
    clerk.durable(
      step.map((event) => JSON.stringify(event)),
      step,
      () => undefined,
    );
  const grants = events.filter((event) => event.type === "lease.granted" && event.units.length > 0).length;
  return { wrong, grants, writes: events.filter(isWrite).length };
}

/** Whole steps: all of one step happens at one instant, and between its events nothing has to hold. */
function stepsOf(events: readonly Logged[]): Logged[][] {
  const steps: Logged[][] = [];
  for (const event of events) {
    const last = steps.at(-1);
    if (last?.[0]?.atMs === event.atMs) last.push(event);
    else steps.push([event]);
  }
  return steps;
}

/** I03: what was written was its writer's when that was recorded, and so was what became mainline. */
function writesAreHeld(): Checker {
  return {
    name: "I03 no stale write is taken",
    before: (event, { model, report }) => {
      const paths = event.type === "run.landed" ? event.entries.map(({ path }) => path) : changedIn(event);
      const run = "run" in event && typeof event.run === "string" ? model.runs.get(event.run) : undefined;
      if (run === undefined) return;
      for (const path of paths) {
        if (!model.holds(run.family, path))
          report("I03", `${event.type} of ${run.id} changes ${path}, which it does not hold`);
      }
    },
  };
}

/** What the door itself wrote; a command writes first, and is looked at afterwards. */
function changedIn(event: Logged): readonly string[] {
  return isWrite(event) ? event.changed.map(({ path }) => path) : [];
}

function isWrite(event: Logged): event is Logged & { type: "call.finished" } {
  if (event.type !== "call.finished" || !event.ok) return false;
  return ["write", "edit", "delete", "move", "patch"].includes(event.tool) && event.changed.length > 0;
}
