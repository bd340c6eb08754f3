import type { ReactNode } from "react";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { toSettingPast } from "../model/settings-past.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { toWho } from "../model/who.ts";
import { toVisible } from "../model/visible-text.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Ago } from "../parts/times.tsx";

const pageMax = 1000;
const pagesMax = 5;

/** Who changed it, what, and when. */
export function PastPanel({
  noun,
  name,
}: {
  readonly noun: "policy" | "profile" | "runner" | "project";
  readonly name: string;
}): ReactNode {
  const newest = useNewest(({ type }) => type.startsWith(`${noun}.`));
  const { value, trouble, again } = useAsked({
    subject: `past of ${noun}`,
    stamp: newest,
    ask: async (client, signal) => {
      const events: LogEvent[] = [];
      for (let [pages, after] = [0, 0]; pages < pagesMax; pages++) {
        const page = await client.call("events.read", { after, types: [`${noun}.`], limit: pageMax }, { signal });
        events.push(...page.events);
        if (!page.more) break;
        after = page.next;
      }
      return events;
    },
  });
  const past = value === null ? null : toSettingPast(value, noun, name);
  return (
    <Panel
      name="past"
      title="Who changed it"
      meta={past === null || past.length === 0 ? undefined : "the newest first"}
    >
      {past === null ? (
        <Awaited what="Reading the log" trouble={trouble} again={again} />
      ) : past.length === 0 ? (
        <Quiet title="Nobody has changed it" />
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
    </Panel>
  );
}
