import { type ReactNode, useMemo, useState } from "react";
import { useLive } from "../live/live-context.tsx";
import { toCount, toMany } from "../model/format.ts";
import { signals } from "../model/signals.ts";
import { card, type GraphNode, toWaitGraph } from "../model/wait-graph.ts";
import { toWaitForest } from "../model/waits.ts";
import { Advice } from "../overview/locks/advice.tsx";
import { QueueList } from "../overview/locks/queue-list.tsx";
import { WaitTree } from "../overview/locks/wait-tree.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Segmented } from "../parts/segmented.tsx";
import { useIsNarrow } from "../parts/use-is-narrow.ts";
import { Link } from "../shell/link.tsx";
import "../overview/locks/waits.css";

const rootsMax = 50;

/** Who waits for whom: as a drawing, as a tree under each holder, or the queue as it stands. */
export function GraphPanel({ project }: { readonly project: string | null }): ReactNode {
  const locks = useLive((state) => state.locks);
  const isNarrow = useIsNarrow();
  const [chosen, setView] = useState<"graph" | "tree" | "order" | null>(null);
  const view = chosen ?? (isNarrow ? "tree" : "graph");
  const queue = useMemo(
    () => locks.queue.filter((entry) => project === null || entry.project === project),
    [locks, project],
  );
  const forest = useMemo(
    () => toWaitForest(locks).filter((root) => project === null || root.project === project || root.project === ""),
    [locks, project],
  );
  const isQuiet = queue.length === 0 && forest.length === 0;
  return (
    <Panel
      name="graph"
      title="Who waits for whom"
      meta={isQuiet ? undefined : `${toCount(queue.length)} waiting`}
      end={
        <Segmented
          label="How the queue is shown"
          value={view}
          options={[
            ["graph", "Graph"],
            ["tree", "By holder"],
            ["order", "In order"],
          ]}
          onChange={setView}
        />
      }
    >
      {isQuiet ? (
        <Quiet title="No run waits for a unit">
          When two want one unit, the second stands here and spends nothing.
        </Quiet>
      ) : (
        <>
          <div className="waits-scroll" tabIndex={0} role="group" aria-label="Waiting claims">
            {view === "graph" ? (
              <Drawing project={project} />
            ) : view === "tree" ? (
              forest.slice(0, rootsMax).map((root) => <WaitTree key={root.holder} root={root} />)
            ) : (
              <QueueList entries={queue} />
            )}
            {view === "tree" && forest.length > rootsMax ? (
              <p className="more-row">and {toCount(forest.length - rootsMax)} more holders that others wait for</p>
            ) : null}
          </div>
          <Advice root={forest[0]} />
        </>
      )}
    </Panel>
  );
}

function Drawing({ project }: { readonly project: string | null }): ReactNode {
  const locks = useLive((state) => state.locks);
  const graph = useMemo(() => toWaitGraph(locks, project), [locks, project]);
  return (
    <>
      <div className="graph" style={{ width: `${graph.width}px`, height: `${graph.height}px` }}>
        <svg aria-hidden="true" width={graph.width} height={graph.height}>
          {graph.wires.map(({ from, to, path, arrow }) => (
            <g key={`${from} ${to}`}>
              <path className="wire" d={path} />
              <path className="wire-end" d={arrow} />
            </g>
          ))}
        </svg>
        {graph.wires.map(({ from, to, label, labelX, labelY }) => (
          <span
            key={`${from} ${to}`}
            className="wire-label"
            style={{ left: `${labelX}px`, top: `${labelY}px`, maxWidth: `${card.gapX - 44}px` }}
            title={`${from} waits for ${to}: ${label}`}
          >
            <span className="sr">
              {from} waits for {to}:{" "}
            </span>
            {label}
          </span>
        ))}
        {graph.nodes.map((node) => (
          <Card key={node.holder} node={node} />
        ))}
      </div>
      {graph.left === 0 ? null : (
        <p className="more-row">{toMany(graph.left, "more holder")}: those in order and by holder show all</p>
      )}
    </>
  );
}

function Card({ node }: { readonly node: GraphNode }): ReactNode {
  const { holder, x, y } = node;
  const run = useLive((state) => state.runs.get(holder));
  const style = { left: `${x}px`, top: `${y}px`, width: `${card.width}px`, height: `${card.height}px` };
  if (run === undefined) {
    return (
      <span className="graph-card a-rest" style={style} data-graph={holder}>
        <Icon name="person" />
        <b>{holder}</b>
        <span className="rid">from outside</span>
      </span>
    );
  }
  const { icon, tone, word } = signals[run.state];
  return (
    <span className={`graph-card a-${tone}`} style={style} data-graph={holder}>
      <Icon name={icon} />
      <b title={run.title}>{run.title}</b>
      <Link to={{ run: holder }} className="rid">
        {holder}
      </Link>
      <em>{word}</em>
    </span>
  );
}
