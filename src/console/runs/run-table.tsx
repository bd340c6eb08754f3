import type { ReactNode } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import { useActs } from "../acts/act-context.tsx";
import { useBox } from "../live/live-context.tsx";
import { actsOf } from "../model/run-acts.ts";
import { RunWords } from "../overview/tracks/run-words.tsx";
import { StateWord } from "../parts/state-word.tsx";
import { Since } from "../parts/times.tsx";
import { VirtualTable } from "../parts/virtual-table.tsx";
import { goTo } from "../shell/address.ts";
import type { Bindings } from "../shell/keys.ts";
import { Link, toRunPage } from "../shell/link.tsx";
import { useSelection } from "../shell/selection.tsx";

const rowPx = { wide: 32, narrow: 56 } as const;
const columns = ["State", "Run", "Project", "Runner", "Holds or waits for", "Since", "Id"] as const;

export function RunTable(props: {
  readonly rows: readonly Run[];
  readonly total: number;
  readonly onEnd: () => void;
}): ReactNode {
  const { selected, select } = useSelection();
  const keysOf = useRunRowKeys();
  return (
    <VirtualTable
      {...props}
      label="Runs, the newest first"
      look="run-row"
      columns={columns}
      rowPx={rowPx}
      cells={RunCells}
      idOf={idOf}
      dataOf={dataOf}
      selected={selected}
      onSelect={select}
      keysOf={keysOf}
    />
  );
}

function idOf({ id }: Run): string {
  return id;
}

function dataOf({ id, state }: Run): { readonly "data-run": string; readonly "data-state": string } {
  return { "data-run": id, "data-state": state };
}

function RunCells({ row: run, isSelected }: { readonly row: Run; readonly isSelected: boolean }): ReactNode {
  return (
    <>
      <span role="cell" className="c-state">
        <StateWord state={run.state} stuck={run.stuck} />
      </span>
      <span role="cell" className="c-title">
        <Link to={toRunPage(run.id)} aside={!isSelected}>
          {run.title}
        </Link>
        {run.tags.slice(0, 2).map((tag) => (
          <span key={tag} className="tag">
            {tag}
          </span>
        ))}
      </span>
      <span role="cell" className="c-project">
        {run.projectName}
      </span>
      <span role="cell" className="c-runner">
        {run.runner}
      </span>
      <span role="cell" className="c-words">
        <RunWords run={run} />
      </span>
      <span role="cell" className="c-since">
        <Since atMs={run.sinceMs} />
      </span>
      <span role="cell" className="c-id rid">
        {run.id}
      </span>
    </>
  );
}

function useRunRowKeys(): (row: Run | undefined) => Bindings {
  const { store } = useBox();
  const { request } = useActs();
  const { selected } = useSelection();
  return (row) => {
    const bindings: Record<string, Bindings[string]> = {
      Escape: () => goTo({ run: null }),
    };
    // The run as it is when the key is pressed, also where the filter has let it go meanwhile.
    const { runs, link } = store.read();
    const run = runs.get(selected ?? "") ?? row;
    if (run === undefined) return bindings;
    bindings["Enter"] = () => goTo(toRunPage(run.id));
    bindings["O"] = bindings["Enter"];
    bindings["Q"] = () => goTo({ run: run.id });
    if (link.is !== "live") return bindings;
    for (const act of actsOf(run)) bindings[act.key] = () => request(act, run);
    return bindings;
  };
}
