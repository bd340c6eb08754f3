import { type ReactNode, useMemo, useState } from "react";
import type { TrashItem } from "../../protocol/wire/change.ts";
import { useIsLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { toCount, toMany } from "../model/format.ts";
import { toVisible } from "../model/visible-text.ts";
import { useProjectId } from "../overview/use-shown-runs.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Since } from "../parts/times.tsx";
import { RunLink } from "../shell/link.tsx";
import { PurgeDialog } from "./purge-dialog.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";

const stepRows = 50;

/** What left a workspace without landing: to be had back until somebody lets it go. */
export function TrashPanel(): ReactNode {
  const project = useProjectId();
  const stamp = useNewest(({ type }) => type === "paths.set-aside" || type === "trash.purged");
  const { value, trouble } = useAsked({
    subject: "trash",
    stamp,
    ask: (client, signal) => client.call("trash.list", {}, { signal }),
  });
  const [rowsMax, setRowsMax] = useState(stepRows);
  const [asked, setAsked] = useState<{ readonly item: TrashItem; readonly how: "restore" | "purge" } | null>(null);
  const items = useMemo(() => {
    const own = (value?.items ?? []).filter((item) => project === null || item.project === project);
    return own.toSorted((a, b) => b.atMs - a.atMs);
  }, [value, project]);
  return (
    <Panel name="trash" title="Trash" meta={value === null ? undefined : toMany(items.length, "change")}>
      {value === null ? (
        <Awaited what="Reading the trash" trouble={trouble} />
      ) : items.length === 0 ? (
        <Quiet title="The trash is empty">
          What is rejected, fails or is set aside comes here, and can be had back.
        </Quiet>
      ) : (
        <div className="panel-scroll" tabIndex={0} role="group" aria-label="Trash">
          <ul>
            {items.slice(0, rowsMax).map((item) => (
              <TrashRow key={item.id} item={item} onAsk={(how) => setAsked({ item, how })} />
            ))}
          </ul>
          {items.length > rowsMax ? (
            <div className="more-row">
              <Button size="small" onClick={() => setRowsMax(rowsMax + stepRows)}>
                {`Show ${Math.min(stepRows, items.length - rowsMax)} more of ${toCount(items.length)}`}
              </Button>
            </div>
          ) : null}
        </div>
      )}
      {asked?.how === "restore" ? <RestoreDialog item={asked.item} onClose={() => setAsked(null)} /> : null}
      {asked?.how === "purge" ? <PurgeDialog item={asked.item} onClose={() => setAsked(null)} /> : null}
    </Panel>
  );
}

function TrashRow(props: { readonly item: TrashItem; readonly onAsk: (how: "restore" | "purge") => void }): ReactNode {
  const { item, onAsk } = props;
  const isLive = useIsLive();
  return (
    <li className="landing-row" data-trash={item.path}>
      <span className="dim">
        <Icon name="trash" />
      </span>
      <span className="landing-what">
        <span className="rid trash-path" title={item.path}>
          {toVisible(item.path)}
          {item.work === null ? " (deleted)" : ""}
        </span>
        <span className="dim">
          <RunLink id={item.run} /> {item.projectName}: {item.why}
        </span>
      </span>
      <Since atMs={item.atMs} />
      <span className="trash-acts">
        <Button size="small" disabled={!isLive} onClick={() => onAsk("restore")}>
          Restore…
        </Button>
        <Button size="small" look="danger" disabled={!isLive} onClick={() => onAsk("purge")}>
          Purge…
        </Button>
      </span>
    </li>
  );
}
