/** tell: people are told, as always. nudge: its assistant too. pause, stop: the run is paused, or fails. */
export const stuckActs = ["tell", "nudge", "pause", "stop"] as const;
