// An agent whose files are brought to mainline's head. What moves and what stays is found by comparing files, which is not
// known here; only whether it may be done, and that it was.

import type { Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import type { Result } from "../../base/result.ts";
import type { Step } from "../step.ts";
import type { Agent } from "./agent-state.ts";

type Refreshable = Pick<Agent, "name" | "run" | "isMade" | "isArchived" | "state">;

/** Why the files of an agent may not be moved now (AG82). A run that is over has them until nothing of it runs any more. */
export function findRefreshObstacle({ name, run, isMade, isArchived, state }: Refreshable): Refusal | undefined {
  if (isArchived) return { code: "agent-archived", agent: name };
  if (run !== null) return { code: "in-use", kind: "agent", id: name, by: run };
  return isMade && state !== "stopping" ? undefined : { code: "agent-down", agent: name, state };
}

/** It has happened, whoever came into the agent since. */
export function noteRefreshed(step: Step, { id }: Agent, commit: string, count: number): Result<Later, Refusal> {
  step.emit({ type: "agent.refreshed", v: 1, agent: id, commit, count });
  return done();
}
