import { type ReactNode, useMemo } from "react";
import { isOfRun } from "../live/is-of-run.ts";
import { useLog } from "../live/use-log.ts";
import { firstEventOf } from "../model/agent-story.ts";
import { toTickerLines } from "../model/ticker.ts";
import { EventRow } from "../overview/events/event-row.tsx";

const rowsMax = 100;
const nobody: ReadonlyMap<string, string> = new Map();

/** The last that happened to the run, the newest first. */
export function RunLog({ id }: { readonly id: string }): ReactNode {
  const { events, trouble } = useLog({
    filter: { run: id },
    first: firstEventOf(id),
    // Some of them are not told by themselves.
    count: 2 * rowsMax,
    isMeant: (event) => isOfRun(event, id),
  });
  const lines = useMemo(
    () => toTickerLines(events ?? [], nobody, ({ type }) => type !== "lease.renewed", rowsMax),
    [events],
  );
  return (
    <div className="sheet-part sheet-log">
      <h3>What happened</h3>
      {trouble === null ? null : <p className="a-stop">{trouble}</p>}
      {events === null && trouble === null ? <p className="dim">Reading the log …</p> : null}
      <ol>
        {lines.map((line) => (
          <EventRow key={line.seq} line={{ ...line, subject: undefined }} />
        ))}
      </ol>
    </div>
  );
}
