import { type ReactNode, useMemo } from "react";
import { useBox, useClock, useLive } from "../../live/live-context.tsx";
import { toClock } from "../../model/format.ts";
import { toTicks } from "../../model/segments.ts";

/** How fine the time of lanes is: about a pixel. */
export function stepOf(windowMs: number): number {
  return Math.max(1000, windowMs / 240);
}

export function useLaneNow(windowMs: number): number {
  const stepMs = stepOf(windowMs);
  return useClock((clock) => Math.floor(clock.now() / stepMs) * stepMs);
}

export function Axis({ windowMs }: { readonly windowMs: number }): ReactNode {
  const { clock } = useBox().store;
  const nowMs = useLaneNow(windowMs);
  const isPast = useLive((state) => state.link.is === "past");
  const ticks = useMemo(() => toTicks(windowMs, clock.toWallMs(nowMs)), [windowMs, nowMs, clock]);
  return (
    <div className="lane axis" aria-hidden="true">
      <span className="lane-title" />
      <span className="lane-track">
        {ticks.map(({ wallMs, at }) => (
          <span key={wallMs} className="tick" style={{ left: `${at}%` }}>
            {toClock(wallMs).slice(0, windowMs <= 60_000 ? 8 : 5)}
          </span>
        ))}
        <span className="tick now">{isPast ? "then" : "now"}</span>
      </span>
      <span className="lane-gutter" />
      <span className="lane-state">State</span>
      <span className="lane-words">Holds or waits for</span>
    </div>
  );
}
