import { type ReactNode, useMemo } from "react";
import { useLive } from "../live/live-context.tsx";
import { toMany } from "../model/format.ts";
import { signals } from "../model/signals.ts";
import { card, type GraphNode, toWaitGraph } from "../model/wait-graph.ts";
import { Icon } from "../parts/icon.tsx";
import { Link } from "../shell/link.tsx";

/** Who waits for whom, as a drawing. */
export function WaitGraph({ project }: { readonly project: string | null }): ReactNode {
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
        {graph.wires.map(({ from, to, label, place, labelX, labelY }) => (
          <span
            key={`${from} ${to}`}
            className="wire-label"
            style={{ left: `${labelX}px`, top: `${labelY}px`, maxWidth: `${card.gapX - 38}px` }}
            title={`${from} waits for ${to}: ${[label, place].filter((word) => word !== "").join(", ")}`}
          >
            <span className="sr">
              {from} waits for {to}:{" "}
            </span>
            <span className="wire-what">{label}</span>
            {place === "" ? null : `, ${place}`}
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
