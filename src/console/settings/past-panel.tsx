import type { ReactNode } from "react";
import { useLog } from "../live/use-log.ts";
import { toSettingPast } from "../model/settings-past.ts";
import { toWho } from "../model/who.ts";
import { toVisible } from "../model/visible-text.ts";
import { Awaited } from "../parts/awaited.tsx";
import { OlderEvents } from "../parts/older-events.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Ago } from "../parts/times.tsx";
import { Trouble } from "../parts/trouble.tsx";

const eventsMax = 1000;

/** Who changed it, what, and when. */
export function PastPanel({
  noun,
  name,
}: {
  readonly noun: "policy" | "profile" | "runner" | "project";
  readonly name: string;
}): ReactNode {
  const log = useLog({
    filter: { types: [`${noun}.`] },
    count: eventsMax,
    isMeant: ({ type }) => type.startsWith(`${noun}.`),
  });
  const { events, more, isSettled, trouble, again } = log;
  const isRead = events !== null && (isSettled || events.length > 0);
  const past = isRead ? toSettingPast(events.toReversed(), noun, name, !more) : null;
  return (
    <Panel
      name="past"
      title="Who changed it"
      meta={past === null || past.length === 0 ? undefined : "the newest first"}
    >
      {past === null ? null : <Trouble trouble={trouble} again={again} />}
      {past === null ? (
        <Awaited what="Reading the log" trouble={trouble} again={again} />
      ) : past.length === 0 ? (
        <Quiet title={more ? "Nobody has changed it lately" : "Nobody has changed it"} />
      ) : (
        <ol className="setting-past" tabIndex={0} aria-label="Changes, the newest first">
          {past.map(({ seq, atMs, actor, what, changes }) => (
            <li key={seq} data-change={what}>
              <b>{toWho(actor)}</b> {what === "made" ? "made it" : `${what} it`}
              <span className="dim">
                <Ago atMs={atMs} />
              </span>
              {changes.map((change) => (
                <code key={change}>{toVisible(change)}</code>
              ))}
            </li>
          ))}
        </ol>
      )}
      {past === null ? null : <OlderEvents log={log} />}
    </Panel>
  );
}
