import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { usePressOutside } from "./use-press-outside.ts";
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
  // The browser tells of a dialog that has closed some time after it has. A key that opens the next one meanwhile would open what is
  // closed then; so whoever closes it here says so at once.
  const close = (): void => {
    ref.current?.close();
    onClose();
  };
  const outside = usePressOutside(ref, close);
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null || dialog.open) return undefined;
    const before = document.activeElement;
    dialog.showModal();
    // Focus belongs on what the person came for, not on the first thing that can have it.
    const first = dialog.querySelector<HTMLElement>("[data-first]");
    (first ?? dialog).focus();
    // Where there is only something to read, reading begins at the top; the browser went to the first thing with a focus.
    if (first === null) dialog.scrollTop = 0;
    // A button of its own takes it away while it is open, and then the browser gives the focus to nothing.
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      tabIndex={-1}
      className={wide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      onClose={onClose}
      onCancel={({ target }) => {
        if (target === ref.current) close();
      }}
      onKeyDown={(event) => {
        if (isTyped(event)) ref.current?.focus();
      }}
      {...outside}
    >
      <div className="dialog-in">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/**
 * A letter that nothing here takes: somebody types on and does not know that a letter has opened this. So what they press next is
 * no answer: the button that a key would have pressed loses it.
 */
function isTyped({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent<HTMLElement>): boolean {
  const isInField = target instanceof Element && target.closest("input, textarea, select") !== null;
  return key.length === 1 && key !== " " && !isInField && !altKey && !ctrlKey && !metaKey;
}
