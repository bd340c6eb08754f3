// AG41, AG42, AG44 to AG46: one run at a time in a living agent, nothing of it before the workspace is its own, nothing of it
// while the place is not there, and no agent that goes while the work of a run in it is not saved.

import type { Logged } from "../../src/core/events.ts";
import type { ModelAgent } from "../world/agent-model.ts";
import type { LogModel } from "../world/log-model.ts";
import { hasEnded, isAtWork, type ModelRun, rootOf } from "../world/run-model.ts";
import type { Checker, Watch } from "../world/watch.ts";

export function oneRunInAnAgent(): Checker {
  return {
    name: "AG41 one run in an agent",
    before: (event, watch) => {
      const { model, report } = watch;
      if (event.type === "run.moved") return checkMove(event, watch);
      if (event.type === "agent.ended") return checkEnd(model.agents.get(event.agent), watch);
      if (event.type === "call.started") {
        const run = model.runs.get(event.run);
        const root = run === undefined ? undefined : rootOf(model, run);
        if (root !== undefined && root.agent !== null && !root.entered)
          report("AG44", `${event.run} acts in ${root.agent} before the workspace there is its own`);
      }
    },
    act: (act, { model, report }) => {
      if (act.type !== "unmake") return;
      const agent = model.agents.get(act.agent);
      if (agent === undefined || agent.life !== act.life || agent.state !== "stopping" || agent.wish === "run") return;
      if (agent.run !== null) report("AG46", `${agent.name} is to go, and the work of ${agent.run} in it is not saved`);
    },
    batch: (_, { model, report }) => {
      for (const { id, agent, state } of model.runs.values())
        if (agent !== null && !model.agents.has(agent) && !ends.includes(state))
          report("AG46", `${id} is ${state}, and its agent ${agent} is gone`);
    },
  };
}

const ends = ["done", "failed", "rejected", "terminated"];

function checkMove(event: Logged & { readonly type: "run.moved" }, { model, report, sometimes }: Watch): void {
  const run = model.runs.get(event.run);
  const agent = model.agents.get(run?.agent ?? "");
  if (run === undefined || agent === undefined) return;
  if (event.to === "parked" && agent.state === "stopping") sometimes("parked with its agent");
  if (event.to === "terminated" && agent.state === "stopping") sometimes("ended with its agent");
  if (event.to !== "starting" && event.to !== "running") return;
  const others = insideOf(model, agent).filter((other) => other !== run);
  if (others.length > 0) report("AG41", `${run.id} begins in ${agent.name}, and ${others[0]?.id} is there`);
  const isNew = agent.run !== run.id;
  if (isNew) sometimes("run in an agent");
  if (isNew && agent.state !== "running") report("AG42", `${run.id} begins in ${agent.name}, which is ${agent.state}`);
  if (!agent.isMade || agent.state === "stopping")
    report("AG42", `${run.id} goes on in ${agent.name}, which is ${agent.state}`);
}

function checkEnd(agent: ModelAgent | undefined, { model, report }: Watch): void {
  if (agent === undefined) return;
  for (const run of model.runs.values()) {
    if (rootOf(model, run).agent !== agent.id) continue;
    if (isAtWork(run)) report("AG45", `${run.id} is ${run.state}, and the place of ${agent.name} is gone`);
  }
  const [left] = agent.wish === "run" ? [] : insideOf(model, agent);
  if (left !== undefined) report("AG46", `${agent.name} went down, and nobody has proven that ${left.id} is gone`);
}

/** Runs that have begun in an agent, and of which something may be there. One that was continued, and perhaps paused, begins again. */
function insideOf(model: LogModel, agent: ModelAgent): ModelRun[] {
  return [...model.runs.values()].filter((run) => {
    if (run.agent !== agent.id || !run.started || run.removed) return false;
    const waits = run.state === "parked" || run.state === "paused";
    return hasEnded(run) ? !run.stopped : !waits || run.entered || agent.run === run.id;
  });
}
