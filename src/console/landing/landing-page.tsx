import type { ReactNode } from "react";
import { useLive } from "../live/live-context.tsx";
import { useKeys } from "../shell/keys.ts";
import { goTo, useAddress } from "../shell/address.ts";
import { BlamePanel } from "./blame-panel.tsx";
import { ConflictsPanel } from "./conflicts-panel.tsx";
import { PublishedPanel } from "./published-panel.tsx";
import { QueuePanel } from "./queue-panel.tsx";
import { RecentPanel } from "./recent-panel.tsx";
import { TrashPanel } from "./trash-panel.tsx";
import { useLandingHistory } from "./use-landing-history.ts";
import { useRowKeys } from "./use-row-keys.ts";
import "./landing.css";

/** From an approval to the person's branch: what lands, what came back, what has landed and what did not. */
export function LandingPage(): ReactNode {
  const { file } = useAddress();
  const history = useLandingHistory();
  const isPast = useLive((state) => state.link.is === "past");
  useKeys({ Escape: () => goTo({ run: null, of: null }) });
  useRowKeys();
  return (
    <div className="board landing-place">
      <ConflictsPanel rows={history.rows} />
      <div className="landing-left">
        <QueuePanel />
        <PublishedPanel />
      </div>
      <div className="landing-right">
        {file === null || isPast ? <RecentPanel history={history} /> : <BlamePanel path={file} />}
        <TrashPanel />
      </div>
    </div>
  );
}
