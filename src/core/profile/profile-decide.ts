// Sets, ensures and removes profiles.

import { ok, refuse, type Result } from "../../base/result.ts";
import type { Input, Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import type { Step } from "../step.ts";

/** Makes a profile, or replaces the one of its name; to ensure one leaves it as it is. Answers whether anything was set. */
export function setProfile(step: Step, input: Extract<Input, { type: "profile.set" }>): Result<Later, Refusal> {
  const { profile, ensure } = input;
  const { policy } = profile.settings;
  const isThere = step.state.profiles.has(profile.name);
  if (ensure && isThere) return ok(() => ({ of: "ids", ids: [] }));
  // Judged here, where nothing comes in between: somebody may have made it while it was looked at (PF13).
  if (isThere && !step.actor.startsWith("person:"))
    return refuse({ code: "forbidden", what: "changing a profile that is there" });
  if (policy !== undefined && !step.state.policies.has(policy))
    return refuse({ code: "not-found", kind: "policy", id: policy });
  step.emit({ type: "profile.set", v: 1, profile });
  return ok(() => ({ of: "ids", ids: [profile.name] }));
}

export function removeProfile(step: Step, name: string): Result<Later, Refusal> {
  if (!step.state.profiles.has(name)) return refuse({ code: "not-found", kind: "profile", id: name });
  step.emit({ type: "profile.removed", v: 1, name });
  return done();
}

/** A policy that a profile names stays while the profile does. */
export function removePolicy(step: Step, name: string): Result<Later, Refusal> {
  const { policies, profiles } = step.state;
  if (!policies.has(name)) return refuse({ code: "not-found", kind: "policy", id: name });
  const user = [...profiles.values()].find(({ settings }) => settings.policy === name);
  if (user !== undefined) return refuse({ code: "in-use", kind: "policy", id: name, by: `the profile ${user.name}` });
  step.emit({ type: "policy.removed", v: 1, name });
  return done();
}
