import type { ReactNode } from "react";
import type { TrashItem } from "../../protocol/wire/change.ts";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useBox } from "../live/live-context.tsx";
import { toVisible } from "../model/visible-text.ts";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";

/** Nothing brings it back: so it is named, and asked for. */
export function PurgeDialog({ item, onClose }: { readonly item: TrashItem; readonly onClose: () => void }): ReactNode {
  const { client } = useBox();
  const { toasts } = useActs();
  const command = `signalbox trash purge ${item.id}`;
  const purge = async (): Promise<void> => {
    onClose();
    try {
      await client.call("trash.purge", { ids: [item.id] });
      toasts.did({ tone: "rest", title: "Purged for good", detail: item.path, command });
    } catch (error) {
      showRefusal(toasts, `purge ${item.path}`, error);
    }
  };
  return (
    <ConfirmDialog
      isGrave
      title={`Purge ${toVisible(item.path)}?`}
      what={`${item.id}, of ${item.run}`}
      command={command}
      keep="Keep it"
      go="Purge it for good"
      onClose={onClose}
      onGo={() => void purge()}
    >
      <p>What {item.run} made of it is gone for good then; nothing brings it back. The log keeps that it was there.</p>
    </ConfirmDialog>
  );
}
