// I12: what a dead holder had is free within its time to live and one tick. Processes stay closed until somebody proves
// them dead.

import type { Checker, Watch } from "../world/watch.ts";
import { hasEnded, isAtWork } from "../world/run-model.ts";
import { inherits } from "./reference.ts";

/** Timers come late and appends take time: that much is allowed beyond the last event. */
const slackMs = 12_000;

export function freeInTime(): Checker {
  return {
    name: "I12 free in time",
    before: (event, { model, report, sometimes }) => {
      if (event.type === "family.ended") {
        sometimes(`family ended: ${event.why}`);
        const run = model.runs.get(model.family(event.family).holder);
        const mayRun = event.why === "expired" || (run !== undefined && run.started && run.state !== "done");
        for (const lease of model.leasesOf(event.family)) {
          const closed = event.quarantined.includes(lease.unit.text);
          if (closed && lease.unit.kind !== "process")
            report("I12", `${lease.unit.text} needs no proof and stays closed`);
          if (!closed && lease.unit.kind === "process" && mayRun)
            report("LS32", `${lease.unit.text} of ${event.family} is open without proof`);
          if (!closed && !event.freed.includes(lease.unit.text))
            report("I12", `${lease.unit.text} of ${event.family} was forgotten`);
        }
        if (event.quarantined.length > 0) sometimes("process quarantined");
      }
      if (event.type === "lease.granted" && inherits(event)) {
        sometimes("process inherited");
        for (const text of event.units) {
          const unit = model.unit(event.family, text);
          const left = model
            .projectOf(event.family)
            .leases.find((each) => each.quarantined && each.unit.id === unit.id);
          const former = left === undefined ? undefined : model.family(left.family).holder;
          if (former !== model.family(event.family).holder)
            report("LS32", `${event.family} inherits ${text}, which ${former ?? "nobody"} left`);
        }
      }
      if (event.type === "unit.cleared") {
        sometimes(`quarantine cleared by ${event.by}`);
        const unit = model.unit(event.family, event.unit);
        const lease = model.leasesOf(event.family).find((each) => each.unit.id === unit.id);
        if (lease?.quarantined !== true)
          report("LS32", `${event.unit} of ${event.family} was cleared and was not closed`);
      }
    },
    batch: (_, watch) => overdue(watch, watch.model.atMs, 0),
    sample: ({ nowMs, calmMs, unansweredMs }, watch) => {
      if (calmMs > slackMs) overdue(watch, nowMs, slackMs);
      if (calmMs > slackMs && unansweredMs > slackMs)
        watch.report("I10", `somebody waits ${unansweredMs} ms for an answer`);
    },
  };
}

function overdue({ model, report }: Watch, nowMs: number, allowedMs: number): void {
  for (const family of model.families.values()) {
    if (family.life === "live" && family.expiresAtMs + allowedMs <= nowMs) {
      report("I12", `${family.id} expired at ${family.expiresAtMs} and still holds its place at ${nowMs}`);
    }
  }
  for (const run of model.runs.values()) {
    if (hasEnded(run) || run.removed) continue;
    if (isAtWork(run) && run.limitAtMs !== null && run.limitAtMs + allowedMs <= nowMs) {
      report("SC", `run ${run.id} is ${run.state} after its time was up`);
    }
    if (run.state === "blocked" && run.sinceMs + 20_000 + allowedMs <= nowMs)
      report("LS39", `run ${run.id} keeps its slot while it waits`);
  }
}
