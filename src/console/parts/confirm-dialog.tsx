import type { ReactNode, SubmitEvent } from "react";
import { Button } from "./button.tsx";
import { Command } from "./command.tsx";
import { Dialog } from "./dialog.tsx";

/** For what nothing brings back: names the thing, says what goes, and its button says what it does. */
export function ConfirmDialog(props: {
  readonly title: string;
  readonly what?: string;
  readonly children: ReactNode;
  /** Why it was refused, if it was. */
  readonly trouble?: string | null;
  readonly command?: string;
  readonly keep: string;
  readonly go: string;
  readonly isBusy?: boolean;
  /** Enter keeps it: one has to go to the other button. */
  readonly isGrave?: boolean;
  readonly onClose: () => void;
  readonly onGo: () => void;
}): ReactNode {
  const {
    title,
    what,
    children,
    trouble = null,
    command,
    keep,
    go,
    isBusy = false,
    isGrave = false,
    onClose,
    onGo,
  } = props;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onGo();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {what === undefined ? null : <p className="dialog-what">{what}</p>}
      {children}
      {trouble === null ? null : (
        <p className="a-stop" role="alert">
          {trouble}
        </p>
      )}
      <form onSubmit={submit}>
        {command === undefined ? null : <Command text={command} />}
        <div className="dialog-acts">
          <Button hotkey="Esc" first={isGrave} onClick={onClose}>
            {keep}
          </Button>
          <Button submits first={!isGrave} look="danger-fill" disabled={isBusy} hotkey={isGrave ? undefined : "↵"}>
            {go}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
