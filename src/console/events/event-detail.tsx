import type { ReactNode } from "react";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { useBox } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { toSentence } from "../model/event-sentence.ts";
import { toCount, toExact } from "../model/format.ts";
import { toVisible } from "../model/visible-text.ts";
import { Awaited } from "../parts/awaited.tsx";
import { IconButton } from "../parts/button.tsx";
import { Command } from "../parts/command.tsx";
import { Key } from "../parts/key.tsx";
import { Since } from "../parts/times.tsx";
import { goTo } from "../shell/address.ts";
import { Link, toWorldAt } from "../shell/link.tsx";

const envelope = new Set(["seq", "atMs", "type", "v", "cause", "actor"]);

/** One event, with everything that it says. */
export function EventDetail({ seq, known }: { readonly seq: number; readonly known: LogEvent | undefined }): ReactNode {
  const asked = useAsked({
    subject: `event ${seq}`,
    stamp: 0,
    ask: async (client, signal) =>
      known ?? (await client.call("events.read", { after: seq - 1, limit: 1 }, { signal })).events[0] ?? null,
  });
  const event = known ?? asked.value;
  return (
    <aside className="event-detail" aria-label={`Event ${seq}`} data-detail={seq}>
      <header>
        <h3>
          Event <span className="num">{toCount(seq)}</span>
        </h3>
        <IconButton
          icon="close"
          label="Close"
          hotkey="Esc"
          size="small"
          onClick={() => goTo({ event: null }, "replace")}
        />
      </header>
      {event === null ? (
        <Awaited what="Reading it" trouble={asked.trouble} again={asked.again} />
      ) : (
        <>
          <p className="event-detail-says">{toSentence(event)}</p>
          <Facts event={event} />
          <Link to={toWorldAt(seq)} className="btn small">
            The world then <Key>W</Key>
          </Link>
          <Command text={`signalbox log export --from ${seq} --to ${seq}`} />
        </>
      )}
    </aside>
  );
}

function Facts({ event }: { readonly event: LogEvent }): ReactNode {
  const { clock } = useBox().store;
  const rest = Object.entries(event).filter(([name]) => !envelope.has(name));
  return (
    <dl className="event-facts">
      <dt>type</dt>
      <dd>
        <code>
          {event.type} v{event.v}
        </code>
      </dd>
      <dt>at</dt>
      <dd>
        {toExact(clock.toWallMs(event.atMs, event.seq))}{" "}
        <span className="dim">
          (<Since atMs={event.atMs} seq={event.seq} /> ago)
        </span>
      </dd>
      <dt>by</dt>
      <dd>{event.actor}</dd>
      {event.cause === null ? null : (
        <>
          <dt>because of</dt>
          <dd>
            <Link to={{ event: event.cause }} className="rid">
              event {toCount(event.cause)}
            </Link>
          </dd>
        </>
      )}
      {rest.map(([name, value]) => (
        <Fact key={name} name={name} value={value} />
      ))}
    </dl>
  );
}

/** What somebody wrote is text, whatever it looks like. */
function Fact({ name, value }: { readonly name: string; readonly value: unknown }): ReactNode {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 1);
  return (
    <>
      <dt>{name}</dt>
      <dd className="event-value">{(text ?? "").split("\n").map(toVisible).join("\n")}</dd>
    </>
  );
}
