import type { ReactNode } from "react";
import type { Change } from "../../protocol/wire/change.ts";
import { type MeetingPlace, toMeetingPlaces } from "../model/three-sides.ts";
import { cutLine, toVisible } from "../model/visible-text.ts";
import "./three-panes.css";

const charsMax = 400;

/** A file on which two sides met: what was there, what mainline has made of it, what the run has. */
export function ThreePanes({ change, run }: { readonly change: Change; readonly run: string }): ReactNode {
  const places = toMeetingPlaces(change);
  const met = places.filter(({ isMet }) => isMet);
  const names = { base: "Base", theirs: "Theirs, on mainline", ours: `Ours, of ${run}` };
  const why = whyNotShown(change);
  if (why !== null || met.length === 0)
    return <p className="instead">{why ?? "Both sides of it cannot be shown as text here."}</p>;
  const rest = places.length - met.length;
  return (
    <>
      {met.map((place) => (
        <div key={place.from} className="panes" role="group" aria-label={`From line ${place.from}`}>
          {(["base", "theirs", "ours"] as const).map((side) => (
            <Pane key={side} name={names[side]} side={side} place={place} />
          ))}
        </div>
      ))}
      {rest === 0 ? null : (
        <p className="instead">
          {rest === 1
            ? "One more place was changed by one side alone, and merges by itself."
            : `${rest} more places were changed by one side alone, and merge by themselves.`}
        </p>
      )}
    </>
  );
}

function Pane(props: {
  readonly name: string;
  readonly side: "base" | "theirs" | "ours";
  readonly place: MeetingPlace;
}): ReactNode {
  const { name, side, place } = props;
  const { from, starts, base, before, after } = place;
  const lines = place[side];
  const start = starts[side];
  const isChanged = side !== "base";
  return (
    <section className="pane-side" aria-label={name} data-side={side}>
      <h3>{name}</h3>
      <ol tabIndex={0} aria-label={`${name}, from line ${from}`}>
        {before.map((text, at) => (
          <Line key={`before ${at}`} number={start - before.length + at} text={text} />
        ))}
        {lines.length === 0 ? (
          <li className="pane-gone">{isChanged && base.length > 0 ? "removed" : "nothing"}</li>
        ) : null}
        {lines.map((text, at) => (
          <Line key={at} number={start + at} text={text} look={isChanged && !base.includes(text) ? "new" : "met"} />
        ))}
        {after.map((text, at) => (
          <Line key={`after ${at}`} number={start + lines.length + at} text={text} />
        ))}
      </ol>
    </section>
  );
}

function Line(props: {
  readonly number: number;
  readonly text: string;
  readonly look?: "same" | "met" | "new";
}): ReactNode {
  const { number, text, look = "same" } = props;
  const { text: shown, left } = cutLine(text, charsMax);
  return (
    <li className={`pane-${look}`}>
      <span aria-hidden="true" className="pane-no">
        {number}
      </span>
      <span aria-hidden="true" className="pane-sign">
        {look === "new" ? "+" : look === "met" ? "│" : " "}
      </span>
      <code>
        {toVisible(shown)}
        {left === 0 ? null : " …"}
      </code>
    </li>
  );
}

function whyNotShown({ theirs, work, binary, tooLarge }: Change): string | null {
  if (theirs?.entry === null) return "Mainline has no such file any more; the run has changed it.";
  if (work === null) return "The run has deleted it; mainline has changed it.";
  if (binary) return "It is not text: one of the two sides has to be taken whole.";
  return tooLarge || theirs?.patch === "" ? "It is too large to be shown here; the run's page has its size." : null;
}
