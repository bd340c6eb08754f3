// LS34: a run that finishes keeps exactly the paths it changed, as far as it held them, and nothing else.

import { allows } from "../world/model-unit.ts";
import type { Checker } from "../world/watch.ts";

export function finishedRunsKeepChanges(): Checker {
  return {
    name: "LS34 finished runs keep what they changed",
    before: (event, { model, report }) => {
      if (event.type !== "lease.shrunk") return;
      const held = model.leasesOf(event.family);
      const kept = event.kept.map((text) => model.unit(event.family, text));
      const changed = model.changedBy(event.family);
      for (const path of changed) {
        const had = held.some((lease) => allows(lease.unit, path));
        if (had && !kept.some((unit) => unit.id === path.id)) {
          report("LS34", `${event.family} changed ${path.text} and gives it back when it finishes`);
        }
      }
      for (const unit of kept) {
        const isChanged = changed.some((path) => path.id === unit.id);
        if (!isChanged) report("LS34", `${event.family} did not change ${unit.text} and keeps it when it finishes`);
      }
      const goes = event.gone.map((text) => model.unit(event.family, text).id);
      for (const lease of held) {
        const stays = kept.some((unit) => unit.id === lease.unit.id);
        if (stays === goes.includes(lease.unit.id))
          report("LS34", `${event.family} both keeps and gives back ${lease.unit.text}`);
      }
    },
  };
}
