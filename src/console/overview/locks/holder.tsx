import type { ReactNode } from "react";
import { useLive } from "../../live/live-context.tsx";
import { signals } from "../../model/signals.ts";
import { Icon } from "../../parts/icon.tsx";
import { RunLink } from "../../shell/link.tsx";

/** Who holds or waits: a run with its signal and title, or the name that somebody outside gave. */
export function Holder({ id }: { readonly id: string }): ReactNode {
  const run = useLive((state) => state.runs.get(id));
  if (run === undefined) {
    return (
      <span className="holder" title={`${id}, not a run of ours`}>
        <span className="a-rest">
          <Icon name="person" />
        </span>
        <RunLink id={id} />
      </span>
    );
  }
  const { icon, tone, word } = signals[run.state];
  return (
    <span className="holder" title={`${run.title}: ${word}`}>
      <span className={`a-${tone}`}>
        <Icon name={icon} />
        <span className="sr">{word}</span>
      </span>
      <RunLink id={id} />
      <span className="holder-title">{run.title}</span>
    </span>
  );
}
