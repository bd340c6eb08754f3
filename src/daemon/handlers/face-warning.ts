// What whoever works in a living agent goes without: calls of faces, which its profile may have been given for.

import type { Agent } from "../../core/agent/agent-state.ts";

/** Undefined where its profile names none (FC15). */
export function facesWarning(
  who: string,
  faces: readonly string[],
  agent: Pick<Agent, "name">,
): { readonly code: "faces-not-called"; readonly message: string } | undefined {
  if (faces.length === 0) return undefined;
  const message = `The profile lets ${who} call faces (${faces.join(", ")}), and in the living agent ${agent.name} it calls none: beside services nobody could tell who calls. Let it work in a place of its own, or join ${agent.name} to that agent: signalbox agent join`;
  return { code: "faces-not-called", message };
}
