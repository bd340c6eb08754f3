// Times: relative to read, exact on hover. They stand still while the page is disconnected.

import type { ReactNode } from "react";
import { useBox, useClock } from "../live/live-context.tsx";
import { toClock, toCountdown, toExact, toSpan } from "../model/format.ts";

/** How long ago, by the watch on the wall: it went on while the daemon was down. */
export function Since({ atMs }: { readonly atMs: number }): ReactNode {
  const span = useClock((clock) => toSpan(clock.since(atMs)));
  return <Time atMs={atMs}>{span}</Time>;
}

/** How long until an expiry or deadline. */
export function Until({ atMs }: { readonly atMs: number }): ReactNode {
  const left = useClock((clock) => toCountdown(atMs - clock.now()));
  return <Time atMs={atMs}>{left}</Time>;
}

/** The time of day. */
export function At({ atMs }: { readonly atMs: number }): ReactNode {
  const { clock } = useBox().store;
  return <Time atMs={atMs}>{toClock(clock.toWallMs(atMs))}</Time>;
}

function Time({ atMs, children }: { readonly atMs: number; readonly children: string }): ReactNode {
  const { clock } = useBox().store;
  const wallMs = clock.toWallMs(atMs);
  return (
    <time className="num" dateTime={toIso(wallMs)} title={toExact(wallMs)}>
      {children}
    </time>
  );
}

/** Engine time can be any number; a date cannot. */
function toIso(wallMs: number): string {
  const date = new Date(wallMs);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}
