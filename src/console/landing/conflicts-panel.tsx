import { type ReactNode, useMemo } from "react";
import type { Change } from "../../protocol/wire/change.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { useActs } from "../acts/act-context.tsx";
import { useIsLive, useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { resolutionsOf, tellActOf } from "../model/conflict-acts.ts";
import { type LandingRow, openConflicts } from "../model/landing-history.ts";
import { isOver } from "../model/signals.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel } from "../parts/panel.tsx";
import { StateWord } from "../parts/state-word.tsx";
import { Since } from "../parts/times.tsx";
import { goTo, useAddress } from "../shell/address.ts";
import { useKeys } from "../shell/keys.ts";
import { Link, toRunPage } from "../shell/link.tsx";
import { ThreePanes } from "./three-panes.tsx";

/** Landings that met somebody else's change and went back to their run. One is open, with all of its sides. */
export function ConflictsPanel({ rows }: { readonly rows: readonly LandingRow[] | null }): ReactNode {
  const runs = useLive((state) => state.runs);
  const { of } = useAddress();
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
    <Panel name="conflicts" title="Went back" count={open.length} meta="two sides met in the same place">
      <ul className="panel-scroll" tabIndex={0} aria-label="Conflicts">
        {open.map((row) => (
          <Conflict key={row.seq} row={row} run={runs.get(row.run ?? "")} isOpen={row.run === of} />
        ))}
      </ul>
    </Panel>
  );
}

function Conflict(props: {
  readonly row: LandingRow;
  readonly run: Run | undefined;
  readonly isOpen: boolean;
}): ReactNode {
  const { row, run, isOpen } = props;
  const id = row.run ?? "";
  return (
    <li className="conflict" data-conflict={id} tabIndex={-1} data-step>
      <p className="landing-row">
        <span className="a-stop">
          <Icon name="failed" />
        </span>
        <span className="landing-what">
          <Link to={toRunPage(id)} className="landing-title">
            {run?.title ?? id}
          </Link>
          <span className="rid">{row.paths.join(", ")}</span>
          {run === undefined ? null : <StateWord state={run.state} stuck={run.stuck} />}
        </span>
        <Since atMs={row.atMs} />
        <Button size="small" pressed={isOpen} onClick={() => goTo({ of: isOpen ? null : id }, "replace")}>
          {isOpen ? "Hide" : "Three sides"}
        </Button>
      </p>
      {isOpen && run !== undefined ? <Sides run={run} /> : null}
    </li>
  );
}

function Sides({ run }: { readonly run: Run }): ReactNode {
  const { value, trouble, again } = useAsked({
    subject: `sides ${run.id}`,
    // It is resolved by a call of the run; what it does is told by its state and its steps.
    stamp: `${run.state} ${run.sinceMs} ${run.call?.number ?? ""}`,
    ask: (client, signal) => client.call("run.diff", { run: run.id }, { signal }),
  });
  if (value === null)
    return (
      <p className="instead">
        {trouble ?? "Reading all three sides …"}{" "}
        {trouble === null ? null : (
          <button type="button" className="text-button" onClick={again}>
            Try again
          </button>
        )}
      </p>
    );
  const met = value.changes.filter((change) => change.theirs !== null);
  if (met.length === 0)
    return <p className="instead">It is resolved: the run has made one of both, and can land again.</p>;
  return (
    <div className="sides">
      <Resolve run={run} met={met} />
      {met.map((change) => (
        <section key={change.path} aria-label={change.path}>
          <p className="rid sides-path">{change.path}</p>
          <ThreePanes change={change} run={run.id} />
        </section>
      ))}
    </div>
  );
}

/** The run makes one of both; which, is said here. */
function Resolve({ run, met }: { readonly run: Run; readonly met: readonly Change[] }): ReactNode {
  const { request } = useActs();
  const isLive = useIsLive();
  const tell = tellActOf(run);
  const ways = resolutionsOf(met.map(({ path }) => path));
  const say = (draft: string): void => {
    if (tell !== undefined && isLive) request(tell, run, undefined, draft);
  };
  useKeys(Object.fromEntries(ways.map(({ key, draft }) => [key, () => say(draft)])));
  return (
    <div className="resolve">
      {ways.map(({ key, label, draft }) => (
        <Button key={key} hotkey={key} disabled={tell === undefined || !isLive} onClick={() => say(draft)}>
          {label}
        </Button>
      ))}
      <Link to={toRunPage(run.id)} className="btn plain">
        Its page
      </Link>
      {tell === undefined ? (
        <span className="dim">It is at work on it by itself, and hears nobody meanwhile.</span>
      ) : null}
    </div>
  );
}
