import { type ReactNode, useMemo } from "react";
import { useLive } from "../live/live-context.tsx";
import { Panel } from "../parts/panel.tsx";
import { StateWord } from "../parts/state-word.tsx";
import { RunLink } from "../shell/link.tsx";

/** Runs that this one started, as far as the page knows them. */
export function SubRuns({ id }: { readonly id: string }): ReactNode {
  const runs = useLive((state) => state.runs);
  const own = useMemo(() => [...runs.values()].filter((run) => run.parent === id), [runs, id]);
  if (own.length === 0) return null;
  return (
    <Panel name="sub-runs" title="Started by it" meta={String(own.length)}>
      <ul className="sheet-part unit-list">
        {own.map((run) => (
          <li key={run.id}>
            <StateWord state={run.state} />
            <span className="holder-title">{run.title}</span>
            <RunLink id={run.id} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
