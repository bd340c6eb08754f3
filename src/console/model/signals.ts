// What each state of a run looks like: a word, a shape and one of five colours, never the colour alone.

import type { RunState } from "../../protocol/wire/run.ts";

/** Green moves. Amber waits for another run. Blue is you. Red is broken. Grey is at rest. */
export type Tone = "go" | "wait" | "you" | "stop" | "rest";

export type Signal = {
  readonly word: string;
  readonly icon: SignalIcon;
  readonly tone: Tone;
  /** Nothing more happens by itself. */
  readonly over: boolean;
};

export type SignalIcon =
  | "queued"
  | "starting"
  | "running"
  | "blocked"
  | "parked"
  | "awaiting"
  | "paused"
  | "validating"
  | "review"
  | "landing"
  | "done"
  | "failed"
  | "rejected"
  | "terminated"
  | "ready"
  | "stopping"
  | "stopped";

export const signals: Readonly<Record<RunState, Signal>> = {
  queued: { word: "Queued", icon: "queued", tone: "wait", over: false },
  starting: { word: "Starting", icon: "starting", tone: "go", over: false },
  running: { word: "Running", icon: "running", tone: "go", over: false },
  blocked: { word: "Blocked", icon: "blocked", tone: "wait", over: false },
  parked: { word: "Parked", icon: "parked", tone: "wait", over: false },
  "awaiting-input": { word: "Awaiting input", icon: "awaiting", tone: "you", over: false },
  paused: { word: "Paused", icon: "paused", tone: "rest", over: false },
  validating: { word: "Validating", icon: "validating", tone: "go", over: false },
  review: { word: "Review", icon: "review", tone: "you", over: false },
  landing: { word: "Landing", icon: "landing", tone: "go", over: false },
  done: { word: "Done", icon: "done", tone: "rest", over: true },
  failed: { word: "Failed", icon: "failed", tone: "stop", over: true },
  rejected: { word: "Rejected", icon: "rejected", tone: "rest", over: true },
  terminated: { word: "Terminated", icon: "terminated", tone: "rest", over: true },
};

export function isRunState(text: string): text is RunState {
  return Object.hasOwn(signals, text);
}

export function isOver(state: RunState): boolean {
  return signals[state].over;
}

/** The five counts of the gantry, the most urgent first. */
export const tiles = [
  { tone: "you", label: "Need you", icon: "awaiting" },
  { tone: "stop", label: "Failed", icon: "failed" },
  { tone: "wait", label: "Waiting", icon: "blocked" },
  { tone: "go", label: "Moving", icon: "running" },
  { tone: "rest", label: "At rest", icon: "done" },
] as const satisfies readonly { tone: Tone; label: string; icon: SignalIcon }[];

export function isTone(text: string | null): text is Tone {
  return tiles.some(({ tone }) => tone === text);
}
