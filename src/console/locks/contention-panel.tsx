import { type ReactNode, useMemo } from "react";
import { useBox, useClock, useLive } from "../live/live-context.tsx";
import { levelOf, toContention } from "../model/contention.ts";
import { toClock, toSpan } from "../model/format.ts";
import type { UnitPast } from "../model/unit-past.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Segmented } from "../parts/segmented.tsx";
import { UnitName } from "../parts/unit-name.tsx";
import { goTo, useAddress } from "../shell/address.ts";

const cells = 48;
const minuteMs = 60_000;
const stepMs = 5000;
const spans = { "4h": 5 * minuteMs, "12h": 15 * minuteMs } as const;
const rowsMax = 6;
const levels = [0, 1, 2, 3, 4] as const;
const levelWords = ["0", "<1", "1", "5", "15+"] as const;

/** The units that were waited for longest, and when. */
export function ContentionPanel(props: {
  readonly past: UnitPast;
  readonly isRead: boolean;
  readonly project: string | null;
  readonly onSelect: (id: string) => void;
}): ReactNode {
  const { past, isRead, project, onSelect } = props;
  const { clock } = useBox().store;
  const span: keyof typeof spans = useAddress().span === "12h" ? "12h" : "4h";
  const cellMs = spans[span];
  const nowMs = useClock((now) => Math.floor(now.now() / stepMs) * stepMs);
  const endMs = Math.ceil(nowMs / minuteMs) * minuteMs;
  const isPast = useLive(({ link }) => link.is === "past");
  const rows = useMemo(
    () => toContention(past, { nowMs, endMs, cells, cellMs, project }).slice(0, rowsMax),
    [past, nowMs, endMs, cellMs, project],
  );
  return (
    <Panel
      name="contention"
      title="Contention"
      meta={`${span === "4h" ? "4 hours" : "12 hours"}, most waited for first`}
      end={
        <Segmented
          label="How far back"
          value={span}
          options={[
            ["4h", "4h"],
            ["12h", "12h"],
          ]}
          onChange={(next) => goTo({ span: next === "4h" ? null : next }, "replace")}
        />
      }
    >
      {rows.length === 0 && !isRead ? (
        <Awaited what="Reading the log" />
      ) : rows.length === 0 ? (
        <Quiet title="Nobody had to wait">
          Units that are waited for often show here: a smaller unit, or a plan, would help them.
        </Quiet>
      ) : (
        <div className="heat">
          <div className="heat-row heat-axis" aria-hidden="true">
            <span />
            <span className="heat-times">
              {[0, 1, 2, 3].map((at) => (
                <span key={at}>{toClock(clock.toWallMs(endMs - cells * cellMs * (1 - at / 4))).slice(0, 5)}</span>
              ))}
              <span>{isPast ? "then" : "now"}</span>
            </span>
            <span />
          </div>
          <ul>
            {rows.map((row) => (
              <li key={row.id}>
                <button type="button" className="heat-row" onClick={() => onSelect(row.id)} data-waited={row.unit}>
                  <UnitName unit={row.unit} />
                  <span className="heat-cells" aria-hidden="true">
                    {row.cells.map((ms, at) => (
                      <i key={at} className={`heat-${levelOf(ms)}`} />
                    ))}
                  </span>
                  <span className="num">
                    {toSpan(row.totalMs)}
                    <span className="sr"> waited for</span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <p className="heat-key dim" aria-hidden="true">
            Minutes waited in each {toSpan(cellMs)}
            <span>
              {levels.map((level) => (
                <span key={level}>
                  <i className={`heat-${level}`} />
                  {levelWords[level]}
                </span>
              ))}
            </span>
          </p>
        </div>
      )}
    </Panel>
  );
}
