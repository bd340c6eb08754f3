import { type ReactNode, useState, useSyncExternalStore } from "react";
import { useLive } from "../live/live-context.tsx";
import { subjectOf, toSentence } from "../model/event-sentence.ts";
import { toCount, toExact, toSpan } from "../model/format.ts";
import { Button, IconButton } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Icon } from "../parts/icon.tsx";
import { goTo, hasPast, useAddress } from "../shell/address.ts";
import { useKeys } from "../shell/keys.ts";
import { Link, toWorldAt } from "../shell/link.tsx";
import { usePast } from "./past-provider.tsx";
import "./past-bar.css";

const nobody: ReadonlyMap<string, string> = new Map();

/** Over a page that shows the past: which moment it is, how to move, and the way back. */
export function PastBar(): ReactNode {
  const { at, head, isThere, trouble, again } = usePast();
  const move = (to: number): void => goTo({ at: Math.max(1, Math.min(head, to)) }, "replace");
  useKeys(at === null ? {} : { ",": () => move(at - 1), ".": () => move(at + 1) });
  const { place, at: kept } = useAddress();
  if (at === null) return kept === null || hasPast(place) ? null : <NowBar kept={kept} />;
  return (
    <section className="past-bar" aria-label="The past" data-past={isThere ? at : "reading"}>
      <span className="past-lamp">
        <Icon name="clock" />
      </span>
      <div className="past-words" role="status">
        <b>This is the past{isThere ? <Moment at={at} /> : null}.</b>{" "}
        {trouble === null ? isThere ? <What at={at} /> : <>Reading event {toCount(at)} …</> : trouble}
        {trouble === null ? null : (
          <button type="button" className="text-button" onClick={again}>
            Try again
          </button>
        )}
      </div>
      <Scrubber at={at} head={head} onMove={move} />
      <span className="past-acts">
        <CopyButton text={`signalbox state --at ${at} --json`} label="Copy the command that shows the same" />
        <Link to={{ place: "events", event: at }} className="btn small">
          In the log
        </Link>
        <Button size="small" look="primary" hotkey="Z" onClick={() => goTo({ at: null })}>
          Back to now
        </Button>
      </span>
    </section>
  );
}

/** Over a page that has no past, when somebody comes from one: what is seen is now, and the moment is not lost. */
function NowBar({ kept }: { readonly kept: number }): ReactNode {
  return (
    <section className="past-bar is-now" aria-label="Now" data-now={kept}>
      <span className="past-lamp">
        <Icon name="clock" />
      </span>
      <div className="past-words" role="status">
        <b>This is now.</b> You looked at the world after event {toCount(kept)}.
      </div>
      <span className="past-acts">
        <Button size="small" onClick={() => goTo({ at: null }, "replace")}>
          Stay in now
        </Button>
        <Button size="small" look="primary" hotkey="Z" onClick={() => goTo(toWorldAt(kept))}>
          Back to event {toCount(kept)}
        </Button>
      </span>
    </section>
  );
}

/** How long ago it was, by the clock of now, and when exactly. */
function Moment({ at }: { readonly at: number }): ReactNode {
  const link = useLive((state) => state.link);
  const { clock } = usePast().live.store;
  const atMs = link.is === "past" && link.seq === at ? link.atMs : null;
  const span = useSyncExternalStore(clock.subscribe, () => (atMs === null ? "" : toSpan(clock.since(atMs))));
  if (atMs === null) return null;
  const exact = toExact(clock.toWallMs(atMs));
  return (
    <time title={exact}>
      : {span} ago, {exact.slice(0, -4)}
    </time>
  );
}

/** The event after which it was so. */
function What({ at }: { readonly at: number }): ReactNode {
  const event = useLive((state) => state.events.find(({ seq }) => seq === at));
  return (
    <span className="past-what">
      Event {toCount(at)}
      {event === undefined ? null : `: ${subjectOf(event, nobody) ?? ""} ${toSentence(event)}`}
      {at === 1 ? ". The log begins here" : null}
    </span>
  );
}

function Scrubber(props: {
  readonly at: number;
  readonly head: number;
  readonly onMove: (to: number) => void;
}): ReactNode {
  const { at, head, onMove } = props;
  // While it is dragged, it is where the hand is; the world follows.
  const [held, setHeld] = useState<number | null>(null);
  return (
    <span className="past-scrub">
      <IconButton icon="back" label="The event before" hotkey="," size="small" onClick={() => onMove(at - 1)} />
      <input
        type="range"
        min={1}
        max={Math.max(1, head)}
        value={held ?? at}
        aria-label="Event"
        aria-valuetext={`Event ${held ?? at} of ${head}`}
        onChange={({ target }) => {
          setHeld(Number(target.value));
          onMove(Number(target.value));
        }}
        onPointerUp={() => setHeld(null)}
        onBlur={() => setHeld(null)}
      />
      <IconButton icon="next" label="The event after" hotkey="." size="small" onClick={() => onMove(at + 1)} />
    </span>
  );
}
