import type { ReactNode } from "react";

/** Sends what is written in a field of several lines. */
export const sendKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘↵" : "Ctrl ↵";

/** The key that does the same; hidden on touch and from those who hear the page, who have the sheet of keys. */
export function Key({ children }: { readonly children: string }): ReactNode {
  return <kbd aria-hidden="true">{children}</kbd>;
}
