import { type ReactNode, useMemo, useState } from "react";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { toCount, toMany } from "../model/format.ts";
import { useProjectId } from "../overview/use-shown-runs.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { useShown } from "../parts/use-shown.ts";
import { DroppedRows } from "./dropped-rows.tsx";
import { type AskedOfTrash, TrashDialog, TrashRow } from "./trash-row.tsx";

const stepRows = 50;

/** What left a workspace without landing: to be had back until somebody lets it go. */
export function TrashPanel(): ReactNode {
  const project = useProjectId();
  const stamp = useNewest(({ type }) => type === "paths.set-aside" || type === "trash.purged");
  const { value, trouble, again } = useAsked({
    subject: "trash",
    stamp,
    ask: (client, signal) => client.call("trash.list", {}, { signal }),
  });
  const [rowsMax, showMore] = useShown("trash", stepRows);
  const [asked, setAsked] = useState<AskedOfTrash | null>(null);
  const items = useMemo(() => {
    const own = (value?.items ?? []).filter((item) => project === null || item.project === project);
    return own.toSorted((a, b) => b.atMs - a.atMs);
  }, [value, project]);
  const dropped = (value?.dropped ?? []).filter((each) => project === null || each.project === project);
  return (
    <Panel name="trash" title="Trash" meta={items.length === 0 ? undefined : toMany(items.length, "change")}>
      {value === null ? (
        <Awaited what="Reading the trash" trouble={trouble} again={again} />
      ) : items.length === 0 && dropped.length === 0 ? (
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
              <Button size="small" onClick={showMore}>
                {`Show ${Math.min(stepRows, items.length - rowsMax)} more of ${toCount(items.length)}`}
              </Button>
            </div>
          ) : null}
          <DroppedRows dropped={dropped} />
        </div>
      )}
      <TrashDialog asked={asked} onClose={() => setAsked(null)} />
    </Panel>
  );
}
