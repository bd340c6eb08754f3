// What becomes of an agent when a command of its own has ended.

import type { Step } from "../step.ts";
import type { HookName } from "./agent-spec.ts";
import type { Agent, ServiceEnd } from "./agent-state.ts";
import { failingOf } from "./failure.ts";
import { climb } from "./ladder.ts";

/** What follows from how a hook ended. */
export function hookEnded(step: Step, agent: Agent, hook: HookName, end: ServiceEnd): void {
  const number = agent.hooks;
  step.emit({ type: "hook.ended", v: 1, agent: agent.id, hook, number, ok: end.exit === 0, end });
  if (end.exit === 0) return;
  if (hook === "setup") {
    // What a command says of itself stays so however often it is asked; only what was done to it may not come again.
    const found = failingOf(end);
    const failure = found.class === "service" ? "configuration" : found.class;
    return climb(step, agent, null, { ...found, class: failure, what: `setup: ${found.what}` });
  }
  // Whoever wanted it put away has to know first.
  if (hook === "archive" && agent.wish === "archive")
    step.emit({ type: "agent.wished", v: 1, agent: agent.id, wish: "run", force: false });
}
