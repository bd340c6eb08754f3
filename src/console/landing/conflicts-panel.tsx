import { type ReactNode, useMemo, useState } from "react";
import { useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { type LandingRow, openConflicts } from "../model/landing-history.ts";
import { isOver } from "../model/signals.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel } from "../parts/panel.tsx";
import { StateWord } from "../parts/state-word.tsx";
import { Since } from "../parts/times.tsx";
import { DiffTable } from "../review/changes/diff-table.tsx";
import { TheirSide } from "../review/changes/their-side.tsx";
import { toBlocks } from "../model/diff-blocks.ts";
import { Link, toRunPage } from "../shell/link.tsx";

/** Landings that met somebody else's change and went back to their run, with both sides. */
export function ConflictsPanel({ rows }: { readonly rows: readonly LandingRow[] | null }): ReactNode {
  const runs = useLive((state) => state.runs);
  const open = useMemo(
    () =>
      openConflicts(rows ?? [], (run) => {
        const known = runs.get(run);
        return known !== undefined && !isOver(known.state);
      }),
    [rows, runs],
  );
  if (open.length === 0) return null;
  return (
    <Panel name="conflicts" title="Went back" meta="two sides met in the same place">
      <ul className="panel-scroll" tabIndex={0} aria-label="Conflicts">
        {open.map((row) => (
          <Conflict key={row.seq} row={row} />
        ))}
      </ul>
    </Panel>
  );
}

function Conflict({ row }: { readonly row: LandingRow }): ReactNode {
  const id = row.run ?? "";
  const run = useLive((state) => state.runs.get(id));
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="conflict" data-conflict={id}>
      <p className="landing-row">
        <span className="a-stop">
          <Icon name="failed" />
        </span>
        <span className="landing-what">
          <Link to={toRunPage(id)} className="landing-title">
            {run?.title ?? id}
          </Link>
          <span className="rid">{row.paths.join(", ")}</span>
          {run === undefined ? null : <StateWord state={run.state} />}
        </span>
        <Since atMs={row.atMs} />
        <Button size="small" onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide" : "Both sides"}
        </Button>
      </p>
      {isOpen ? <Sides id={id} /> : null}
    </li>
  );
}

function Sides({ id }: { readonly id: string }): ReactNode {
  const { value, trouble } = useAsked({
    subject: `sides ${id}`,
    stamp: 0,
    ask: (client, signal) => client.call("run.diff", { run: id }, { signal }),
  });
  if (value === null) return <p className="instead">{trouble ?? "Reading both sides …"}</p>;
  const met = value.changes.filter((change) => change.theirs !== null);
  if (met.length === 0) return <p className="instead">It is resolved: the run has taken the other side in.</p>;
  return met.map((change) => (
    <div key={change.path} className="sides">
      <p className="rid">{change.path}</p>
      <TheirSide change={change} mode="unified" />
      {toBlocks(change).map((block, at) => (
        <DiffTable key={block.hunk ?? at} rows={block.rows} mode="unified" />
      ))}
    </div>
  ));
}
