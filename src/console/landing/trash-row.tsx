import type { ReactNode } from "react";
import type { TrashItem } from "../../protocol/wire/change.ts";
import { useIsLive } from "../live/live-context.tsx";
import { toVisible } from "../model/visible-text.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Since } from "../parts/times.tsx";
import { RunLink } from "../shell/link.tsx";
import { PurgeDialog } from "./purge-dialog.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";
import "./landing.css";

export type AskedOfTrash = { readonly item: TrashItem; readonly how: "restore" | "purge" };

/** One file that was set aside: why, and the way back. Where all are of one run, that is not said of each. */
export function TrashRow(props: {
  readonly item: TrashItem;
  readonly isOfOneRun?: boolean;
  readonly onAsk: (how: AskedOfTrash["how"]) => void;
}): ReactNode {
  const { item, isOfOneRun = false, onAsk } = props;
  const isLive = useIsLive();
  return (
    <li className="landing-row" data-trash={item.path} tabIndex={-1} data-step>
      <span className="dim">
        <Icon name="trash" />
      </span>
      <span className="landing-what">
        <span className="rid trash-path" title={item.path}>
          {toVisible(item.path)}
          {item.work === null ? " (deleted)" : ""}
        </span>
        <span className="dim">
          {isOfOneRun ? null : (
            <>
              {item.agent === null ? <RunLink id={item.run} /> : item.agent} {item.projectName}:{" "}
            </>
          )}
          {item.why}
        </span>
      </span>
      <Since atMs={item.atMs} />
      <span className="trash-acts">
        <Button size="small" hotkey={isOfOneRun ? undefined : "R"} disabled={!isLive} onClick={() => onAsk("restore")}>
          Restore…
        </Button>
        <Button
          size="small"
          look="danger"
          hotkey={isOfOneRun ? undefined : "E"}
          disabled={!isLive}
          onClick={() => onAsk("purge")}
        >
          Purge…
        </Button>
      </span>
    </li>
  );
}

/** Shows what it was and gives it back, or asks before it goes for good. */
export function TrashDialog(props: { readonly asked: AskedOfTrash | null; readonly onClose: () => void }): ReactNode {
  const { asked, onClose } = props;
  if (asked === null) return null;
  const Asking = asked.how === "restore" ? RestoreDialog : PurgeDialog;
  return <Asking item={asked.item} onClose={onClose} />;
}
