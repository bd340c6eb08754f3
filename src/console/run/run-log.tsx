import { type ReactNode, useMemo } from "react";
import { isOfRun } from "../live/is-of-run.ts";
import { useLog } from "../live/use-log.ts";
import { firstEventOf } from "../model/agent-story.ts";
import { exceptOf } from "../model/story-kinds.ts";
import { toTickerLines } from "../model/ticker.ts";
import { EventRow } from "../overview/events/event-row.tsx";
import { Awaited } from "../parts/awaited.tsx";
import { OlderEvents } from "../parts/older-events.tsx";
import { Trouble } from "../parts/trouble.tsx";

const rowsMax = 100;
const nobody: ReadonlyMap<string, string> = new Map();

/** The last that happened to the run, the newest first. */
export function RunLog({ id }: { readonly id: string }): ReactNode {
  const log = useLog({
    filter: { run: id, except: exceptOf(null) },
    first: firstEventOf(id),
    // What a program tells of a call is told with the call.
    count: 2 * rowsMax,
    isMeant: (event) => isOfRun(event, id),
  });
  const { events, trouble, again } = log;
  const lines = useMemo(() => toTickerLines(events ?? [], nobody, () => true, rowsMax), [events]);
  return (
    <div className="sheet-part sheet-log">
      <h3>What happened</h3>
      {events === null ? (
        <Awaited what="Reading the log" trouble={trouble} again={again} />
      ) : (
        <Trouble trouble={trouble} again={again} />
      )}
      <ol>
        {lines.map((line) => (
          <EventRow key={line.seq} line={{ ...line, subject: undefined }} />
        ))}
      </ol>
      {events === null || lines.length === rowsMax ? null : <OlderEvents log={log} />}
    </div>
  );
}
