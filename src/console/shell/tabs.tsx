import type { ReactNode } from "react";
import { Icon } from "../parts/icon.tsx";
import { useAddress } from "./address.ts";
import { Link } from "./link.tsx";
import { linkOf, placeLinks, toPlace, usePlaceCounts } from "./places.ts";
import "./tabs.css";

/** The places, below the page on a phone. */
export function Tabs(): ReactNode {
  const { place } = useAddress();
  const counts = usePlaceCounts();
  return (
    <nav className="tabs" aria-label="Places">
      {placeLinks.map(({ to, label, icon }) => (
        <Link key={to} to={toPlace(to)} {...(linkOf(place) === to ? { current: "page" } : {})}>
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
