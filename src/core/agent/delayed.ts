// Services that were to be started again at this instant. Where there are too many, agents take turns, and the others wait.

import { compareIds, type Step } from "../step.ts";
import { moveService } from "./agent-moves.ts";
import type { Agent, Service } from "./agent-state.ts";
import { climb } from "./ladder.ts";
import { budgetOf, mayRestart, restartsOf, stormWindowMs, turnAtMs } from "./restart-budget.ts";

type Due = { readonly agent: Agent; readonly service: Service };

/** By their names: `agent/service`. */
export function startDelayed(step: Step, names: readonly string[]): void {
  const due = names.flatMap((name) => findDue(step, name));
  const queues = new Map<string, Due[]>();
  for (const each of due.toSorted((a, b) => (a.service.dueAtMs ?? 0) - (b.service.dueAtMs ?? 0)))
    queues.set(each.agent.id, [...(queues.get(each.agent.id) ?? []), each]);
  for (let [first] = inTurn(step, queues); first !== undefined; [first] = inTurn(step, queues)) {
    const next = queues.get(first)?.shift();
    if (next === undefined) queues.delete(first);
    else startOne(step, next);
  }
}

/** Whose services were started again least comes first. */
function inTurn({ state, nowMs }: Step, queues: ReadonlyMap<string, unknown>): string[] {
  const ids = [...queues.keys()].map((id) => ({ id, count: restartsOf(state, id, nowMs) }));
  return ids.toSorted((a, b) => a.count - b.count || compareIds(a.id, b.id)).map(({ id }) => id);
}

function findDue(step: Step, name: string): Due[] {
  const [id = "", own = ""] = name.split("/");
  const agent = step.state.agents.get(id);
  const service = agent?.services.get(own);
  if (agent === undefined || service?.state !== "delayed" || service.dueAtMs === null) return [];
  if (service.dueAtMs <= step.nowMs) return [{ agent, service }];
  step.state.table.due.add(`service:${name}`, service.dueAtMs);
  return [];
}

function startOne(step: Step, { agent, service }: Due): void {
  // What came before it may have ended the whole agent.
  if (service.state !== "delayed") return;
  const { failing } = service;
  if (failing !== null) {
    moveService(step, agent, service, "failed", failing.what);
    return climb(step, agent, service, failing);
  }
  if (mayRestart(step.state, agent, step.nowMs)) return moveService(step, agent, service, "waiting", service.because);
  const dueAtMs = turnAtMs(step.state, agent, step.nowMs);
  const base = { type: "service.held", v: 1, agent: agent.id, service: service.spec.name } as const;
  step.emit({ ...base, dueAtMs, windowMs: stormWindowMs, ...budgetOf(step.state, agent) });
}
