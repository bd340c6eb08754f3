// How much of an agent goes when it goes down.

import { openIn } from "../terminal/windows.ts";
import type { State } from "../state.ts";
import type { Agent } from "./agent-state.ts";

/** Of one that is begun anew: its processes, its place, or its temporary files with that. */
export function howAnew({ rung, room }: Pick<Agent, "rung" | "room">): "session" | "place" | "temporary" {
  if (rung === "recreate") return "session";
  return room.next?.kind === "disk" ? "temporary" : "place";
}

/** Whether the ladder makes its place anew: what was changed in it is kept first (AG91). What a run does in it, its steps keep. */
export function savesFirst(agent: Pick<Agent, "rung" | "wish" | "run">): boolean {
  const isByLadder = agent.wish === "run" && (agent.rung === "respawn" || agent.rung === "reallocate");
  return isByLadder && agent.run === null;
}

/**
 * Terminals that end before anything else of an agent that goes down does, with the people in them (AG89). None where its place
 * stays, or everything is ended at once.
 */
export function terminalsFirst(state: State, agent: Agent): string[] {
  const { id, force, wish } = agent;
  if (agent.state !== "stopping" || force || (wish === "run" && howAnew(agent) === "session")) return [];
  return openIn(state, id).map((terminal) => terminal.id);
}
