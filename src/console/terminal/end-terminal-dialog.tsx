import type { ReactNode } from "react";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useBox } from "../live/live-context.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";

export function EndTerminalDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const { client } = useBox();
  const { toasts } = useActs();
  const command = `signalbox terminal close ${id}`;
  const end = (): void => {
    onClose();
    client
      .call("terminal.close", { terminal: id })
      .then(() => toasts.did({ tone: "rest", title: `${id} is ended`, command }))
      .catch((error: unknown) => showRefusal(toasts, `end ${id}`, error));
  };
  return (
    <ConfirmDialog title={`End ${id}?`} command={command} keep="Keep it" go={`End ${id}`} onClose={onClose} onGo={end}>
      <p>Everything that was started in it ends, for all who look. Its recording is kept.</p>
    </ConfirmDialog>
  );
}
