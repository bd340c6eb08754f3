// The limit that keeps a run from its model, and what gives it more room. Policies and profiles are replaced as a whole, so whoever
// raises one reads it first; what a run has of its profile's is raised for it alone (PF21).

import { showDollars } from "./dollars.ts";
import type { Policy } from "./wire/policy.ts";
import type { Profile } from "./wire/profile.ts";
import { overStates, type Run } from "./wire/run.ts";

/** Whose limit it is, and which one. */
export type HeldBy = {
  readonly of: "policy" | "profile";
  readonly name: string;
  readonly rule: "maxRunCostMicros" | "maxTreeCostMicros" | "maxDayCostMicros" | "maxTotalCostMicros" | ProfileRule;
};
type ProfileRule = "maxCostMicros" | "maxTurns";

const policyRules = ["maxRunCostMicros", "maxTreeCostMicros", "maxDayCostMicros", "maxTotalCostMicros"] as const;
/** What the core calls the limit of a profile, which has no name of its own in policies. */
const ofProfile = "profile ";

/** Null where no limit can be raised: a model without a price needs one. */
export function heldBy(refused: NonNullable<Run["modelRefused"]>): HeldBy | null {
  const { code, what, policy } = refused;
  if (policy.startsWith(ofProfile) && (code === "turns-spent" || code === "budget-spent")) {
    const rule = code === "turns-spent" ? "maxTurns" : "maxCostMicros";
    return { of: "profile", name: policy.slice(ofProfile.length), rule };
  }
  const rule = policyRules.find((each) => each === what);
  return rule === undefined || code !== "budget-spent" ? null : { of: "policy", name: policy, rule };
}

/** The model that has no price, where that is in the way. */
export function modelWithoutPrice({ code, what }: NonNullable<Run["modelRefused"]>): string | null {
  return code === "price-unknown" ? what.replace(/ has no price$/, "") : null;
}

const dollarMicros = 1_000_000;

/** A clear step: twice as much, and a dollar or a turn where there was nothing. */
export function nextLimit({ rule }: Pick<HeldBy, "rule">, limit: number): number {
  if (limit > 0) return limit * 2;
  return rule === "maxTurns" ? 1 : dollarMicros;
}

export function showLimit({ rule }: Pick<HeldBy, "rule">, limit: number): string {
  if (rule !== "maxTurns") return showDollars(limit);
  return limit === 1 ? "1 turn" : `${limit} turns`;
}

export type OwnLimit = { readonly limit: ProfileRule; readonly value: number };

/** What the run itself has of the limit that holds it; null where that is a policy's, and of a run that is over. */
export function ownLimit({ of, rule }: HeldBy, { settings, state }: Pick<Run, "settings" | "state">): OwnLimit | null {
  if (of !== "profile" || overStates.includes(state) || (rule !== "maxTurns" && rule !== "maxCostMicros")) return null;
  const value = settings?.[rule];
  return value === undefined ? null : { limit: rule, value };
}

/** What a run may use from now on, and did before, in a log that may come from elsewhere. */
export function tellRaised(event: Readonly<Record<string, unknown>>): string {
  const rule = event["limit"] === "maxTurns" ? "maxTurns" : "maxCostMicros";
  const { was, value } = event;
  if (typeof was !== "number" || typeof value !== "number") return "may use more from now on: a limit was raised";
  return `may use ${showLimit({ rule }, value)} from now on: raised from ${showLimit({ rule }, was)}`;
}

/** As it says now; null where it has no such limit any more. */
export function limitIn({ rule }: HeldBy, said: Policy | Profile): number | null {
  const all: Readonly<Record<string, unknown>> = "rules" in said ? said.rules : said.settings;
  const limit = all[rule];
  return typeof limit === "number" ? limit : null;
}

/** The same with another limit. */
export function withLimit<T extends Policy | Profile>({ rule }: HeldBy, said: T, limit: number): T {
  return "rules" in said
    ? { ...said, rules: { ...said.rules, [rule]: limit } }
    : { ...said, settings: { ...said.settings, [rule]: limit } };
}
