// A plan as it is read: each state as a shape, a word and a colour, and of a long script the part that the run is at.

import type { Plan, PlannedStep } from "../../protocol/wire/plan.ts";
import type { Look } from "./agent-signals.ts";

export const stepLooks: Readonly<Record<PlannedStep["state"], Look>> = {
  done: { icon: "done", tone: "go", word: "done" },
  running: { icon: "running", tone: "go", word: "at it" },
  waiting: { icon: "blocked", tone: "wait", word: "waits" },
  pending: { icon: "queued", tone: "rest", word: "not yet" },
  failed: { icon: "failed", tone: "stop", word: "failed" },
  skipped: { icon: "stopped", tone: "rest", word: "not any more" },
};

export const unitLooks: Readonly<Record<Plan["units"][number]["state"], Look>> = {
  held: { icon: "running", tone: "go", word: "held" },
  waiting: { icon: "blocked", tone: "wait", word: "waits" },
  free: { icon: "queued", tone: "rest", word: "not yet" },
  "given-back": { icon: "done", tone: "rest", word: "given back" },
};

export type PlanWindow = { readonly steps: readonly PlannedStep[]; readonly before: number; readonly after: number };

const beforeMax = 4;
const shownMax = 24;

/** The steps around the one that is next; all of a plan that is not long. */
export function windowOf(steps: readonly PlannedStep[]): PlanWindow {
  if (steps.length <= shownMax) return { steps, before: 0, after: 0 };
  const next = steps.findIndex(({ state }) => state !== "done");
  const wanted = (next < 0 ? steps.length : next) - beforeMax;
  const before = Math.max(0, Math.min(wanted, steps.length - shownMax));
  return { steps: steps.slice(before, before + shownMax), before, after: steps.length - before - shownMax };
}

export function countDone(steps: readonly PlannedStep[]): number {
  return steps.filter(({ state }) => state === "done").length;
}

/** A line of what an assistant said that it would do; the state is its own word, and null where it gives none. */
export type OwnLine = { readonly text: string; readonly state: "done" | "running" | "pending" | null };

const marked = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?\[([ xX>~])\]\s*(.*)$/;
const ofMark: Readonly<Record<string, OwnLine["state"]>> = {
  " ": "pending",
  x: "done",
  X: "done",
  ">": "running",
  "~": "running",
};

/** Its lines, each with the mark that it has. */
export function toOwnLines(text: string): readonly OwnLine[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, mark, words] = marked.exec(line) ?? [];
      return mark === undefined ? { text: line, state: null } : { text: words ?? "", state: ofMark[mark] ?? null };
    });
}
