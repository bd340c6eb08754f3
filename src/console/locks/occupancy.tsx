import type { ReactNode } from "react";
import { useClock } from "../live/live-context.tsx";
import { toSpan } from "../model/format.ts";
import type { Stay } from "../model/unit-past.ts";

const stepMs = 10_000;
const leastShare = 1.2;

/** A stretch of time as a track: grey where the unit was held, amber where somebody waited for it. */
export function Occupancy({ stays, spanMs }: { readonly stays: readonly Stay[]; readonly spanMs: number }): ReactNode {
  const nowMs = useClock((clock) => Math.ceil(clock.now() / stepMs) * stepMs);
  const fromMs = nowMs - spanMs;
  const shown = stays.filter((stay) => (stay.toMs ?? nowMs) > fromMs);
  const sum = (is: Stay["is"]): number =>
    shown
      .filter((stay) => stay.is === is)
      .reduce((total, stay) => total + (stay.toMs ?? nowMs) - Math.max(stay.fromMs, fromMs), 0);
  const words = `held ${toSpan(sum("held"))}, waited for ${toSpan(sum("waited"))} of the last ${toSpan(spanMs)}`;
  return (
    <span className="occupancy" title={words}>
      <span className="sr">{words}</span>
      {(["held", "waited"] as const).flatMap((is) =>
        shown
          .filter((stay) => stay.is === is)
          .map((stay) => {
            // What has just begun is drawn too, and not beyond the end.
            const left = Math.min((Math.max(0, stay.fromMs - fromMs) / spanMs) * 100, 100 - leastShare);
            const right = (((stay.toMs ?? nowMs) - fromMs) / spanMs) * 100;
            return (
              <i
                key={`${is} ${stay.claim} ${stay.fromMs}`}
                className={`occ-${is}`}
                style={{ left: `${left}%`, width: `${Math.max(leastShare, Math.min(100, right) - left)}%` }}
              />
            );
          }),
      )}
    </span>
  );
}
