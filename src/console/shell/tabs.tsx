import { type ReactNode, useState } from "react";
import { toCount } from "../model/format.ts";
import type { Tone } from "../model/signals.ts";
import { Icon } from "../parts/icon.tsx";
import { useAddress } from "./address.ts";
import { useKeys } from "./keys.ts";
import { Link } from "./link.tsx";
import { type LinkedPlace, linkOf, placeLinks, toPlace, usePlaceCounts } from "./places.ts";
import "./tabs.css";

/** Somebody on call wants these first; the others are one touch further. */
const first: readonly LinkedPlace[] = ["overview", "inbox", "runs", "agents"];
const tabs = placeLinks.filter(({ to }) => first.includes(to));
const others = placeLinks.filter(({ to }) => !first.includes(to));

/** The places, below the page on a phone: all of them can be reached from where the thumb is. */
export function Tabs(): ReactNode {
  const { place } = useAddress();
  const counts = usePlaceCounts();
  const [isOpen, setOpen] = useState(false);
  const current = linkOf(place);
  const [openAt, setOpenAt] = useState(current);
  // Whoever has gone somewhere has chosen.
  if (openAt !== current) {
    setOpenAt(current);
    setOpen(false);
  }
  useKeys(isOpen ? { Escape: () => setOpen(false) } : {});
  const here = others.find(({ to }) => to === current);
  return (
    <nav className="tabs" aria-label="Places">
      {tabs.map(({ to, label, icon }) => (
        <Link key={to} to={toPlace(to)} className="tab" {...(current === to ? { current: "page" } : {})}>
          <Icon name={icon} />
          <span>{label}</span>
          {calls(counts[to]) ? (
            <b className={`tab-count a-${counts[to].tone}`}>
              {counts[to].icon === undefined ? null : <Icon name={counts[to].icon} />}
              {toCount(counts[to].count)}
              <span className="sr"> {counts[to].what}</span>
            </b>
          ) : null}
        </Link>
      ))}
      <button
        type="button"
        className="tab"
        aria-expanded={isOpen}
        aria-controls="more-places"
        aria-current={here === undefined ? undefined : "page"}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={here?.icon ?? "more"} />
        <span>{here?.label ?? "More"}</span>
      </button>
      <div id="more-places" className="more-places" hidden={!isOpen}>
        {others.map(({ to, label, icon }) => (
          <Link key={to} to={toPlace(to)} className="more-place" {...(current === to ? { current: "page" } : {})}>
            <Icon name={icon} />
            <span>{label}</span>
            {counts[to].count === 0 ? null : (
              <span className={`rail-count a-${counts[to].tone}`}>
                {toCount(counts[to].count)}
                <span className="sr"> {counts[to].what}</span>
              </span>
            )}
          </Link>
        ))}
      </div>
    </nav>
  );
}

/** On a tab stands only what somebody should look at. */
function calls({ count, tone }: { readonly count: number; readonly tone: Tone }): boolean {
  return count > 0 && (tone === "you" || tone === "stop");
}
