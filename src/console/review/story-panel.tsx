import { type ReactNode, useMemo } from "react";
import { isOfRun } from "../live/is-of-run.ts";
import { useLog } from "../live/use-log.ts";
import { firstEventOf } from "../model/agent-story.ts";
import { type EventKind, exceptOf, kindOf, typesOf } from "../model/story-kinds.ts";
import { toTickerLines } from "../model/ticker.ts";
import { EventRow } from "../overview/events/event-row.tsx";
import "../overview/events/events.css";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { OlderEvents } from "../parts/older-events.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { useIsNarrow } from "../parts/use-is-narrow.ts";
import { useShown } from "../parts/use-shown.ts";
import { JustSaying } from "./just-saying.tsx";
import { goTo, useAddress } from "../shell/address.ts";

const steps = { wide: 200, narrow: 20 } as const;
const nobody: ReadonlyMap<string, string> = new Map();
const choices: readonly (readonly [EventKind | "all", string])[] = [
  ["all", "Everything"],
  ["message", "Messages"],
  ["call", "Calls"],
  ["lease", "Claims and leases"],
  ["state", "States"],
  ["change", "Changes"],
];

/** Everything that happened to the run, the newest first, or only one kind of it. */
export function StoryPanel({ id }: { readonly id: string }): ReactNode {
  const { kind } = useAddress();
  const stepRows = useIsNarrow() ? steps.narrow : steps.wide;
  const [rowsMax, showMore] = useShown("story", stepRows);
  const types = typesOf(kind);
  const log = useLog({
    filter: { run: id, ...(types === undefined ? {} : { types }), except: exceptOf(kind) },
    first: firstEventOf(id),
    // What a program tells of a call is told with the call.
    count: 2 * rowsMax,
    isMeant: (event) => isOfRun(event, id) && (kind === null || kindOf(event) === kind),
  });
  const { events, more, isSettled, trouble, again } = log;
  const lines = useMemo(() => toTickerLines(events ?? [], nobody, () => true, rowsMax), [events, rowsMax]);
  return (
    <Panel
      name="story"
      title="What happened"
      end={
        <select
          className="small-pick"
          aria-label="Which events"
          value={kind ?? "all"}
          onChange={({ target }) => goTo({ kind: toKind(target.value) }, "replace")}
        >
          {choices.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      }
    >
      {kind === null || kind === "message" ? <JustSaying run={id} /> : null}
      {events === null ? null : <Trouble trouble={trouble} again={again} />}
      {events === null ? (
        <Awaited what="Reading the log" trouble={trouble} again={again} />
      ) : lines.length === 0 && isSettled && !more ? (
        <Quiet title="Nothing of that kind has happened" />
      ) : (
        <div className="panel-scroll" tabIndex={0} role="group" aria-label="Events of the run">
          <ol>
            {lines.map((line) => (
              <EventRow key={line.seq} line={{ ...line, subject: undefined, agent: undefined }} />
            ))}
          </ol>
          {events.length > rowsMax ? (
            <div className="more-row">
              <Button size="small" onClick={showMore}>
                {`Show ${stepRows} more`}
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

function toKind(text: string): EventKind | null {
  const [kind = "all"] = choices.find(([each]) => each === text) ?? [];
  return kind === "all" ? null : kind;
}
