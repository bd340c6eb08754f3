// The states of a run and every arrow between them. Nothing else moves a run: `run.moved` with an arrow that is not here
// is a defect.

export const runStates = [
  "queued",
  "starting",
  "running",
  "blocked",
  "parked",
  "awaiting-input",
  "paused",
  "validating",
  "review",
  "landing",
  "done",
  "failed",
  "rejected",
  "terminated",
] as const;

export type RunState = (typeof runStates)[number];

const arrows: Readonly<Record<RunState, readonly RunState[]>> = {
  queued: ["starting", "paused"],
  starting: ["running", "paused", "parked"],
  running: ["blocked", "awaiting-input", "parked", "paused", "validating"],
  // In a call that waits for a unit; it still has its slot.
  blocked: ["running", "parked", "paused"],
  // Waits without a slot: for a unit, for a slot, or for its node to come back.
  parked: ["running", "paused"],
  "awaiting-input": ["parked", "paused"],
  paused: ["queued", "parked", "awaiting-input"],
  validating: ["parked", "running", "review", "landing"],
  review: ["parked", "landing"],
  landing: ["parked", "review", "done"],
  // Continued with a message.
  done: ["parked"],
  failed: [],
  rejected: [],
  terminated: [],
};

const ends: readonly RunState[] = ["failed", "rejected", "terminated"];

/** Whether a run may go from one state to the other. Any run that is not over may end badly. */
export function mayMove(from: RunState, to: RunState): boolean {
  if (arrows[from].includes(to)) return true;
  return ends.includes(to) && !isOver(from);
}

/** All arrows, for documents and tests. */
export function allArrows(): { readonly from: RunState; readonly to: RunState }[] {
  return runStates.flatMap((from) => runStates.filter((to) => mayMove(from, to)).map((to) => ({ from, to })));
}

/** Done or ended badly. A run that is done may still be continued. */
export function isOver(state: RunState): boolean {
  return state === "done" || ends.includes(state);
}

/** States in which a run is at work and so takes a slot (LS21). */
export function takesSlot(state: RunState): boolean {
  return state === "starting" || state === "running" || state === "blocked" || state === "validating";
}

/** States in which a driver is expected to be there for the run, and may speak for it. */
export function isDriven(state: RunState): boolean {
  return ["starting", "running", "blocked", "parked", "awaiting-input", "paused"].includes(state);
}
