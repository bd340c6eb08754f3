import type { ReactNode } from "react";
import type { RunState } from "../../protocol/wire/run.ts";
import { signals } from "../model/signals.ts";
import { Icon } from "./icon.tsx";

/** A run's state as shape, word and colour. */
export function StateWord({ state }: { readonly state: RunState }): ReactNode {
  const { word, icon, tone } = signals[state];
  return (
    <span className={`state a-${tone}`}>
      <Icon name={icon} />
      <span>{word}</span>
    </span>
  );
}

/** The same on a tinted ground, for the head of a page. */
export function StateBadge({
  state,
  children,
}: {
  readonly state: RunState;
  readonly children?: ReactNode;
}): ReactNode {
  const { word, icon, tone } = signals[state];
  return (
    <span className={`badge a-${tone}`}>
      <Icon name={icon} />
      <span>{word}</span>
      {children}
    </span>
  );
}
