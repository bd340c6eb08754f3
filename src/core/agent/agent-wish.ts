// What somebody wants to become of an agent, noted where it is news.

import type { Step } from "../step.ts";
import type { Agent, Wish } from "./agent-state.ts";

/** With what becomes of its files where it is removed: set aside, or not, or as was said before. */
export function wish(step: Step, agent: Agent, want: Wish, force: boolean, aside?: boolean): void {
  // What is being removed is not wanted back: its files may be gone.
  if (agent.wish === "remove" && want !== "remove") return;
  // Who says nothing of its files leaves it at what was said of them.
  const isNews = aside !== undefined && aside !== (agent.aside === true);
  const isSame = agent.wish === want && agent.force === force && !isNews;
  if (isSame && agent.rung === null) return;
  const own = { agent: agent.id, wish: want, force } as const;
  step.emit({ type: "agent.wished", v: 1, ...own, ...(isNews ? { aside } : {}) });
}
