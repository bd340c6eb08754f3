import type { ReactNode } from "react";
import type { Look } from "../model/agent-signals.ts";
import { Icon } from "./icon.tsx";

/** A state as shape, word and colour. */
export function LookWord({ look }: { readonly look: Look }): ReactNode {
  return (
    <span className={`state a-${look.tone}`}>
      <Icon name={look.icon} />
      <span>{look.word}</span>
    </span>
  );
}

/** The same on a tinted ground, for the head of a page. */
export function LookBadge({ look, children }: { readonly look: Look; readonly children?: ReactNode }): ReactNode {
  return (
    <span className={`badge a-${look.tone}`}>
      <Icon name={look.icon} />
      <span>{look.word}</span>
      {children}
    </span>
  );
}
