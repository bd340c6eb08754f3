import { type ReactNode, useMemo } from "react";
import { useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { toCount } from "../model/format.ts";
import { countTree, type RunNode, stampOfTree, toRunTree } from "../model/run-tree.ts";
import { Panel } from "../parts/panel.tsx";
import { StateWord } from "../parts/state-word.tsx";
import { RunLink } from "../shell/link.tsx";

const treeMax = 1000;

/** Runs that this one started, and whom these did: also those that ended long ago, which only the daemon still knows. */
export function SubRuns({ id }: { readonly id: string }): ReactNode {
  const live = useLive((state) => state.runs);
  const stamp = useMemo(() => stampOfTree(toRunTree(live.values(), id)), [live, id]);
  const { value, trouble } = useAsked({
    subject: `tree of ${id}`,
    stamp,
    ask: (client, signal) => client.call("run.list", { tree: id, limit: treeMax }, { signal }),
  });
  const tree = useMemo(() => {
    const known = new Map([...(value?.runs ?? []), ...live.values()].map((run) => [run.id, run]));
    return toRunTree(known.values(), id);
  }, [value, live, id]);
  if (tree.length === 0 && trouble === null) return null;
  const isCut = value !== null && value.next !== null;
  return (
    <Panel
      name="sub-runs"
      title="Started by it"
      meta={`${toCount(countTree(tree))}${isCut ? ` of the newest ${toCount(treeMax)}` : ""}`}
    >
      <div className="sheet-part">
        {trouble === null ? null : (
          <p className="a-stop" role="alert">
            {trouble}
          </p>
        )}
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
            <StateWord state={run.state} stuck={run.stuck} />
            <span className="holder-title">{run.title}</span>
            <RunLink id={run.id} />
          </div>
          {started.length === 0 ? null : <Branch nodes={started} />}
        </li>
      ))}
    </ul>
  );
}
