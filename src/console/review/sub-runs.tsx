import { type ReactNode, useMemo } from "react";
import { useLive } from "../live/live-context.tsx";
import { countTree, type RunNode, toRunTree } from "../model/run-tree.ts";
import { Panel } from "../parts/panel.tsx";
import { StateWord } from "../parts/state-word.tsx";
import { RunLink } from "../shell/link.tsx";

/** Runs that this one started, and whom these did, as far as the page knows them. */
export function SubRuns({ id }: { readonly id: string }): ReactNode {
  const runs = useLive((state) => state.runs);
  const tree = useMemo(() => toRunTree(runs.values(), id), [runs, id]);
  if (tree.length === 0) return null;
  return (
    <Panel name="sub-runs" title="Started by it" meta={String(countTree(tree))}>
      <div className="sheet-part">
        <Branch nodes={tree} />
      </div>
    </Panel>
  );
}

function Branch({ nodes }: { readonly nodes: readonly RunNode[] }): ReactNode {
  return (
    <ul className="run-tree">
      {nodes.map(({ run, started }) => (
        <li key={run.id} data-sub-run={run.id}>
          <div className="run-tree-row">
            <StateWord state={run.state} />
            <span className="holder-title">{run.title}</span>
            <RunLink id={run.id} />
          </div>
          {started.length === 0 ? null : <Branch nodes={started} />}
        </li>
      ))}
    </ul>
  );
}
