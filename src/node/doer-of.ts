import type { Logged } from "../core/events.ts";
import { rootOf, type State } from "../core/state.ts";

/**
 * Who has to put back what was set aside from a workspace, where the event does not name them: of a family, whoever's call it was. The
 * others would put it back with a call of theirs, when it may have come again.
 */
export function doerOf(event: Logged, state: State, drivers: ReadonlyMap<string, unknown>): string | undefined {
  if (event.type !== "paths.set-aside" || !event.actor.startsWith("agent:")) return undefined;
  const doer = state.runs.get(event.actor.slice("agent:".length));
  if (doer === undefined || !drivers.has(doer.id)) return undefined;
  return rootOf(state, doer).id === event.run ? doer.id : undefined;
}
