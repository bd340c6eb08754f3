import { memo, type ReactNode, useMemo } from "react";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { useBox, useClock } from "../live/live-context.tsx";
import { healthOf, type Judgement } from "../model/agent-story.ts";

const bars = 30;
const barMs = 120_000;

type Bar = Judgement["is"] | "none";

/** The last hour of a service: well is tall and quiet, ill is short, so that a fault is seen by its height too. */
export const HealthStrip = memo(function HealthStrip(props: {
  readonly events: readonly LogEvent[] | null;
  readonly service: string;
}): ReactNode {
  const { events, service } = props;
  const { clock } = useBox().store;
  const minute = useClock((each) => Math.floor(each.now() / 60_000));
  const story = useMemo(() => healthOf(events ?? [], service), [events, service]);
  const strip = useMemo(() => {
    void minute;
    // What was just told may be a moment ahead of this page's clock, and is drawn all the same.
    return toBars(story, Math.max(clock.now(), story.at(-1)?.atMs ?? 0));
  }, [story, minute, clock]);
  const ill = strip.filter((bar) => bar === "ill").length;
  const words = ill === 0 ? "no fault in the last hour" : `faults in ${ill * 2} of the last 60 minutes`;
  return (
    <span className="health" role="img" aria-label={words} title={words}>
      {strip.map((bar, at) => (
        <i key={at} className={`h-${bar}`} />
      ))}
    </span>
  );
});

/** Each bar shows the worst that was so within it. */
function toBars(story: readonly Judgement[], nowMs: number): Bar[] {
  const worst: readonly Bar[] = ["none", "off", "well", "ill"];
  return Array.from({ length: bars }, (_, at) => {
    const fromMs = nowMs - (bars - at) * barMs;
    const toMs = fromMs + barMs;
    const before: Bar = story.findLast((each) => each.atMs <= fromMs)?.is ?? "none";
    const within = story.filter((each) => each.atMs > fromMs && each.atMs <= toMs).map(({ is }): Bar => is);
    return [before, ...within].reduce((a, b) => (worst.indexOf(b) > worst.indexOf(a) ? b : a));
  });
}
