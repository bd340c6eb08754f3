// Times: relative to read, exact on hover. They stand still while the page is disconnected.

import type { ReactNode } from "react";
import { useBox, useClock } from "../live/live-context.tsx";
import { toClock, toCountdown, toExact, toSpan } from "../model/format.ts";
import { useIsByClock } from "../shell/theme.ts";

/** Engine time, with the number of the event where it is one's. */
type Instant = { readonly atMs: number; readonly seq?: number | undefined };

/** How long ago, by the watch on the wall: it went on while the daemon was down. */
export function Since({ atMs, seq }: Instant): ReactNode {
  const span = useClock((clock) => toSpan(clock.since(atMs, seq)));
  return (
    <Time atMs={atMs} seq={seq}>
      {span}
    </Time>
  );
}

/** How long until an expiry or deadline. */
export function Until({ atMs }: { readonly atMs: number }): ReactNode {
  const left = useClock((clock) => toCountdown(atMs - clock.now()));
  return <Time atMs={atMs}>{left}</Time>;
}

/** When something was: so long ago, or by the clock for whoever likes that better. In a column the word is left out. */
export function Ago({ atMs, seq, brief = false }: Instant & { readonly brief?: boolean }): ReactNode {
  const isByClock = useIsByClock();
  const words = useClock((clock) => {
    if (isByClock) return toClock(clock.toWallMs(atMs, seq));
    const span = toSpan(clock.since(atMs, seq));
    return brief ? span : `${span} ago`;
  });
  return (
    <Time atMs={atMs} seq={seq}>
      {words}
    </Time>
  );
}

/** When something was said, by the clock of the machine that said it. */
export function ClockTime({ wallMs, className }: { readonly wallMs: number; readonly className: string }): ReactNode {
  return (
    <time className={className} dateTime={toIso(wallMs)} title={toExact(wallMs)}>
      {toClock(wallMs)}
    </time>
  );
}

function Time({ atMs, seq, children }: Instant & { readonly children: string }): ReactNode {
  const { clock } = useBox().store;
  const wallMs = clock.toWallMs(atMs, seq);
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
