import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { useBox, useLive } from "../live/live-context.tsx";
import { Awaited } from "../parts/awaited.tsx";
import { Panel } from "../parts/panel.tsx";
import { AnswerBox } from "../run/answer-box.tsx";
import { RunFacts } from "../run/run-facts.tsx";
import { RunUnits } from "../run/run-units.tsx";
import { RecordingsList } from "../terminal/recordings-list.tsx";
import { useAddress } from "../shell/address.ts";
import { Link } from "../shell/link.tsx";
import { ArtifactsPanel } from "./artifacts-panel.tsx";
import { ChangesPanel } from "./changes/changes-panel.tsx";
import { MomentPanel } from "./moment/moment-panel.tsx";
import { RunHead } from "./run-head.tsx";
import { StoryPanel } from "./story-panel.tsx";
import { SubRuns } from "./sub-runs.tsx";
import { TaskPanel } from "./task-panel.tsx";
import { TimelinePanel } from "./timeline/timeline-panel.tsx";
import { useRunStory } from "./use-run-story.ts";
import "../run/run-sheet.css";
import "./run-page.css";

// Large, and most who look at a run do not need it.
const TerminalPanel = lazy(async () => {
  const { TerminalPanel: panel } = await import("../terminal/terminal-panel.tsx");
  return { default: panel };
});

const RecordingPanel = lazy(async () => {
  const { RecordingPanel: panel } = await import("../terminal/recording-panel.tsx");
  return { default: panel };
});

/** Everything about one run: what it did and when, what it holds, what its commands said, and what it wants to land. */
export function RunPage({ id }: { readonly id: string }): ReactNode {
  const { store } = useBox();
  const { step, terminal, look, recording } = useAddress();
  const run = useLive((state) => state.runs.get(id));
  const { events, story, trouble } = useRunStory(id);
  useEffect(() => {
    store.watchRun(id);
    return () => store.watchRun(null);
  }, [store, id]);
  if (run === undefined && events === null) return <Unknown id={id} trouble={trouble} />;
  if (terminal !== null || recording !== null) {
    return (
      <div className="board run-page with-terminal" data-page={id} data-run={id} data-state={run?.state}>
        <RunHead id={id} run={run} />
        <Suspense fallback={<Awaited what="Reading what shows terminals" />}>
          {terminal === null ? (
            <RecordingPanel key={recording} id={recording ?? ""} run={id} />
          ) : (
            <TerminalPanel key={`${terminal} ${look}`} id={terminal} run={id} />
          )}
        </Suspense>
      </div>
    );
  }
  return (
    <div className="board run-page" data-page={id} data-run={id} data-state={run?.state}>
      <RunHead id={id} run={run} />
      <TimelinePanel story={story} run={run} />
      <ChangesPanel id={id} run={run} />
      <div className="run-side">
        {run === undefined || run.question === null || run.state !== "awaiting-input" ? null : (
          <Panel name="asks" title="It asks">
            <div className="sheet-part asks">
              <p className="asked" tabIndex={0}>
                {run.question.text}
              </p>
              <AnswerBox run={run} primary />
            </div>
          </Panel>
        )}
        <MomentPanel id={id} steps={story.steps} step={step} run={run} />
        {run === undefined ? null : (
          <Panel name="units" title="Units" meta={`${run.holds.length} held`}>
            <div className="panel-scroll" tabIndex={0} role="group" aria-label="Units">
              <Plan plan={run.plan} holds={run.holds} />
              <RunUnits run={run} />
            </div>
          </Panel>
        )}
        <StoryPanel events={events} />
        <RecordingsList run={id} />
        {run === undefined ? null : (
          <>
            <TaskPanel run={run} />
            <SubRuns id={id} />
            <ArtifactsPanel run={run} />
            <Panel name="facts" title="Facts">
              <RunFacts run={run} />
            </Panel>
          </>
        )}
      </div>
    </div>
  );
}

/** What it said beforehand that it would touch, and what it holds of that now. */
function Plan({ plan, holds }: { readonly plan: readonly string[]; readonly holds: readonly string[] }): ReactNode {
  if (plan.length === 0) return null;
  const held = new Set(holds);
  return (
    <div className="sheet-part">
      <h3>Plan</h3>
      <ul className="unit-list">
        {plan.map((unit) => (
          <li key={unit}>
            <span className="rid" title={unit}>
              {unit}
            </span>
            <span className={held.has(unit) ? "a-go" : "dim"}>{held.has(unit) ? "held" : "not held"}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Unknown({ id, trouble }: { readonly id: string; readonly trouble: string | null }): ReactNode {
  if (trouble === null) {
    return (
      <div className="board run-page" role="status" aria-busy="true" aria-label="Loading">
        <Awaited what={`Reading ${id}`} rows={8} />
      </div>
    );
  }
  return (
    <div className="page-note" role="alert">
      <h2>{id} cannot be shown</h2>
      <p>{trouble}</p>
      <p className="dim">It was never there, or belongs to another daemon; ids are never used twice.</p>
      <Link to={{ place: "runs" }} className="btn plain">
        All runs
      </Link>
    </div>
  );
}
