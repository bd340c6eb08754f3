import { type ReactNode, useEffect, useRef } from "react";
import { Icon } from "../parts/icon.tsx";
import { useAddress } from "./address.ts";
import { Link } from "./link.tsx";
import { linkOf, placeLinks, toPlace, usePlaceCounts } from "./places.ts";
import "./tabs.css";

/** The places, below the page on a phone. */
export function Tabs(): ReactNode {
  const { place } = useAddress();
  const counts = usePlaceCounts();
  const row = useRef<HTMLElement>(null);
  const current = linkOf(place);
  // There are more than fit: where one is, is always among those in sight.
  useEffect(() => {
    const at = placeLinks.findIndex(({ to }) => to === current);
    row.current?.children[at]?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [current]);
  return (
    <nav className="tabs" aria-label="Places" ref={row}>
      {placeLinks.map(({ to, label, icon }) => (
        <Link key={to} to={toPlace(to)} {...(current === to ? { current: "page" } : {})}>
          <Icon name={icon} />
          <span>{label}</span>
          {to === "inbox" && counts[to].count > 0 ? (
            <b className="tab-count">
              {counts[to].count}
              <span className="sr"> {counts[to].what}</span>
            </b>
          ) : null}
        </Link>
      ))}
    </nav>
  );
}
