// How a unit comes free that a run holds. Nobody takes it from the run: it gives it back when it ends, and these are the ways to that.

import type { Run } from "../../protocol/wire/run.ts";
import { type ActName, findAct, type RunAct } from "./run-acts.ts";

/** Acts after which the run holds it no more, or goes on towards that. */
export function actsThatFree(run: Run): RunAct[] {
  const names: readonly ActName[] =
    run.state === "review"
      ? ["approve", "reject"]
      : run.state === "paused"
        ? ["resume", "stop"]
        : ["answer", "allow", "deny", "stop"];
  return names.flatMap((name) => findAct(run, name) ?? []);
}

export function howToFree(run: Run): string {
  if (run.state === "review") return "It is kept for the review: landing or rejecting the run frees it.";
  if (run.state === "landing") return "It comes free when the landing is over.";
  const own = "Only the run gives it back, when it lands or ends.";
  if (run.state === "paused") return `${own} It is paused: resume it, or stop it.`;
  if (run.state === "awaiting-input") return `${own} It waits for your answer.`;
  if (findAct(run, "steer") !== undefined) return `${own} Ask for it, or stop the run.`;
  return findAct(run, "stop") === undefined ? own : `${own} It takes no messages: stopping it frees the unit.`;
}
