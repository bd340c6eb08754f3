import { memo, type ReactNode } from "react";
import type { TickerLine } from "../../model/ticker.ts";
import { Ago } from "../../parts/times.tsx";
import { Link, RunLink, toWorldAt } from "../../shell/link.tsx";

export const EventRow = memo(
  function EventRow({ line }: { readonly line: TickerLine }): ReactNode {
    return (
      <li className="event" data-event={line.type}>
        <Link to={toWorldAt(line.seq)} className="event-at" aside>
          <Ago brief atMs={line.atMs} />
        </Link>
        <p className="event-says">
          {line.subject === undefined ? null : <RunLink id={line.subject} aside />} {line.sentence}
          {line.times > 1 ? <span className="dim"> ×{line.times}</span> : null}
        </p>
        <p className="event-type" title={`Event ${line.seq}, by ${line.actor}`}>
          <code>{line.type}</code>
        </p>
      </li>
    );
  },
  (a, b) => a.line.seq === b.line.seq && a.line.times === b.line.times && a.line.subject === b.line.subject,
);
