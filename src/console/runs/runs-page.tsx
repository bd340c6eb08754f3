import { type ReactNode, useMemo } from "react";
import { useLive } from "../live/live-context.tsx";
import { toCount, toMany } from "../model/format.ts";
import type { RunFilter } from "../model/run-rows.ts";
import { toPsCommand } from "../model/ps-command.ts";
import { isOver } from "../model/signals.ts";
import { useProjectId } from "../overview/use-shown-runs.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { SavedViews } from "../parts/saved-views.tsx";
import { goTo, useAddress } from "../shell/address.ts";
import { useKeys } from "../shell/keys.ts";
import { newRunPage } from "../shell/link.tsx";
import { RunFilters } from "./run-filters.tsx";
import { RunTable } from "./run-table.tsx";
import { StopThese } from "./stop-these.tsx";
import { useRunList } from "./use-run-list.ts";
import "./runs.css";

/** Every run there is, the newest first. What is filtered is in the address. */
export function RunsPage(): ReactNode {
  const { states, runner, tag, find, project: name } = useAddress();
  const project = useProjectId();
  const filter = useMemo(
    (): RunFilter => ({ project, states, runner, tag, find }),
    [project, states, runner, tag, find],
  );
  const { rows, total, isLoaded, trouble, again, readOn } = useRunList(filter);
  const isPast = useLive((state) => state.link.is === "past");
  useKeys(isPast ? {} : { N: () => goTo(newRunPage) });
  const isFiltered = states.length > 0 || runner !== null || tag !== null || find !== "";
  return (
    <div className="board runs-place">
      <Panel
        name="runs"
        title="Runs"
        meta={
          isLoaded ? `${toMany(total, "run")}${rows.length < total ? `, ${toCount(rows.length)} read` : ""}` : undefined
        }
        end={
          <>
            {isPast ? null : (
              <Button size="small" look="primary" hotkey="N" onClick={() => goTo(newRunPage)}>
                New run
              </Button>
            )}
            <SavedViews of="runs" />
            <CopyButton text={toPsCommand({ ...filter, project: name })} label="Copy the command that lists the same" />
            {isFiltered ? (
              <Button
                size="small"
                icon="close"
                onClick={() => goTo({ states: [], runner: null, tag: null, find: "" }, "replace")}
              >
                Clear
              </Button>
            ) : null}
          </>
        }
      >
        <RunFilters
          rows={rows}
          end={
            !isPast && (isFiltered || project !== null) && rows.some(({ state }) => !isOver(state)) ? (
              <StopThese filter={filter} />
            ) : undefined
          }
        />
        {trouble === null ? null : (
          <p className="review-note" role="alert">
            {trouble}{" "}
            <button type="button" className="text-button" onClick={again}>
              Try again
            </button>
          </p>
        )}
        {!isLoaded && trouble === null ? (
          <Awaited what="Reading the runs" rows={12} />
        ) : !isLoaded ? (
          <Quiet title="The runs could not be read" />
        ) : rows.length === 0 ? (
          <Quiet title={isFiltered || project !== null ? "No run matches" : "Nothing has run yet"}>
            {isFiltered ? "Clear the filter to see all." : "A run shows here as soon as it is submitted."}
          </Quiet>
        ) : (
          <RunTable rows={rows} total={total} onEnd={readOn} />
        )}
      </Panel>
    </div>
  );
}
