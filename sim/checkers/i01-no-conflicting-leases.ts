// I01: no two families hold what excludes each other.

import type { Checker } from "../world/watch.ts";
import { conflict } from "../world/model-unit.ts";

export function noConflictingLeases(): Checker {
  return {
    name: "I01 no two leases conflict",
    after: (event, { model, report }) => {
      if (event.type !== "lease.granted" && event.type !== "lease.shrunk") return;
      const project = model.projectOf(event.family);
      const own = project.leases.filter((lease) => lease.family === event.family);
      for (const other of project.leases) {
        if (other.family === event.family) continue;
        const mine = own.find((lease) => conflict(lease.unit, other.unit));
        if (mine === undefined) continue;
        report("I01", `${event.family} holds ${mine.unit.text} while ${other.family} holds ${other.unit.text}`);
      }
    },
  };
}
