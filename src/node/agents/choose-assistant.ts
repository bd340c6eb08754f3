// Who can be the assistant of an agent on this machine: the first runner of its profile whose program is there, and
// whose models somebody pays for.

import type { Agent } from "../../core/agent/agent-state.ts";
import type { State } from "../../core/state.ts";

export type RunnersHere = {
  readonly has: (runner: string) => boolean;
  /** Why a runner cannot work here; null when it can. */
  readonly missing: (runner: string) => Promise<string | null>;
};

export type ChosenRunner = { readonly runner: string | null; readonly what: string };

export async function chooseAssistant(state: State, { spec }: Agent, here: RunnersHere): Promise<ChosenRunner> {
  const profile = state.profiles.get(spec.assistant?.profile ?? "");
  if (profile === undefined) return { runner: null, what: `there is no profile ${spec.assistant?.profile ?? ""}` };
  const { runner, fallbacks = [] } = profile.settings;
  if (runner === undefined) return { runner: null, what: `the profile ${profile.name} names no runner` };
  const reasons: string[] = [];
  for (const name of [runner, ...fallbacks]) {
    const why = here.has(name) ? await here.missing(name) : `there is no runner ${name} on this machine`;
    if (why === null) return { runner: name, what: "" };
    reasons.push(why);
  }
  return { runner: null, what: reasons[0] ?? "" };
}
