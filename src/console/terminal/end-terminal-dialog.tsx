import { type ReactNode, type SubmitEvent } from "react";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useBox } from "../live/live-context.tsx";
import { Button } from "../parts/button.tsx";
import { Command } from "../parts/command.tsx";
import { Dialog } from "../parts/dialog.tsx";

export function EndTerminalDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const { client } = useBox();
  const { toasts } = useActs();
  const command = `signalbox terminals --end ${id}`;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onClose();
    client
      .call("terminal.close", { terminal: id })
      .then(() => toasts.show({ tone: "rest", title: `${id} is ended`, command }))
      .catch((error: unknown) => showRefusal(toasts, `end ${id}`, error));
  };
  return (
    <Dialog title={`End ${id}?`} onClose={onClose}>
      <p>Everything that was started in it ends, for all who look. Its recording is kept with its run.</p>
      <form onSubmit={submit}>
        <Command text={command} />
        <div className="dialog-acts">
          <Button hotkey="Esc" onClick={onClose}>
            Keep it
          </Button>
          <Button submits first look="danger-fill" hotkey="↵">
            {`End ${id}`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
