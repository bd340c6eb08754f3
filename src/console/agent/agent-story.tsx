import { type ReactNode, useMemo } from "react";
import type { LogTail } from "../live/use-log.ts";
import { toCount } from "../model/format.ts";
import { toTickerLines } from "../model/ticker.ts";
import { EventRow } from "../overview/events/event-row.tsx";
import "../overview/events/events.css";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { OlderEvents } from "../parts/older-events.tsx";
import { Panel } from "../parts/panel.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { useShown } from "../parts/use-shown.ts";

const stepRows = 200;
const nobody: ReadonlyMap<string, string> = new Map();

/** Everything that happened to the agent and its services, the newest first. */
export function AgentStory({ log }: { readonly log: LogTail }): ReactNode {
  const { events, trouble, again } = log;
  const [rowsMax, showMore] = useShown("agent story", stepRows);
  const lines = useMemo(() => toTickerLines(events ?? [], nobody, () => true, rowsMax), [events, rowsMax]);
  return (
    <Panel name="story" title="What happened" meta="newest first">
      {events === null ? null : <Trouble trouble={trouble} again={again} />}
      {events === null ? (
        <Awaited what="Reading the log" trouble={trouble} again={again} />
      ) : (
        <div className="panel-scroll" tabIndex={0} role="group" aria-label="Events of the agent">
          <ol>
            {lines.map((line) => (
              <EventRow key={line.seq} line={{ ...line, agent: undefined }} />
            ))}
          </ol>
          {events.length > rowsMax ? (
            <div className="more-row">
              <Button size="small" onClick={showMore}>
                {`Show ${Math.min(stepRows, events.length - rowsMax)} more of ${toCount(events.length)}`}
              </Button>
            </div>
          ) : (
            <OlderEvents log={log} />
          )}
        </div>
      )}
    </Panel>
  );
}
