import { type ReactNode, useState } from "react";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { Spend } from "../../protocol/wire/model.ts";
import { showDollars } from "../../protocol/dollars.ts";
import { numberIn, textIn } from "../live/event-fields.ts";
import { type LogTail, useLog } from "../live/use-log.ts";
import { firstEventOf } from "../model/agent-story.ts";
import { toCount, toMany } from "../model/format.ts";
import { toVisible } from "../model/visible-text.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { Panel } from "../parts/panel.tsx";
import { Ago } from "../parts/times.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { ExchangeDialog } from "./exchange-dialog.tsx";

/** One answer of a model; one without a price costs nobody knows what. */
type Paid = {
  readonly seq: number;
  readonly atMs: number;
  readonly model: string;
  readonly micros: number | null;
  /** The request that it answered, where that is kept with its answer. */
  readonly kept: string | null;
};

const stepRows = 8;

/** What the run's model was asked: what all of it has cost, and each answer. One that has asked none has no such panel. */
export function CostPanel({ id, spend }: { readonly id: string; readonly spend: Spend }): ReactNode {
  const { requests, costMicros, unpriced } = spend;
  if (requests === 0) return null;
  const unknown = unpriced === 0 ? "" : `, ${toCount(unpriced)} without a price`;
  return (
    <Panel name="cost" title="Cost" meta={`${showDollars(costMicros)} for ${toMany(requests, "request")}${unknown}`}>
      <Requests id={id} count={requests} />
    </Panel>
  );
}

/** The newest first, with what was asked and answered as it is kept. */
function Requests({ id, count }: { readonly id: string; readonly count: number }): ReactNode {
  const [rowsMax, setRowsMax] = useState(stepRows);
  const [open, setOpen] = useState<Paid | null>(null);
  const log: LogTail = useLog({
    filter: { run: id, types: ["model.answered"] },
    first: firstEventOf(id),
    count: rowsMax,
    isMeant: (event) => event.type === "model.answered" && textIn(event, "run") === id,
  });
  const { events, trouble, again } = log;
  if (events === null) return <Awaited what="Reading the log" trouble={trouble} again={again} />;
  return (
    <>
      <Trouble trouble={trouble} again={again} />
      <ul className="paid">
        {events
          .slice(0, rowsMax)
          .map(toPaid)
          .map((each) => (
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
      {count > rowsMax ? (
        <div className="more-row">
          <Button size="small" onClick={() => setRowsMax(rowsMax + stepRows)}>
            {`Show ${Math.min(stepRows, count - rowsMax)} more of ${toCount(count)}`}
          </Button>
        </div>
      ) : null}
      {open?.kept ? <ExchangeDialog run={id} request={open.kept} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

function toPaid(event: LogEvent): Paid {
  const { seq, atMs } = event;
  const kept = textIn(event, "artifact") === undefined ? null : (textIn(event, "request") ?? null);
  return { seq, atMs, model: textIn(event, "model") ?? "", micros: numberIn(event, "costMicros") ?? null, kept };
}
