import { type ReactNode, useSyncExternalStore } from "react";
import { Button, IconButton } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Icon } from "../parts/icon.tsx";
import { useKeys } from "../shell/keys.ts";
import { useActs } from "./act-context.tsx";
import type { Toast } from "./toasts.ts";
import "./toast-list.css";

const icons = { go: "done", rest: "done", stop: "failed" } as const;

export function ToastList(): ReactNode {
  const { toasts } = useActs();
  const shown = useSyncExternalStore(toasts.subscribe, toasts.read);
  // Wherever one is: what is drawn in a toast works where the toast is.
  useKeys({ U: () => toasts.undoLast() });
  return (
    <div
      className="toasts"
      role="status"
      aria-live="polite"
      onPointerEnter={() => toasts.hold("hand")}
      onPointerLeave={() => toasts.letGo("hand")}
      onFocus={() => toasts.hold("focus")}
      onBlur={({ currentTarget, relatedTarget }) => {
        // From one button to the next is not away.
        if (!currentTarget.contains(relatedTarget)) toasts.letGo("focus");
      }}
    >
      {shown.map((toast) => (
        <ToastCard
          key={toast.id}
          toast={toast}
          onDismiss={() => toasts.dismiss(toast.id)}
          onUndo={() => toasts.undo(toast)}
        />
      ))}
    </div>
  );
}

type ToastCardProps = {
  readonly toast: Toast;
  readonly onDismiss: () => void;
  readonly onUndo: () => void;
};

function ToastCard({ toast, onDismiss, onUndo }: ToastCardProps): ReactNode {
  const { tone, title, detail, command, undo } = toast;
  return (
    <div className="toast">
      <span className={`a-${tone}`}>
        <Icon name={icons[tone]} />
      </span>
      <div className="toast-words">
        <b>{title}</b>
        {detail === undefined ? null : <p>{detail}</p>}
        {command === undefined ? null : (
          <p className="toast-command">
            <code>{command}</code>
            <CopyButton text={command} label="Copy the command" />
          </p>
        )}
      </div>
      {undo === undefined ? null : (
        <Button size="small" hotkey="U" onClick={onUndo}>
          Undo
        </Button>
      )}
      <IconButton icon="close" label="Dismiss" size="small" onClick={onDismiss} />
    </div>
  );
}
