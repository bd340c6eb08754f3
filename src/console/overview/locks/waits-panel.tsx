import { type ReactNode, useMemo } from "react";
import { useLive } from "../../live/live-context.tsx";
import { toCount } from "../../model/format.ts";
import { toWaitForest } from "../../model/waits.ts";
import { Panel, Quiet } from "../../parts/panel.tsx";
import { Segmented } from "../../parts/segmented.tsx";
import { useIsNarrow } from "../../parts/use-is-narrow.ts";
import { goTo, useAddress } from "../../shell/address.ts";
import { Advice } from "./advice.tsx";
import { QueueList } from "./queue-list.tsx";
import { WaitTree } from "./wait-tree.tsx";
import "./waits.css";

const rootsMax = 50;

type View = "graph" | "tree" | "order";

const views: readonly [View, string][] = [
  ["tree", "By holder"],
  ["order", "In order"],
];

/** Who waits for whom: as a tree under each holder, the queue as it stands, and as a drawing where there is room for one. */
export function WaitsPanel(props: {
  readonly name: string;
  readonly project: string | null;
  readonly drawing?: ReactNode;
}): ReactNode {
  const { name, project, drawing } = props;
  const locks = useLive((state) => state.locks);
  const isNarrow = useIsNarrow();
  const { waits } = useAddress();
  const usual = drawing === undefined || isNarrow ? "tree" : "graph";
  const view: View = waits === null || (waits === "graph" && drawing === undefined) ? usual : waits;
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
      name={name}
      title="Who waits for whom"
      meta={isQuiet ? undefined : `${toCount(queue.length)} waiting`}
      end={
        <Segmented
          label="How the queue is shown"
          value={view}
          options={drawing === undefined ? views : [["graph", "Graph"], ...views]}
          onChange={(next) => goTo({ waits: next === usual ? null : next }, "replace")}
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
              drawing
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
