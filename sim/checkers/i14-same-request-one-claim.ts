// I14, LS8: the same request is one claim and one run, also after a restart and after its end.

import type { Checker } from "../world/watch.ts";

export function sameRequestOneClaim(): Checker {
  const claims = new Map<string, string>();
  const runs = new Map<string, string>();
  /** What was asked for when a run was answered with its id for the first time. */
  const bodies = new Map<string, string>();
  /** The families of each outside name, in order. */
  const families = new Map<string, string[]>();
  const openedAt = new Map<string, number>();
  const answers = new Map<string, { readonly claim: string; readonly family: string; readonly body: string }>();
  return {
    name: "I14 same request, one claim",
    before: (event, { report, model }) => {
      if (event.type === "family.opened") {
        const name = `${event.project} ${event.holder}`;
        families.set(name, [...(families.get(name) ?? []), event.family]);
        openedAt.set(event.family, event.seq);
      }
      if (event.type === "run.submitted" && event.key !== null) {
        const name = `${event.project} ${event.key}`;
        const known = runs.get(name);
        if (known !== undefined && model.runs.get(known)?.removed !== true)
          report("I14", `run key ${event.key} made ${known} and ${event.run}`);
        runs.set(name, event.run);
      }
      const key =
        event.type === "claim.queued"
          ? event.key
          : event.type === "lease.granted" || event.type === "claim.ended"
            ? (event.arrival?.key ?? null)
            : null;
      if (key === null || !("claim" in event) || !("family" in event)) return;
      const name = `${event.family} ${key}`;
      const known = claims.get(name);
      if (known !== undefined) report("I14", `key ${key} of ${event.family} made ${known} and ${event.claim}`);
      if (event.claim !== null) claims.set(name, event.claim);
    },
    reply: ({ given: { input, actor }, outcome }, { model, report, sometimes }) => {
      if (input.type === "run.submit" && input.key !== null) {
        const body = JSON.stringify({ ...input, type: null });
        const name = `${input.project} ${input.key}`;
        const known = runs.get(name);
        if (outcome.ok && outcome.value.of === "id") {
          if (known !== outcome.value.id) return;
          const first = bodies.get(known) ?? body;
          if (first !== body)
            report("RN2", `run key ${input.key} was used for another run, and answered with ${known}`);
          bodies.set(known, first);
        } else if (!outcome.ok && outcome.refusal.code === "key-reused") {
          if (known !== undefined && bodies.get(known) === body)
            report("RN2", `run key ${input.key} made ${known}, and the same request was refused then`);
          sometimes("run key with other content");
        }
      }
      if (input.type !== "claim.make" || input.key === null || input.as === null) return;
      if (!outcome.ok || outcome.value.of !== "claim") return;
      const { claim, family } = outcome.value.claim;
      const name = `${actor} ${input.project} ${input.as} ${input.key}`;
      const body = JSON.stringify([input.units, input.priority]);
      const known = answers.get(name);
      answers.set(name, { claim, family, body });
      if (known === undefined) return;
      if (known.family === family && known.claim === claim) {
        if (known.body !== body)
          report("LS8", `key ${input.key} was used for another claim, and answered with ${claim}`);
        return sometimes("same request answered again");
      }
      // The name had no newer holder when it was asked again: the old outcome is the answer (LS8).
      const line = families.get(`${input.project} ${input.as}`) ?? [];
      const next = line[line.indexOf(known.family) + 1];
      const first = model.claims.get(claim)?.states[0]?.seq;
      if (known.body === body && next === family && first === (openedAt.get(family) ?? 0) + 1) {
        report("LS8", `key ${input.key} was answered with ${known.claim}, and then made ${claim}`);
      }
      if (model.families.get(known.family)?.life !== "over")
        report("I14", `key ${input.key} was answered with ${known.claim} and ${claim}`);
    },
  };
}
