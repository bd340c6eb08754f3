import type { ReactNode } from "react";
import { Key } from "./key.tsx";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-shapes.tsx";

export type ButtonProps = {
  readonly children: ReactNode;
  readonly onClick?: (() => void) | undefined;
  readonly look?: "plain" | "primary" | "danger" | "danger-fill" | "ghost" | undefined;
  readonly size?: "small" | "normal" | "large" | undefined;
  readonly icon?: IconName | undefined;
  /** Shown on the button; whoever uses the button also listens for it. */
  readonly hotkey?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly submits?: boolean | undefined;
  readonly title?: string | undefined;
  /** In a dialog: has the focus at first. */
  readonly first?: boolean | undefined;
  /** Of a button that switches something: whether it is on. */
  readonly pressed?: boolean | undefined;
};

export function Button(props: ButtonProps): ReactNode {
  const {
    children,
    onClick,
    look = "plain",
    size = "normal",
    icon,
    hotkey,
    disabled = false,
    submits,
    title,
    first,
    pressed,
  } = props;
  return (
    <button
      type={submits === true ? "submit" : "button"}
      className={`btn ${look} ${size}`}
      onClick={onClick}
      disabled={disabled}
      title={title}
      aria-keyshortcuts={hotkey}
      aria-pressed={pressed}
      data-first={first === true ? true : undefined}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      <span>{children}</span>
      {hotkey === undefined ? null : <Key>{hotkey}</Key>}
    </button>
  );
}

/** A button that shows only an icon; its label is for those who hear the page, and on hover. */
export function IconButton(props: {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly size?: "small" | "normal";
  readonly hotkey?: string;
  readonly disabled?: boolean;
}): ReactNode {
  const { icon, label, onClick, size = "normal", hotkey, disabled = false } = props;
  return (
    <button
      type="button"
      className={`btn ghost icon ${size}`}
      aria-label={label}
      title={hotkey === undefined ? label : `${label} (${hotkey})`}
      aria-keyshortcuts={hotkey}
      onClick={onClick}
      disabled={disabled}
    >
      <Icon name={icon} />
    </button>
  );
}
