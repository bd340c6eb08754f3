// LS35 to LS37: a hold yields only when its patience is over, only to a claim that is granted by it, and whole: with every
// unit of its own that is in ancestor relation to what it yields.

import type { Logged } from "../../src/core/events.ts";
import { conflict } from "../world/model-unit.ts";
import type { Checker, Watch } from "../world/watch.ts";
import { wouldYield } from "./reference.ts";

type Yielded = Logged & { readonly type: "lease.yielded" };

export function holdsYieldFairly(): Checker {
  let yields: Yielded[] = [];
  return {
    name: "LS36 holds yield fairly",
    before: (event, watch) => {
      if (event.type === "lease.yielded") {
        yields.push(event);
        return checkYield(event, watch);
      }
      if (yields.length === 0) return;
      const [first] = yields;
      if (event.type !== "lease.granted" || event.claim !== first?.to) {
        watch.report("LS36", `${first?.family} yielded to ${first?.to}, which was not granted by it`);
      } else {
        for (const each of yields) checkNeeded(each, event, watch);
      }
      yields = [];
    },
    batch: (_, { report }) => {
      if (yields.length > 0)
        report("LS36", `${yields[0]?.family} yielded to ${yields[0]?.to}, which was not granted by it`);
      yields = [];
    },
  };
}

function checkYield(event: Yielded, { model, report, sometimes }: Watch): void {
  sometimes(`yielded: ${model.family(event.family).life}`);
  const held = model.leasesOf(event.family);
  const given = event.units.map((text) => model.unit(event.family, text));
  const going = held.filter((lease) => given.some((unit) => unit.id === lease.unit.id));
  for (const lease of going) {
    if (!wouldYield(model, lease, event.atMs))
      report("LS35", `${event.family} yielded ${lease.unit.text} before its patience was over`);
  }
  for (const lease of held) {
    if (going.includes(lease) || lease.unit.kind === "process") continue;
    if (given.some((unit) => conflict(unit, lease.unit)))
      report("LS37", `${event.family} yielded ${event.units.join(", ")} and kept ${lease.unit.text}`);
  }
  if (given.length > 1) sometimes("kin yielded");
}

/** What is yielded is in the claim's way, or in ancestor relation to something that is. */
function checkNeeded(event: Yielded, grant: Logged & { type: "lease.granted" }, { model, report }: Watch): void {
  const wanted = grant.units.map((text) => model.unit(grant.family, text));
  const given = event.units.map((text) => model.unit(event.family, text));
  const needed = new Set(given.filter((unit) => wanted.some((other) => conflict(unit, other))));
  for (const unit of needed) for (const other of given) if (conflict(unit, other)) needed.add(other);
  for (const unit of given)
    if (!needed.has(unit)) report("LS37", `${event.family} yielded ${unit.text}, which ${grant.claim} does not need`);
}
