import { type ReactNode, useEffect, useRef } from "react";
import { useLive } from "../live/live-context.tsx";
import { reasonOf } from "../model/reason.ts";
import { asksLeave, toCommand } from "../model/run-acts.ts";
import { IconButton } from "../parts/button.tsx";
import { Command } from "../parts/command.tsx";
import { Key } from "../parts/key.tsx";
import { StateBadge } from "../parts/state-word.tsx";
import { Since } from "../parts/times.tsx";
import { TerminalButton } from "../terminal/terminal-button.tsx";
import { Link, toRunPage } from "../shell/link.tsx";
import { goTo } from "../shell/address.ts";
import { useSelection } from "../shell/selection.tsx";
import { ActButtons } from "./act-buttons.tsx";
import { Asks } from "./asks.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunLog } from "./run-log.tsx";
import { RunUnits } from "./run-units.tsx";
import "./run-sheet.css";

/** One run, beside the page: what it does, what it holds, what can be done, and what happened to it. */
export function RunSheet({ id }: { readonly id: string }): ReactNode {
  const run = useLive((state) => state.runs.get(id));
  const because = run === undefined ? null : reasonOf(run);
  const loaded = useLive((state) => state.status !== null);
  const { select } = useSelection();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    select(id);
    // Whoever moves with J and K keeps the row; whoever came by a link or Enter continues here.
    if (document.activeElement?.matches("[data-lane]") !== true || !matchMedia("(min-width: 720px)").matches) {
      heading.current?.focus({ preventScroll: true });
    }
    return () => giveFocusBack(id);
  }, [id, select]);
  if (!loaded) return null;
  return (
    <aside className="sheet" aria-label={`Run ${id}`} data-sheet={id}>
      <header className="sheet-head">
        <div>
          <h2 ref={heading} tabIndex={-1}>
            {run?.title ?? id}
          </h2>
          <p className="sheet-line">
            {run === undefined ? null : (
              <StateBadge state={run.state} stuck={run.stuck}>
                <Since atMs={run.sinceMs} />
              </StateBadge>
            )}
            <span className="rid">{id}</span>
            <span className="dim">{run?.projectName}</span>
          </p>
        </div>
        <Link to={toRunPage(id)} className="btn small">
          Open page <Key>O</Key>
        </Link>
        <IconButton icon="close" label="Close" hotkey="Esc" onClick={() => goTo({ run: null })} />
      </header>
      {run === undefined ? (
        <p className="sheet-part">
          This run is not on the lists: it is older than those shown, or was removed. Its log is below, if it has one.
        </p>
      ) : (
        <>
          {because === null ? null : <p className="sheet-because">{because}</p>}
          {run.question === null || run.state !== "awaiting-input" ? null : (
            <div className="sheet-part asks">
              <h3>{asksLeave(run) ? "It asks leave" : "It asks"}</h3>
              <Asks run={run} />
            </div>
          )}
          <div className="sheet-part acts">
            <ActButtons run={run} except={["answer", "allow", "deny"]} />
            <TerminalButton run={run} />
          </div>
          <RunUnits run={run} />
          <RunFacts run={run} />
        </>
      )}
      <RunLog id={id} />
      <div className="sheet-part sheet-commands">
        <h3>In a terminal</h3>
        <Command text={`signalbox inspect ${id}`} />
        <Command text={`signalbox logs -f ${id}`} />
        {run?.state === "paused" ? <Command text={toCommand("resume", id, "")} /> : null}
      </div>
    </aside>
  );
}

/** Closing the sheet leads back to the row of its run, unless the person has gone elsewhere already. */
function giveFocusBack(id: string): void {
  const inSheet = document.activeElement?.closest(".sheet") ?? null;
  if (inSheet === null && document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>(`[data-lane][data-run="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
}
