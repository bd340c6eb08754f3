// Why a run is kept from its model, for people. The log has the names of rules, which programs read.

import type { Run } from "../run/run-state.ts";

const spent: Readonly<Record<string, string>> = {
  maxRunCostMicros: "what one run may cost is spent",
  maxTreeCostMicros: "what a run may cost with all that it started is spent",
  maxDayCostMicros: "what may be spent in a day is spent",
  maxTotalCostMicros: "what may be spent in all is spent",
  maxTurns: "it has asked as often as it may",
};

/** As a sentence: the policy or profile, and what of it is in the way. */
export function refusedWords({ policy, what }: Pick<NonNullable<Run["modelRefused"]>, "policy" | "what">): string {
  return `${policy} keeps it from its model: ${spent[what] ?? what}`;
}
