import type { ReactNode } from "react";
import { useClock } from "../live/live-context.tsx";
import { toClock, toExact, toSpan } from "../model/format.ts";
import { useIsByClock } from "../shell/theme.ts";

/** When something was that has its time from a clock on a wall, such as a commit. */
export function WallAgo({ wallMs }: { readonly wallMs: number }): ReactNode {
  const isByClock = useIsByClock();
  const words = useClock((clock) =>
    // A person's clock may be ahead of ours.
    isByClock ? toClock(wallMs) : `${toSpan(Math.max(0, clock.toWallMs(clock.now()) - wallMs))} ago`,
  );
  return (
    <time className="num" dateTime={new Date(wallMs).toISOString()} title={toExact(wallMs)}>
      {words}
    </time>
  );
}
