// Runners by their names: those of this daemon, and those that a person has defined.

import type { Context } from "../context.ts";
import { mustKnow } from "./must-know.ts";

/** The runner that somebody means, by the one name that it has in the log. Throws `not-found`. */
export function knownRunner({ parts, state }: Context, name: string): string {
  const found = parts.otherNames?.get(name) ?? name;
  mustKnow("runner", found, [...parts.runners, ...state.runners.keys()]);
  return found;
}
