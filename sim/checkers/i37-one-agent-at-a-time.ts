// I37 and exactly-once calls: only the newest family of a run acts, and the effect of a call happens at most once.

import { hasEnded } from "../world/run-model.ts";
import type { Checker } from "../world/watch.ts";

export function oneAgentAtATime(): Checker {
  const done = new Set<string>();
  const endedAt = new Map<string, number>();
  return {
    name: "I37 one agent at a time",
    before: (event) => {
      if (event.type === "family.ended") endedAt.set(event.family, event.seq);
    },
    reply: ({ given: { input }, outcome, batch }, { report, sometimes }) => {
      if (!("run" in input) || !("family" in input) || input.type === "run.driven") return;
      const ended = endedAt.get(input.family);
      if (ended === undefined || ended > batch.fromSeq) return;
      if (outcome.ok) report("I37", `${input.family} is over, and its driver was listened to (${input.type})`);
      else sometimes("overtaken driver refused");
    },
    deed: (deed, { model, report }) => {
      const run = model.runs.get(deed.run);
      if (run?.family !== deed.family)
        report("I37", `${deed.family} acts for ${deed.run}, which has become ${run?.family}`);
      const call = `${deed.run}#${deed.call}`;
      if (done.has(call)) report("RN", `call ${deed.call} of ${deed.run} was done twice`);
      done.add(call);
      // Ending a run takes until its node has proven it: what is on its way may still happen, under a lease.
      if (run !== undefined && hasEnded(run) && !run.stopped) return;
      if (run?.call?.number !== deed.call || !run.call.started)
        report("RN", `call ${deed.call} of ${deed.run} was done before the door opened`);
    },
  };
}
