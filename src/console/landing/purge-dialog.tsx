import type { ReactNode } from "react";
import type { TrashItem } from "../../protocol/wire/change.ts";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useBox } from "../live/live-context.tsx";
import { toVisible } from "../model/visible-text.ts";
import { Button } from "../parts/button.tsx";
import { Command } from "../parts/command.tsx";
import { Dialog } from "../parts/dialog.tsx";

/** Nothing brings it back: so it is named, and asked for. */
export function PurgeDialog({ item, onClose }: { readonly item: TrashItem; readonly onClose: () => void }): ReactNode {
  const { client } = useBox();
  const { toasts } = useActs();
  const command = `signalbox trash purge ${item.id}`;
  const purge = async (): Promise<void> => {
    onClose();
    try {
      await client.call("trash.purge", { ids: [item.id] });
      toasts.show({ tone: "rest", title: "Purged for good", detail: item.path, command });
    } catch (error) {
      showRefusal(toasts, `purge ${item.path}`, error);
    }
  };
  return (
    <Dialog title={`Purge ${toVisible(item.path)}?`} onClose={onClose}>
      <p className="dialog-what">
        {item.id}, of {item.run}
      </p>
      <p>What {item.run} made of it is gone for good then; nothing brings it back. The log keeps that it was there.</p>
      <Command text={command} />
      <div className="dialog-acts">
        <Button hotkey="Esc" first onClick={onClose}>
          Keep it
        </Button>
        <Button look="danger-fill" onClick={() => void purge()}>
          Purge it for good
        </Button>
      </div>
    </Dialog>
  );
}
