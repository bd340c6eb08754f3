// Which system commands find inside a cage, where that is not the machine's own. The core only remembers it.

import type { AgentSpec } from "../agent/agent-spec.ts";
import type { Agent } from "../agent/agent-state.ts";
import type { Run } from "../run/run-state.ts";
import { rootOf, type State } from "../state.ts";

/** An image by its name, or by the Dockerfile of the project that it is built from. */
export type ImageChoice = { readonly name: string } | { readonly dockerfile: string };

/** What a run says itself: an image, or the machine's own system whatever its project has. */
export type RunImage = ImageChoice | "none";

/** A run's own word, else its project's; that of its agent where it is in one. Null is the machine's own system. */
export function imageOf(state: State, run: Run): ImageChoice | null {
  const root = rootOf(state, run);
  const agent = state.agents.get(root.agent ?? "");
  if (agent !== undefined) return agentImageOf(state, agent);
  return chosen(state, root.project, root.agent === null ? root.image : "none");
}

/** What an agent's template says, else its project's (AW5). */
export function agentImageOf(state: State, { project, spec }: Pick<Agent, "project" | "spec">): ImageChoice | null {
  return chosen(state, project, spec.image ?? null);
}

/** What an agent's template says of images, for the whole and for single services. */
export function imagesIn({ image, services }: Pick<AgentSpec, "image" | "services">): RunImage[] {
  const all = [image, ...services.map((service) => service.image)];
  return all.flatMap((each) => (each === undefined ? [] : [each]));
}

function chosen(state: State, project: string, said: RunImage | null): ImageChoice | null {
  return said === "none" ? null : (said ?? state.projects.get(project)?.image ?? null);
}
