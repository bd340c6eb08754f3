import { type ReactNode, useMemo } from "react";
import { useLive } from "../live/live-context.tsx";
import { toCount } from "../model/format.ts";
import { isOver } from "../model/signals.ts";
import { Icon } from "../parts/icon.tsx";
import { Logo } from "../parts/logo.tsx";
import { useAddress } from "./address.ts";
import { Link } from "./link.tsx";
import { type LinkedPlace, linkOf, placeLinks, toPlace, usePlaceCounts } from "./places.ts";
import "./rail.css";

export function Rail(): ReactNode {
  const { place } = useAddress();
  const counts = usePlaceCounts();
  return (
    <div className="rail">
      <nav aria-label="Places">
        <Link to={{ place: "overview", tone: null, find: "", run: null }} className="brand">
          <Logo />
          <span>Signalbox</span>
        </Link>
        {placeLinks.map(({ to, label, icon }) => (
          <Link key={to} to={toPlace(to)} className="rail-link" {...(linkOf(place) === to ? { current: "page" } : {})}>
            <Icon name={icon} />
            <span>{label}</span>
            <PlaceCount {...counts[to]} />
          </Link>
        ))}
      </nav>
      <ProjectLinks />
    </div>
  );
}

function PlaceCount({ count, tone, what, icon }: ReturnType<typeof usePlaceCounts>[LinkedPlace]): ReactNode {
  if (count === 0) return null;
  return (
    <span className={`rail-count a-${tone}`} title={what}>
      {icon === undefined ? null : <Icon name={icon} />}
      {toCount(count)}
      <span className="sr"> {what}</span>
    </span>
  );
}

function ProjectLinks(): ReactNode {
  const { project: chosen } = useAddress();
  const projects = useLive((state) => state.projects);
  const runs = useLive((state) => state.runs);
  const active = useMemo(() => {
    const counts = new Map<string, number>();
    for (const run of runs.values()) {
      if (!isOver(run.state)) counts.set(run.project, (counts.get(run.project) ?? 0) + 1);
    }
    return counts;
  }, [runs]);
  return (
    <nav aria-label="Projects" className="rail-projects">
      <h2 className="rail-title">Projects</h2>
      <Link to={{ project: null }} className="rail-link" {...(chosen === null ? { current: true } : {})}>
        <Icon name="project" />
        <span>All projects</span>
      </Link>
      {projects.map(({ id, name }) => (
        <Link key={id} to={{ project: name }} className="rail-link" {...(chosen === name ? { current: true } : {})}>
          <Icon name="project" />
          <span title={name}>{name}</span>
          <span className="rail-count" title="active runs">
            {toCount(active.get(id) ?? 0)}
            <span className="sr"> active runs</span>
          </span>
        </Link>
      ))}
    </nav>
  );
}
