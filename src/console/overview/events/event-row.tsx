import { memo, type ReactNode } from "react";
import { Subject } from "../../events/subject.tsx";
import type { TickerLine } from "../../model/ticker.ts";
import { Ago } from "../../parts/times.tsx";
import { useAddress } from "../../shell/address.ts";
import { Link, toWorldAt } from "../../shell/link.tsx";

export const EventRow = memo(
  function EventRow({ line }: { readonly line: TickerLine }): ReactNode {
    const { place } = useAddress();
    // On the page of one thing it is the same thing then.
    const then = place === "run" || place === "agent" ? { at: line.seq } : toWorldAt(line.seq);
    return (
      <li className="event" data-event={line.type} title={`${line.type}, event ${line.seq}, by ${line.actor}`}>
        <Link to={then} className="event-at" aside>
          <Ago brief atMs={line.atMs} seq={line.seq} />
        </Link>
        <p className="event-says">
          <Subject subject={line.subject} agent={line.agent} /> {line.sentence}
          {line.times > 1 ? <span className="dim"> ×{line.times}</span> : null}
        </p>
      </li>
    );
  },
  (a, b) => a.line.seq === b.line.seq && a.line.times === b.line.times && a.line.subject === b.line.subject,
);
