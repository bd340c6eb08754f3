// I13, I17, LS7, LS9: an answer says what the log says, and nothing is said that is not durable.

import type { ClaimAnswer } from "../../src/core/inputs.ts";
import type { Batch, Checker, Watch } from "../world/watch.ts";

export function repliesEqualTheLog(): Checker {
  const policies = new Set<string>();
  const agents = new Set<string>();
  const terminals = new Set<string>();
  return {
    name: "I13 replies equal the log",
    after: (event) => {
      if (event.type === "policy.set") policies.add(event.policy.name);
      if (event.type === "agent.created") agents.add(event.agent);
      if (event.type === "terminal.opened") terminals.add(event.terminal);
    },
    reply: ({ given: { input }, outcome, batch }, watch) => {
      const { model, report, sometimes } = watch;
      if (!outcome.ok) {
        if (["overloaded", "store-unavailable", "key-reused"].includes(outcome.refusal.code))
          sometimes(outcome.refusal.code);
        if (input.type === "call.finish" && outcome.refusal.code === "out-of-order") {
          const next = model.runs.get(input.run)?.callsDone ?? 0;
          if (input.call < next)
            report("RN", `call ${input.call} of ${input.run} was finished again and got another answer`);
        }
        if (outcome.refusal.code === "deadlock") sometimes("call refused for deadlock");
        if (input.type === "claim.make" && outcome.refusal.code === "expired")
          report("LS31", "a new claim was refused as expired");
        return;
      }
      const { value } = outcome;
      if (value.of === "claim") checkClaim(value.claim, batch, watch);
      if (
        input.type === "claim.make" &&
        input.mode === "try" &&
        value.of === "claim" &&
        value.claim.state === "queued"
      ) {
        report("LS18", `claim ${value.claim.claim} was only a try, and waits`);
      }
      if (value.of === "id" && ![model.runs, model.projects, agents, terminals].some((known) => known.has(value.id))) {
        report("I17", `${value.id} was acknowledged and is not in the log`);
      }
      if (input.type === "claim.cancel" && value.of === "claim" && value.claim.state === "granted")
        sometimes("cancel lost the race");
      if (input.type === "policy.set" && !policies.has(input.policy.name)) {
        report("I17", `policy ${input.policy.name} was acknowledged and is not in the log`);
      }
      const run = "run" in input && typeof input.run === "string" ? model.runs.get(input.run) : undefined;
      if (input.type === "run.pause" && run !== undefined && run.state !== "paused" && run.sinceSeq <= batch.fromSeq) {
        report("I17", `run ${run.id} was said to be paused and is ${run.state}`);
      }
      if (value.of !== "call" || run === undefined || value.call.state !== "go" || !("call" in input)) return;
      const started =
        run.call?.number === input.call ? run.call.started : run.callsDone > input.call || run.sinceSeq > batch.fromSeq;
      if (!started) report("I17", `call ${input.call} of ${run.id} was told to go, and the log does not say so`);
    },
  };
}

/** The state in an answer is one that the claim had when the answer was worked out: in this batch or just before it. */
function checkClaim(answer: ClaimAnswer, batch: Batch, { model, report }: Watch): void {
  const claim = model.claims.get(answer.claim);
  if (claim === undefined)
    return report("I17", `claim ${answer.claim} was acknowledged as ${answer.state} and is not in the log`);
  const before = claim.states.findLast((each) => each.seq <= batch.fromSeq);
  const during = claim.states.filter((each) => each.seq > batch.fromSeq);
  const states = [...during.map((each) => each.state), ...(before === undefined ? [] : [before.state])];
  if (!states.includes(answer.state)) {
    report("I13", `claim ${answer.claim} was answered as ${answer.state}, and the log says ${states.join(", then ")}`);
  }
  if (answer.family !== claim.family)
    report("I13", `claim ${answer.claim} was answered for ${answer.family}, and is of ${claim.family}`);
}
