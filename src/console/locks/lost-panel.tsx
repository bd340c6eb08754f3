import type { ReactNode } from "react";
import type { LostClaim } from "../model/unit-past.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Since } from "../parts/times.tsx";
import { UnitName } from "../parts/unit-name.tsx";
import { RunLink } from "../shell/link.tsx";

const rowsMax = 20;
const words: Readonly<Record<string, string>> = {
  refused: "Refused: it would have closed a circle",
  busy: "Refused: somebody has it, and it would not wait",
  "timed out": "Gave up: its time was over",
  cancelled: "Was taken back",
  paused: "Left the queue: its run was paused",
  "holder gone": "Left the queue: its run was over",
};

/** Claims that were never granted, and why. */
export function LostPanel({
  lost,
  isRead,
}: {
  readonly lost: readonly LostClaim[];
  readonly isRead: boolean;
}): ReactNode {
  return (
    <Panel name="lost" title="Not granted" meta={lost.length === 0 ? undefined : "the newest first"}>
      {lost.length === 0 && !isRead ? (
        <Awaited what="Reading the log" />
      ) : lost.length === 0 ? (
        <Quiet title="No claim was refused or given up">
          A claim that its holder gave up, or that would wait for itself, shows here.
        </Quiet>
      ) : (
        <ul className="lost" tabIndex={0} aria-label="Claims that were not granted">
          {lost.slice(0, rowsMax).map((claim) => (
            <li key={claim.seq} data-lost={claim.how}>
              <span className={claim.how === "refused" ? "a-stop" : "a-rest"}>
                <Icon name={claim.how === "refused" ? "failed" : "rejected"} />
              </span>
              <div>
                <b>{words[claim.how] ?? `Ended: ${claim.how}`}</b>
                <p>
                  <RunLink id={claim.holder} /> wanted{" "}
                  {claim.units.slice(0, 3).map((unit) => (
                    <UnitName key={unit} unit={unit} />
                  ))}
                  {claim.units.length > 3 ? ` and ${claim.units.length - 3} more` : ""}
                  {claim.cycle.length === 0 ? "" : `; round it went: ${claim.cycle.join(", ")}`}
                </p>
              </div>
              <Since atMs={claim.atMs} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
