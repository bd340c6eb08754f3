// What each state of a run looks like: a word, a shape and one of five colours, never the colour alone.

import type { Run, RunState } from "../../protocol/wire/run.ts";

/** Green moves. Amber waits for another run. Blue is you. Red is broken. Grey is at rest. */
export type Tone = "go" | "wait" | "you" | "stop" | "rest";

export type Signal = {
  readonly word: string;
  /** The same as a sentence, for whoever does not know the word. */
  readonly means: string;
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
  | "stopped"
  | "stuck";

export const signals: Readonly<Record<RunState, Signal>> = {
  queued: { word: "Queued", means: "It waits for its turn to begin", icon: "queued", tone: "wait", over: false },
  starting: { word: "Starting", means: "Its workspace is being made", icon: "starting", tone: "go", over: false },
  running: { word: "Running", means: "It is at work", icon: "running", tone: "go", over: false },
  blocked: {
    word: "Blocked",
    means: "In the middle of a step it waits for a unit that another has",
    icon: "blocked",
    tone: "wait",
    over: false,
  },
  parked: {
    word: "Parked",
    means: "It waits without a place at work: for a unit, for room, for another run or for its model",
    icon: "parked",
    tone: "wait",
    over: false,
  },
  "awaiting-input": {
    word: "Awaiting input",
    means: "It has asked you something",
    icon: "awaiting",
    tone: "you",
    over: false,
  },
  paused: {
    word: "Paused",
    means: "Somebody has stopped it for a while; it goes on when resumed",
    icon: "paused",
    tone: "rest",
    over: false,
  },
  validating: { word: "Validating", means: "Its acceptance command runs", icon: "validating", tone: "go", over: false },
  review: {
    word: "Review",
    means: "It is finished, and lands when you approve it",
    icon: "review",
    tone: "you",
    over: false,
  },
  landing: {
    word: "Landing",
    means: "What was approved is tested on top of mainline, and lands",
    icon: "landing",
    tone: "go",
    over: false,
  },
  done: { word: "Done", means: "It is over, and what was approved has landed", icon: "done", tone: "rest", over: true },
  failed: {
    word: "Failed",
    means: "It is over, and could not do what was wanted",
    icon: "failed",
    tone: "stop",
    over: true,
  },
  rejected: {
    word: "Rejected",
    means: "It is over: somebody did not want its result",
    icon: "rejected",
    tone: "rest",
    over: true,
  },
  terminated: {
    word: "Terminated",
    means: "It is over: somebody stopped it",
    icon: "terminated",
    tone: "rest",
    over: true,
  },
};

/** How a run is: its state, or that it seems to get nowhere in it. */
export function signalOf({ state, stuck }: Pick<Run, "state" | "stuck">): Signal {
  if (!isStuck({ state, stuck })) return signals[state];
  return {
    word: "Stuck",
    means: `It seems to get nowhere: ${stuck?.what ?? ""}`,
    icon: "stuck",
    tone: "stop",
    over: false,
  };
}

/** While it is at work: whoever waits for somebody, or is over, is not called stuck for that. */
export function isStuck({ state, stuck }: Pick<Run, "state" | "stuck">): boolean {
  return stuck !== null && state === "running";
}

export function isRunState(text: string): text is RunState {
  return Object.hasOwn(signals, text);
}

export function isOver(state: RunState): boolean {
  return signals[state].over;
}

/** The five counts of the gantry, the most urgent first. */
export const tiles = [
  { tone: "you", label: "Need you", icon: "awaiting", means: "All that is in the inbox" },
  { tone: "stop", label: "Failed", icon: "failed", means: "Runs that could not do what was wanted" },
  { tone: "wait", label: "Waiting", icon: "blocked", means: "Runs that wait for others: queued, blocked or parked" },
  { tone: "go", label: "Moving", icon: "running", means: "Runs that go on by themselves" },
  { tone: "rest", label: "At rest", icon: "done", means: "Runs that are over or paused" },
] as const satisfies readonly { tone: Tone; label: string; icon: SignalIcon; means: string }[];

export function isTone(text: string | null): text is Tone {
  return tiles.some(({ tone }) => tone === text);
}

const urgency = { you: 0, stop: 1, wait: 2, go: 3, rest: 4 } as const;

/** Who needs somebody first, then the newest. */
export function byUrgency(a: Pick<Run, "state" | "sinceMs">, b: Pick<Run, "state" | "sinceMs">): number {
  return urgency[signals[a.state].tone] - urgency[signals[b.state].tone] || b.sinceMs - a.sinceMs;
}
