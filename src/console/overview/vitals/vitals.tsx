import { type ReactNode, useEffect, useState } from "react";
import { showDollars } from "../../../protocol/dollars.ts";
import { useIsLive, useLive } from "../../live/live-context.tsx";
import { useAsked } from "../../live/use-asked.ts";
import { useLandingHistory } from "../../landing/use-landing-history.ts";
import type { LandingRow } from "../../model/landing-history.ts";
import { toVitals, type Vital } from "../../model/vitals.ts";
import { Icon } from "../../parts/icon.tsx";
import { Ago } from "../../parts/times.tsx";
import { useRunTitle } from "../use-run-title.ts";
import { Link, toRunPage } from "../../shell/link.tsx";
import "./vitals.css";

/** A machine tells nobody when its load changes: while somebody looks, it is asked now and then. */
const everyMs = 10_000;
const landingsMax = 3;

/** One line: how the machine is, what models cost today, and what landed lately. */
export function Vitals(): ReactNode {
  const isLive = useIsLive();
  const isPast = useLive((state) => state.link.is === "past");
  const beat = useBeat(isLive);
  const { value, trouble } = useAsked({
    subject: "vitals",
    // Not at each request of a model: the answer is about everything, and ten seconds are soon over.
    stamp: beat,
    ask: (client, signal) => client.call("state", {}, { signal }),
  });
  // What the machine was like is not in the log.
  if (isPast) return null;
  // What it was like before the connection broke is no answer.
  const known = isLive && trouble === null ? value : null;
  const vitals = toVitals(known?.nodes ?? []);
  return (
    <div className="vitals" role="group" aria-label="Machine, spend and landings">
      {vitals.map((vital) => (
        <VitalItem key={vital.name} {...vital} />
      ))}
      {vitals.length > 0 ? null : (
        <span className="dim">
          {isLive && trouble === null ? "Asking the machine …" : "The machine cannot be asked now"}
        </span>
      )}
      {known === null ? null : (
        <span className="vital" title={`${showDollars(known.budgets.totalMicros)} since the first run; days are UTC`}>
          <Icon name="budget" />
          Spent today <b className="num">{showDollars(known.budgets.todayMicros)}</b>
        </span>
      )}
      <RecentLandings />
    </div>
  );
}

function VitalItem({ name, text, title, share, isHigh }: Vital): ReactNode {
  return (
    <span className={isHigh ? "vital high" : "vital"} title={title}>
      {isHigh ? <Icon name="stuck" /> : null}
      {name}
      <span className="vital-bar" aria-hidden="true">
        <i style={{ width: `${Math.round(share * 100)}%` }} />
      </span>
      <b className="num">{text}</b>
      {isHigh ? <span className="sr"> more than is healthy</span> : null}
    </span>
  );
}

/** The newest few, each leading to its run; all of them are on the page of landings. */
function RecentLandings(): ReactNode {
  const { rows } = useLandingHistory();
  if (rows === null) return null;
  const landed = rows.filter(({ how }) => how === "landed").slice(0, landingsMax);
  if (landed.length === 0) return <span className="vital vital-end">Nothing has landed yet</span>;
  return (
    <span className="vital-end recent-landings">
      <Link to={{ place: "landing" }} className="vital" label="Landed lately: all landings">
        <Icon name="landing" />
        <span>Landed</span>
      </Link>
      <ol aria-label="Recent landings">
        {landed.map((row) => (
          <li key={row.seq} data-lately={row.run}>
            <Landing row={row} />
          </li>
        ))}
      </ol>
    </span>
  );
}

function Landing({ row: { run, atMs } }: { readonly row: LandingRow }): ReactNode {
  const title = useRunTitle(run);
  if (run === null) return null;
  return (
    <Link to={toRunPage(run)} className="vital" aside>
      <b className="vital-name" title={title ?? run}>
        {title ?? run}
      </b>
      <Ago atMs={atMs} />
    </Link>
  );
}

/** Counts up while the page is looked at. */
function useBeat(isLive: boolean): number {
  const [beat, setBeat] = useState(0);
  useEffect(() => {
    if (!isLive) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) setBeat((count) => count + 1);
    }, everyMs);
    return () => clearInterval(timer);
  }, [isLive]);
  return beat;
}
