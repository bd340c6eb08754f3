import { type ReactNode, useEffect, useId, useRef } from "react";
import "./dialog.css";

/** The browser's own dialog: it keeps the focus inside, closes by Escape and gives the focus back. */
export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const { title, onClose, wide = false, children } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null || dialog.open) return;
    dialog.showModal();
    // Focus belongs on what the person came for, not on the first thing that can have it.
    const first = dialog.querySelector<HTMLElement>("[data-first]");
    (first ?? dialog).focus();
    // Where there is only something to read, reading begins at the top; the browser went to the first thing with a focus.
    if (first === null) dialog.scrollTop = 0;
  }, []);
  return (
    <dialog
      ref={ref}
      tabIndex={-1}
      className={wide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === ref.current) ref.current.close();
      }}
    >
      <div className="dialog-in">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
