import { type ReactNode, useMemo } from "react";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { toCount } from "../model/format.ts";
import { type TickerLine, toTickerLines } from "../model/ticker.ts";
import { EventRow } from "../overview/events/event-row.tsx";
import "../overview/events/events.css";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { OlderEvents } from "../parts/older-events.tsx";
import { Panel } from "../parts/panel.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { useShown } from "../parts/use-shown.ts";
import type { AgentLog } from "./use-agent-events.ts";

const stepRows = 200;
const nobody: ReadonlyMap<string, string> = new Map();

/** Everything that happened to the agent and its services, the newest first. */
export function AgentStory({ log }: { readonly log: AgentLog }): ReactNode {
  const { events, madeApart, trouble, again } = log;
  const [rowsMax, showMore] = useShown("agent story", stepRows);
  const { lines, first, count } = useMemo(() => {
    const all = events ?? [];
    const told = madeApart === null ? all : all.slice(0, -1);
    const toLines = (some: readonly LogEvent[]): TickerLine[] => toTickerLines(some, nobody, () => true, rowsMax);
    return { count: told.length, lines: toLines(told), first: madeApart === null ? [] : toLines([madeApart]) };
  }, [events, madeApart, rowsMax]);
  return (
    <Panel name="story" title="What happened" meta="newest first">
      {events === null ? null : <Trouble trouble={trouble} again={again} />}
      {events === null ? (
        <Awaited what="Reading the log" trouble={trouble} again={again} />
      ) : (
        <div className="panel-scroll" tabIndex={0} role="group" aria-label="Events of the agent">
          <Lines lines={lines} />
          {count > rowsMax ? (
            <div className="more-row">
              <Button size="small" onClick={showMore}>
                {`Show ${Math.min(stepRows, count - rowsMax)} more of ${toCount(count)}`}
              </Button>
            </div>
          ) : (
            <>
              <OlderEvents log={log} />
              <Lines lines={first} />
            </>
          )}
        </div>
      )}
    </Panel>
  );
}

function Lines({ lines }: { readonly lines: readonly TickerLine[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <ol>
      {lines.map((line) => (
        <EventRow key={line.seq} line={{ ...line, agent: undefined }} />
      ))}
    </ol>
  );
}
