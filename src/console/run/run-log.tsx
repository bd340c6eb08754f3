import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { ProtocolError } from "../../protocol/errors.ts";
import { useBox, useLive } from "../live/live-context.tsx";
import { toTickerLines } from "../model/ticker.ts";
import { EventRow } from "../overview/events/event-row.tsx";
import { readRunLog } from "./read-run-log.ts";

const rowsMax = 100;
const nobody: ReadonlyMap<string, string> = new Map();

/** What happened to the run, the newest first: read once, then followed by the events that come. */
export function RunLog({ id }: { readonly id: string }): ReactNode {
  const { client } = useBox();
  const live = useLive((state) => state.events);
  const [past, setPast] = useState<readonly LogEvent[] | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    readRunLog(client, id, gone.signal).then(setPast, (error: unknown) => {
      if (!gone.signal.aborted) setTrouble(error instanceof ProtocolError ? error.message : String(error));
    });
    return () => gone.abort();
  }, [client, id]);
  const lines = useMemo(() => {
    if (past === null) return [];
    const last = past[0]?.seq ?? 0;
    const fresh = live.filter((event) => event.seq > last && event["run"] === id);
    return toTickerLines([...fresh, ...past], nobody, ({ type }) => type !== "lease.renewed", rowsMax);
  }, [past, live, id]);
  return (
    <div className="sheet-part sheet-log">
      <h3>What happened</h3>
      {trouble === null ? null : <p className="a-stop">{trouble}</p>}
      {past === null && trouble === null ? <p className="dim">Reading the log …</p> : null}
      <ol>
        {lines.map((line) => (
          <EventRow key={line.seq} line={{ ...line, subject: undefined }} />
        ))}
      </ol>
    </div>
  );
}
