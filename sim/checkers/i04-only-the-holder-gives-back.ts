// I04, LS12, LS38: units are given back by the family that holds them, and not while they are landing.

import type { Checker } from "../world/watch.ts";

export function onlyTheHolderGivesBack(): Checker {
  /** What was given back in this batch: by whom, from which claims, and what was set aside. */
  let given: {
    readonly seq: number;
    readonly family: string;
    readonly claims: readonly string[];
    readonly setAside: number;
  }[] = [];
  return {
    name: "I04 only the holder gives back",
    before: (event, { model, report }) => {
      if (event.type === "lease.released") {
        const ids = event.units.map((text) => model.unit(event.family, text).id);
        const leases = model.leasesOf(event.family).filter((lease) => ids.includes(lease.unit.id));
        given.push({
          seq: event.seq,
          family: event.family,
          claims: leases.map((lease) => lease.claim),
          setAside: event.setAside.length,
        });
      }
      if (event.type !== "lease.released" && event.type !== "lease.yielded" && event.type !== "lease.shrunk") return;
      const family = model.family(event.family);
      const units = event.type === "lease.shrunk" ? event.gone : event.units;
      if (family.life === "over") report("I04", `${event.family} is over and gives back ${units.join(", ")}`);
      if (family.life === "landing") report("LS38", `${event.family} gives back ${units.join(", ")} while it lands`);
      const held = model.leasesOf(event.family);
      for (const text of units) {
        const { id } = model.unit(event.family, text);
        if (!held.some((lease) => lease.unit.id === id))
          report("I04", `${event.family} gives back ${text}, which it does not hold`);
      }
    },
    reply: ({ given: { input }, outcome, batch }, { model, report, sometimes }) => {
      given = given.filter((each) => each.seq > batch.fromSeq);
      if (input.type === "run.release" && outcome.ok && !input.setAside) {
        const own = given.filter((each) => each.family === input.family);
        if (own.length > 0 && own.every((each) => each.setAside > 0)) {
          report("LS12", `${input.family} gave back units with changes, and did not say that these may go`);
        }
      }
      if (input.type !== "lease.release" || !outcome.ok) return;
      const claim = model.claims.get(input.claim);
      const family = model.families.get(claim?.family ?? "");
      const before = claim?.states.findLast((each) => each.seq <= batch.fromSeq)?.state;
      if (family?.kind === "run" && before === "granted")
        report("I04", `someone outside gave back a claim of ${family.id}`);
      if (before !== undefined && before !== "queued" && before !== "granted") {
        report("I04", `claim ${input.claim} had ended as ${before} and was given back`);
      }
      const own = given.filter((each) => each.family === claim?.family);
      const only = own.some((each) => each.claims.every((id) => id === input.claim));
      if (input.units === null && before === "granted" && own.length > 0 && !only) {
        report("I04", `claim ${input.claim} was given back, and more with it`);
      }
      sometimes("released by claim");
    },
  };
}
