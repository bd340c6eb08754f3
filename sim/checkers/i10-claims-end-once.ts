// I10, LS7, LS31: a claim ends exactly once, in one of the seven ways, and by the rule for that way.

import type { Checker } from "../world/watch.ts";

export function claimsEndOnce(): Checker {
  return {
    name: "I10 a claim ends once",
    before: (event, { model, report, sometimes }) => {
      if (event.type !== "claim.ended" && event.type !== "lease.granted" && event.type !== "claim.queued") return;
      const last = model.claims.get(event.claim)?.states.at(-1)?.state;
      const arrives = event.type === "claim.queued" || event.arrival !== null;
      if (arrives && last !== undefined) report("I10", `claim ${event.claim} arrived twice`);
      if (!arrives && last !== "queued")
        report("I10", `claim ${event.claim} ended as ${last ?? "unknown"} and ends again`);
      if (event.type !== "claim.ended") return;
      sometimes(`claim ended: ${event.how}`);
      const claim = model.projectOf(event.family).queue.find((each) => each.id === event.claim);
      if (event.how === "timed-out" && (claim?.deadlineAtMs ?? Number.POSITIVE_INFINITY) > event.atMs) {
        report("LS7", `claim ${event.claim} timed out before its deadline`);
      }
    },
    batch: (_, { model, report }) => {
      for (const project of model.projects.values()) {
        for (const claim of project.queue) {
          if (claim.deadlineAtMs !== null && claim.deadlineAtMs <= model.atMs) {
            report("LS7", `claim ${claim.id} still waits after its deadline`);
          }
          const { life } = model.family(claim.family);
          if (life === "over") report("LS31", `claim ${claim.id} of ${claim.family} waits although that is over`);
          if (life === "paused") report("LS20", `claim ${claim.id} of ${claim.family} waits although that is paused`);
        }
      }
    },
  };
}
