import { type ReactNode, useState } from "react";
import { showDollars } from "../../protocol/dollars.ts";
import { toCount, toMany } from "../model/format.ts";
import type { Paid } from "../model/run-story.ts";
import { toVisible } from "../model/visible-text.ts";
import { Button } from "../parts/button.tsx";
import { Panel } from "../parts/panel.tsx";
import { Ago } from "../parts/times.tsx";
import { ExchangeDialog } from "./exchange-dialog.tsx";

const stepRows = 8;

/** What the run's model was asked, the newest first: what each answer cost, and both as they are kept. */
export function CostPanel({ id, paid }: { readonly id: string; readonly paid: readonly Paid[] }): ReactNode {
  const [rowsMax, setRowsMax] = useState(stepRows);
  const [open, setOpen] = useState<Paid | null>(null);
  if (paid.length === 0) return null;
  const total = paid.reduce((sum, { micros }) => sum + (micros ?? 0), 0);
  const rows = paid.toReversed().slice(0, rowsMax);
  return (
    <Panel name="cost" title="Cost" meta={`${showDollars(total)} for ${toMany(paid.length, "request")}`}>
      <ul className="paid">
        {rows.map((each) => (
          <li key={each.seq} data-paid={each.seq}>
            <Ago atMs={each.atMs} />
            <span className="paid-model">{toVisible(each.model)}</span>
            <span className="num">{each.micros === null ? "no price" : showDollars(each.micros)}</span>
            {each.kept === null ? (
              <span className="dim">not kept</span>
            ) : (
              <button type="button" className="text-button" title="Show what was asked" onClick={() => setOpen(each)}>
                {each.kept}
              </button>
            )}
          </li>
        ))}
      </ul>
      {paid.length > rowsMax ? (
        <div className="more-row">
          <Button size="small" onClick={() => setRowsMax(rowsMax + stepRows)}>
            {`Show ${Math.min(stepRows, paid.length - rowsMax)} more of ${toCount(paid.length)}`}
          </Button>
        </div>
      ) : null}
      {open?.kept ? <ExchangeDialog run={id} request={open.kept} onClose={() => setOpen(null)} /> : null}
    </Panel>
  );
}
