// LS3, LS29, LS43: the door opens only for what the family owns at that moment, under the fence it owns it by, and one
// process at a time runs under a unit.

import type { Checker } from "../world/watch.ts";
import { allows } from "../world/model-unit.ts";
import { rootOf } from "../world/run-model.ts";

export function callsAreCovered(): Checker {
  /** What the door took for one call alone, by run. */
  const taken = new Map<string, { readonly family: string; readonly unit: string; readonly fence: number }>();
  let finished: { readonly family: string; readonly unit: string; readonly fence: number }[] = [];
  return {
    name: "LS3 calls are covered",
    before: (event, { model, report }) => {
      if (event.type === "call.finished" || event.type === "call.refused") {
        const call = model.runs.get(event.run)?.callsDone;
        if (call !== event.call) report("RN", `call ${event.call} of ${event.run} ends, and number ${call} is next`);
      }
      if (event.type === "call.finished") {
        const mine = taken.get(event.run);
        if (mine !== undefined) finished.push(mine);
        taken.delete(event.run);
      }
      if (event.type !== "call.started") return;
      const run = model.runs.get(event.run);
      if (run === undefined) return;
      if (run.state !== "running") report("RN", `call ${event.call} of ${run.id} starts while that is ${run.state}`);
      taken.delete(run.id);
      if (event.taken !== null) {
        const fence = event.fences[event.units.indexOf(event.taken)] ?? 0;
        taken.set(run.id, { family: run.family, unit: event.taken, fence });
      }
      const leases = model.leasesOf(run.family).filter((lease) => !lease.quarantined && lease.ready);
      event.units.forEach((text, at) => {
        const unit = model.unit(run.family, text);
        const fences = leases.filter((lease) => allows(lease.unit, unit)).map((lease) => lease.fence);
        const best = Math.max(0, ...fences);
        if (best === 0) report("LS3", `call ${event.call} of ${run.id} starts on ${text}, which it does not own`);
        else if (event.fences[at] !== best)
          report("LS29", `call ${event.call} of ${run.id} acts under fence ${event.fences[at]}, not ${best}`);
      });
      if (event.tool !== "process") return;
      for (const other of model.runs.values()) {
        if (other === run || other.family !== run.family || rootOf(model, other) !== rootOf(model, run)) continue;
        const busy =
          other.call?.started === true &&
          other.call.tool === "process" &&
          other.call.units.some((unit) => event.units.includes(unit));
        if (busy)
          report("LS43", `call ${event.call} of ${run.id} starts ${event.units.join(", ")} while ${other.id} runs it`);
      }
    },
    batch: (_, { model, report }) => {
      for (const { family, unit, fence } of finished) {
        const kept = model.leasesOf(family).some((lease) => lease.unit.text === unit && lease.fence === fence);
        if (kept) report("LS43", `${family} keeps ${unit}, which was taken for one call that is over`);
      }
      finished = [];
    },
  };
}
