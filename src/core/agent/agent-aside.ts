// What was changed in the workspace of an agent that is removed, where somebody wants it kept, or whose place the ladder makes anew:
// it goes to the trash. The bytes are in the project's repository before any of this is decided.

import type { Result } from "../../base/result.ts";
import type { Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import type { Step } from "../step.ts";
import { isDirty, type Work } from "../workspace/workspace-state.ts";
import type { Agent } from "./agent-state.ts";
import { savesFirst } from "./place-goes.ts";

/** Its files stay until this is in the log; whoever asks a second time, after a crash, has the same there once (AG87). */
export function setAsideOf(
  step: Step,
  agent: Agent,
  { works, failed }: { readonly works: readonly Work[]; readonly failed?: string | undefined },
): Result<Later, Refusal> {
  const isAnew = agent.state === "stopping" && savesFirst(agent);
  if (!isAnew && (agent.wish !== "remove" || agent.aside !== true)) return done();
  const why = isAnew ? { why: "its agent's place was made anew" } : {};
  if (failed !== undefined) {
    step.emit({ type: "agent.set-aside", v: 1, agent: agent.id, works: [], ids: [], ...why, failed });
    return done();
  }
  const own = [...step.state.trash.values()].filter(({ run }) => run === agent.id);
  const kept = new Set(own.map(keyOf));
  const left = works.filter((each) => isDirty(each) && !kept.has(keyOf(each)));
  if (left.length === 0) return done();
  const first = step.nextId("x");
  const ids = left.map((_, at) => (at === 0 ? first : `${first}.${at}`));
  step.emit({ type: "agent.set-aside", v: 1, agent: agent.id, works: left, ids, ...why });
  return done();
}

/** One content of one path; what was deleted is a content, too. */
function keyOf({ path, work }: Pick<Work, "path" | "work">): string {
  return `${path}\0${work ?? ""}`;
}
