import type { ReactNode } from "react";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useBox } from "../live/live-context.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";

export function RemoveRecordingDialog(props: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const { id, onClose } = props;
  const { client } = useBox();
  const { toasts } = useActs();
  const command = `signalbox recording remove ${id}`;
  const remove = (): void => {
    onClose();
    client
      .call("terminal.forget", { terminal: id })
      .then(() => toasts.did({ tone: "rest", title: `The recording of ${id} is removed`, command }))
      .catch((error: unknown) => showRefusal(toasts, `remove the recording of ${id}`, error));
  };
  return (
    <ConfirmDialog
      title={`Remove the recording of ${id}?`}
      command={command}
      keep="Keep it"
      go="Remove it"
      onClose={onClose}
      onGo={remove}
    >
      <p>
        For good: nothing brings it back. The log still says that there was a terminal, and who removed its recording.
      </p>
    </ConfirmDialog>
  );
}
