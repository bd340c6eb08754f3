import { type ReactNode, useState } from "react";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { toMany } from "../model/format.ts";
import { type AskedOfTrash, TrashDialog, TrashRow } from "../landing/trash-row.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Panel } from "../parts/panel.tsx";

/** What the run has changed and did not land: why, and the way back. A run without such a thing has no such panel. */
export function AsidePanel({ id }: { readonly id: string }): ReactNode {
  const stamp = useNewest(({ type }) => type === "paths.set-aside" || type === "trash.purged");
  const { value } = useAsked({
    subject: `aside ${id}`,
    stamp,
    ask: (client, signal) => client.call("trash.list", { run: id }, { signal }),
  });
  const [asked, setAsked] = useState<AskedOfTrash | null>(null);
  const items = value?.items ?? [];
  if (items.length === 0) return null;
  const command = `signalbox trash list --run ${id}`;
  return (
    <Panel
      name="aside"
      title="Set aside"
      meta={`${toMany(items.length, "file")} did not land`}
      end={<CopyButton text={command} label={`Copy: ${command}`} />}
    >
      <div className="panel-scroll" tabIndex={0} role="group" aria-label="Set aside">
        <ul>
          {items.map((item) => (
            <TrashRow key={item.id} item={item} isOfOneRun onAsk={(how) => setAsked({ item, how })} />
          ))}
        </ul>
      </div>
      <TrashDialog asked={asked} onClose={() => setAsked(null)} />
    </Panel>
  );
}
