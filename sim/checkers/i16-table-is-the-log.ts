// I16: the engine's table says what the log says when it is read by somebody else: who holds what, under which fence, and
// who waits behind whom.

import type { Work } from "../../src/core/workspace/workspace-state.ts";
import type { Checker, Standing, Watch } from "../world/watch.ts";
import { slotHolders } from "./reference.ts";

export function tableIsTheLog(): Checker {
  return { name: "I16 the table is the log", opened: compare, sample: compare, phase: compare };
}

function compare({ state }: Standing, { model, report }: Watch): void {
  for (const project of model.projects.values()) {
    const table = state.table.projects.get(project.id);
    const queue = table?.queue.map((claim) => `${claim.id} ${claim.passes} ${claim.slot ?? ""}`).join(", ");
    const should = project.queue.map((claim) => `${claim.id} ${claim.passes} ${claim.slot ?? ""}`).join(", ");
    if (queue !== should) report("I16", `the queue of ${project.id} is [${queue}], and the log says [${should}]`);
    if (table?.leases.size !== project.leases.length)
      report("I16", `${project.id} has ${table?.leases.size} leases indexed, not ${project.leases.length}`);
  }
  const held: string[] = [];
  for (const family of state.table.families.values()) {
    for (const lease of family.leases.values()) {
      held.push(`${family.id} ${lease.unit.text} ${lease.fence} ${lease.ready} ${lease.quarantined} ${lease.claim}`);
    }
    const known = model.families.get(family.id);
    if (family.kind === "run" && family.life !== "over") {
      const changed = [...family.dirty.keys()].toSorted().join(" ");
      const units = [...new Set(model.changedBy(family.id).map((unit) => unit.key.slice(0, -1)))].toSorted().join(" ");
      if (changed !== units) report("I16", `${family.id} has changed [${changed}], and the log says [${units}]`);
    }
    if (known?.life !== family.life) report("I16", `${family.id} is ${family.life}, and the log says ${known?.life}`);
    if (family.life === "live" && known?.expiresAtMs !== family.expiresAtMs) {
      report("I16", `${family.id} expires at ${family.expiresAtMs}, and the log says ${known?.expiresAtMs}`);
    }
    if ((family.life === "hold" || family.life === "paused") && known?.contestedSinceMs !== family.contestedSinceMs) {
      report(
        "LS35",
        `${family.id} is contested since ${family.contestedSinceMs}, and the log says ${known?.contestedSinceMs}`,
      );
    }
  }
  const should = [...model.projects.values()].flatMap((project) =>
    project.leases.map(
      (lease) => `${lease.family} ${lease.unit.text} ${lease.fence} ${lease.ready} ${lease.quarantined} ${lease.claim}`,
    ),
  );
  const is = held.toSorted();
  const want = should.toSorted();
  const at = is.findIndex((line, index) => line !== want[index]);
  if (is.length !== want.length || at >= 0)
    report("I16", `the table has the lease ${is[at] ?? "none"}, and the log ${want[at] ?? "none"}`);
  for (const run of model.runs.values()) {
    const known = state.runs.get(run.id);
    if (run.removed !== (known === undefined))
      report("I16", `run ${run.id} is ${known === undefined ? "gone" : "there"}`);
    if (known !== undefined && known.state !== run.state)
      report("I16", `run ${run.id} is ${known.state}, and the log says ${run.state}`);
    const changes = (works: Iterable<Work>): string =>
      [...works]
        .map(({ path, base, work }) => `${path} ${base} ${work}`)
        .toSorted()
        .join(", ");
    if (known !== undefined && changes(known.workspace.dirty.values()) !== changes(run.dirty.values()))
      report(
        "I16",
        `run ${run.id} has changed [${changes(known.workspace.dirty.values())}], the log says [${changes(run.dirty.values())}]`,
      );
    if (known !== undefined && known.landing?.candidate !== run.intent?.candidate)
      report(
        "I16",
        `run ${run.id} means to land ${known.landing?.candidate}, and the log says ${run.intent?.candidate}`,
      );
    if (known !== undefined && (known.approved?.length ?? -1) !== (run.approved?.length ?? -1))
      report("I16", `run ${run.id} is approved otherwise than the log says`);
    const limit = known?.settings?.maxTurns;
    if (known !== undefined && limit !== run.limits.get("maxTurns"))
      report("I16", `run ${run.id} has ${limit} turns, and the log says ${run.limits.get("maxTurns")}`);
    if (known !== undefined && known.callsDone !== run.callsDone)
      report("I16", `run ${run.id} has done ${known.callsDone} calls, and the log says ${run.callsDone}`);
  }
  const trash = [...state.trash.keys()].toSorted().join(", ");
  const kept = [...model.trash.keys()].toSorted().join(", ");
  if (trash !== kept) report("I16", `the trash has [${trash}], and the log says [${kept}]`);
  const working = slotHolders(model).length;
  const counted = state.slots.get(JSON.stringify([null, null, null, null])) ?? 0;
  if (working !== counted) report("LS21", `${counted} slots are counted as taken, and ${working} families are at work`);
}
