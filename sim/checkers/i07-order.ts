// I07, LS13 to LS15, LS18, LS25: every arrival stands where the rules put it, found here by trying every place; passes are
// counted, never beyond eight; a deadlock is refused exactly when there is one.

import type { Logged } from "../../src/core/events.ts";
import type { Checker, Watch } from "../world/watch.ts";
import { findPlace, passesMax, type ReferencePlace } from "./reference-place.ts";
import { hasRoom, inherits, isFamilyGrantable, leasesInTheWay, wouldYield, type Wanted } from "./reference.ts";

export function order(): Checker {
  return {
    name: "I07 order of claims",
    before: (event, watch) => {
      const wanted = arrivalOf(event, watch);
      if (wanted === undefined) return;
      const { model, report, sometimes } = watch;
      const project = model.projectOf(wanted.family);
      const place = findPlace(model, project, wanted);
      const refused = event.type === "claim.ended" && event.how === "refused";
      if (place.deadlock !== refused) {
        return report(
          "LS25",
          `claim ${wanted.id} was ${refused ? "" : "not "}refused for deadlock, and there is ${refused ? "none" : "one"}`,
        );
      }
      if (place.deadlock) {
        sometimes("deadlock refused");
        return checkCycle(event, wanted, watch);
      }
      if (place.stoppedBy !== null) sometimes(`placed further back because of ${place.stoppedBy}`);
      if (place.passed.length > 0) sometimes("priority pass counted");
      if (place.moved.length > 0) sometimes("holder placed ahead of those who wait for it");
      if (event.type === "claim.queued") {
        expectSame(watch, `claim ${wanted.id} stands after`, event.after, place.after);
        expectSame(watch, `claim ${wanted.id} moves`, event.moved, place.moved.length);
      }
      if (event.type === "claim.queued" || event.type === "lease.granted") {
        const passed = event.type === "claim.queued" ? event.passed : event.arrival?.passed;
        expectSame(watch, `claim ${wanted.id} passes`, passed, place.passed.length);
      }
      const granted = event.type === "lease.granted";
      if (granted !== canGrant(watch, event, wanted, place)) {
        report(
          "LS18",
          `claim ${wanted.id} ${granted ? "was granted although it has to wait" : "was not granted although nothing is in its way"}`,
        );
      }
      if (event.type === "claim.ended" && event.how === "busy") sometimes("try was busy");
    },
    after: (event, { model, report, sometimes }) => {
      if (event.type !== "claim.queued" && event.type !== "lease.granted") return;
      for (const claim of model.projectOf(event.family).queue) {
        if (claim.passes > passesMax) report("I07", `claim ${claim.id} was passed ${claim.passes} times`);
        if (claim.passes === passesMax) sometimes("pass limit reached");
      }
    },
  };
}

type Arrived = Wanted & { readonly priority: number; readonly slot: string | null };

/** The claim that this event says has arrived, if it does. */
function arrivalOf(event: Logged, { model }: Watch): Arrived | undefined {
  if (event.type === "claim.queued")
    return toWanted(event.claim, event.family, event.units, event.priority, event.slot);
  if (event.type === "lease.granted" && event.arrival !== null && !inherits(event)) {
    return toWanted(event.claim, event.family, event.units, event.arrival.priority, event.slot);
  }
  if (event.type === "claim.ended" && event.arrival !== null) {
    const { units, priority, slot } = event.arrival;
    return toWanted(event.claim, event.family, units, priority, slot);
  }
  return undefined;

  function toWanted(
    id: string,
    family: string,
    units: readonly string[],
    priority: number,
    slot: string | null,
  ): Arrived {
    return { id, family, units: units.map((text) => model.unit(family, text)), priority, slot };
  }
}

function canGrant(
  { model }: Watch,
  event: Logged,
  wanted: Arrived,
  place: ReferencePlace & { deadlock: false },
): boolean {
  if (place.ahead.length > 0 || !isFamilyGrantable(model.family(wanted.family))) return false;
  const inTheWay = leasesInTheWay(model.projectOf(wanted.family), wanted);
  if (!inTheWay.every((lease) => wouldYield(model, lease, event.atMs))) return false;
  return wanted.slot === null || hasRoom(model, wanted.slot);
}

/** The cycle in a refusal is one: each edge goes on from the one before, and the last comes back. */
function checkCycle(event: Logged, wanted: Arrived, { model, report }: Watch): void {
  if (event.type !== "claim.ended") return;
  const cycle = event.cycle ?? [];
  let at = wanted.family;
  for (const edge of cycle) {
    if (edge.from !== at || !model.families.has(edge.to))
      return report("LS25", `the cycle of claim ${wanted.id} is torn at ${edge.from}`);
    at = edge.to;
  }
  if (cycle.length < 2 || at !== wanted.family) report("LS25", `the cycle of claim ${wanted.id} does not come back`);
}

function expectSame({ report }: Watch, what: string, is: unknown, should: unknown): void {
  if (JSON.stringify(is) !== JSON.stringify(should))
    report("LS14", `${what} ${JSON.stringify(is)}, not ${JSON.stringify(should)}`);
}
