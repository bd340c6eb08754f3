import type { ReactNode } from "react";

const entries = [
  ["running", "Moving"],
  ["blocked", "Waits for a unit"],
  ["queued", "Queued"],
  ["awaiting-input", "Asks you"],
  ["review", "Review"],
  ["paused", "Paused"],
] as const;

/** What the lines of the lanes mean; each lane says the same in words. */
export function Legend(): ReactNode {
  return (
    <span className="legend" aria-hidden="true">
      {entries.map(([state, word]) => (
        <span key={state} className="legend-entry">
          <i className={`seg seg-${state}`} />
          {word}
        </span>
      ))}
    </span>
  );
}
