import type { ReactNode } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import { signalOf } from "../model/signals.ts";
import { Icon } from "./icon.tsx";

/** What is known of a run's state: that it may be stuck is left out where nobody says it. */
type StateOf = Pick<Run, "state"> & Partial<Pick<Run, "stuck">>;

/** A run's state as shape, word and colour. */
export function StateWord({ state, stuck = null }: StateOf): ReactNode {
  const { word, means, icon, tone } = signalOf({ state, stuck });
  return (
    <span className={`state a-${tone}`} title={means}>
      <Icon name={icon} />
      <span>{word}</span>
    </span>
  );
}

/** The same on a tinted ground, for the head of a page. */
export function StateBadge({ state, stuck = null, children }: StateOf & { readonly children?: ReactNode }): ReactNode {
  const { word, means, icon, tone } = signalOf({ state, stuck });
  return (
    <span className={`badge a-${tone}`} title={means}>
      <Icon name={icon} />
      <span>{word}</span>
      {children}
    </span>
  );
}
