// LD42: what people commit themselves stays in mainline's history, whatever lands around it.

import type { Depot } from "../world/depot.ts";
import type { SimRepo } from "../world/sim-repo.ts";
import type { Checker, Watch } from "../world/watch.ts";

export function handEditsStay(depot: Depot): Checker {
  const byHand: { readonly id: string; readonly repo: SimRepo }[] = [];
  const look = ({ report }: Watch): void => {
    for (const repo of depot.repos()) {
      const history = new Set([...repo.history()].map(({ id }) => id));
      for (const each of byHand) {
        if (each.repo === repo && !history.has(each.id))
          report("LD42", `${each.id} was committed by a person, and mainline no longer has it`);
      }
    }
  };
  return {
    name: "LD42 hand edits stay",
    made: ({ repo, commit }, watch) => {
      if (commit.by === null) {
        watch.sometimes("committed by hand");
        byHand.push({ id: commit.id, repo });
      } else if (byHand.length > 0) look(watch);
    },
    phase: (_, watch) => look(watch),
  };
}
