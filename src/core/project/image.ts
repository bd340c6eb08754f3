// Which system commands find inside a cage, where that is not the machine's own. The core only remembers it.

import type { Run } from "../run/run-state.ts";
import { rootOf, type State } from "../state.ts";

/** An image by its name, or by the Dockerfile of the project that it is built from. */
export type ImageChoice = { readonly name: string } | { readonly dockerfile: string };

/** What a run says itself: an image, or the machine's own system whatever its project has. */
export type RunImage = ImageChoice | "none";

/**
 * A run's own word, else its project's; sub-runs share the cage of their root. Null is the machine's own system, which living
 * agents have.
 */
export function imageOf(state: State, run: Run): ImageChoice | null {
  const root = rootOf(state, run);
  if (root.image === "none" || root.agent !== null) return null;
  return root.image ?? state.projects.get(root.project)?.image ?? null;
}
