import { type ReactNode, useEffect } from "react";
import type { Run, RunState } from "../../protocol/wire/run.ts";
import { useBox, useLive } from "../live/live-context.tsx";
import type { Asked } from "../live/use-asked.ts";
import type { Diff } from "../model/look.ts";
import { asksLeave } from "../model/run-acts.ts";
import { isOver } from "../model/signals.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { later } from "../parts/later.tsx";
import { Panel } from "../parts/panel.tsx";
import { Asks } from "../run/asks.tsx";
import { RunFacts } from "../run/run-facts.tsx";
import { RunUnits } from "../run/run-units.tsx";
import { RecordingsList } from "../terminal/recordings-list.tsx";
import { useAddress } from "../shell/address.ts";
import { Link } from "../shell/link.tsx";
import { ArtifactsPanel } from "./artifacts-panel.tsx";
import { AsidePanel } from "./aside-panel.tsx";
import { CostPanel } from "./cost-panel.tsx";
import { ChangesPanel, useChangeSet } from "./changes/changes-panel.tsx";
import { MomentPanel } from "./moment/moment-panel.tsx";
import { NetworkPanel } from "./network-panel.tsx";
import { RunHead } from "./run-head.tsx";
import { StoryPanel } from "./story-panel.tsx";
import { SubRuns } from "./sub-runs.tsx";
import { TaskPanel } from "./task-panel.tsx";
import { TimelinePanel } from "./timeline/timeline-panel.tsx";
import { PlanPanel } from "./plan-panel.tsx";
import { type StoryAsked, useRunStory } from "./use-run-story.ts";
import { useSteps } from "./use-steps.ts";
import { WhyPanel } from "./why-panel.tsx";
import "../run/run-sheet.css";
import "./run-page.css";

// Large, and most who look at a run do not need it.
const TerminalPanel = later(
  "Reading what shows terminals",
  async () => (await import("../terminal/terminal-panel.tsx")).TerminalPanel,
);
const RecordingPanel = later(
  "Reading what plays recordings",
  async () => (await import("../terminal/recording-panel.tsx")).RecordingPanel,
);

/** Everything about one run: what it did and when, what it holds, what its commands said, and what it wants to land. */
export function RunPage({ id }: { readonly id: string }): ReactNode {
  const { store } = useBox();
  const { step, terminal, look, recording } = useAddress();
  const run = useLive((state) => state.runs.get(id));
  const asked = useRunStory(id);
  const { value: story } = asked;
  const steps = useSteps(id, step, story);
  useEffect(() => {
    store.watchRun(id);
    return () => store.watchRun(null);
  }, [store, id]);
  const past = useLive(({ link }) => (link.is === "past" ? link.seq : null));
  const changeSet = useChangeSet(id, run, past === null && step === null);
  if (run === undefined && past !== null && story?.fromMs === null) return <NotThen id={id} />;
  if (run === undefined && story === null) return <Unknown id={id} asked={asked} />;
  if (terminal !== null || recording !== null) {
    return (
      <div className="board run-page with-terminal" data-page={id} data-run={id} data-state={run?.state}>
        <RunHead id={id} run={run} />
        {terminal === null ? (
          <RecordingPanel key={recording} id={recording ?? ""} run={id} />
        ) : (
          <TerminalPanel key={`${terminal} ${look}`} id={terminal} run={id} />
        )}
      </div>
    );
  }
  const changes = hasChanges(run, changeSet, { isPast: past !== null, step });
  const isStoryWide = !changes || !looked.includes(run?.state ?? "queued");
  const tale = <StoryPanel id={id} />;
  return (
    <div
      className={isStoryWide ? "board run-page story-wide" : "board run-page"}
      data-page={id}
      data-run={id}
      data-state={run?.state}
    >
      <RunHead id={id} run={run} />
      {run?.state === "failed" && story !== null ? <WhyPanel run={run} story={story} /> : null}
      <TimelinePanel asked={asked} steps={steps} run={run} />
      <div className="run-main">
        <ChangesPanel id={id} run={run} asked={changeSet} isNone={!changes} />
        {isStoryWide ? tale : null}
      </div>
      <div className="run-side">
        {run === undefined || run.question === null || run.state !== "awaiting-input" ? null : (
          <Panel name="asks" title={asksLeave(run) ? "It asks leave" : "It asks"}>
            <div className="sheet-part asks">
              <Asks run={run} />
            </div>
          </Panel>
        )}
        <AsidePanel id={id} />
        {run?.state === "failed" && step === null ? null : (
          <MomentPanel id={id} asked={asked} steps={steps} step={step} run={run} />
        )}
        {run === undefined ? null : <PlanPanel run={run} own={story?.plan ?? null} />}
        {run === undefined ? null : (
          <Panel name="units" title="Units" meta={`${run.holds.length} held`}>
            <div className="panel-scroll" tabIndex={0} role="group" aria-label="Units">
              <RunUnits run={run} />
            </div>
          </Panel>
        )}
        {isStoryWide ? null : tale}
        <RecordingsList run={id} />
        {run === undefined ? null : (
          <>
            <TaskPanel run={run} />
            <SubRuns id={id} />
            <ArtifactsPanel run={run} />
            {past === null ? <NetworkPanel of={{ run: id }} isOver={isOver(run.state)} /> : null}
            <CostPanel id={id} spend={run.spend} />
            <Panel name="facts" title="Facts">
              <RunFacts run={run} />
            </Panel>
          </>
        )}
      </div>
    </div>
  );
}

/** In these it is what the run has changed that one comes for; in all others, what happens or has happened. */
const looked: readonly RunState[] = ["review", "validating", "landing", "done"];

/** Whether there is anything to show of what it changed; before it is read, the run itself says. */
function hasChanges(
  run: Run | undefined,
  { value, trouble }: Asked<Diff>,
  { isPast, step }: { readonly isPast: boolean; readonly step: number | null },
): boolean {
  if (step !== null) return true;
  if (isPast) return false;
  if (value !== null) return value.changes.length > 0;
  return trouble !== null || (run?.filesChanged ?? 0) > 0;
}

function NotThen({ id }: { readonly id: string }): ReactNode {
  return (
    <div className="page-note" role="status">
      <h2>{id} was not there yet</h2>
      <p className="dim">It was submitted after the moment that you look at.</p>
      <Link to={{ at: null }} className="btn plain">
        {id} now
      </Link>
    </div>
  );
}

function Unknown({ id, asked }: { readonly id: string; readonly asked: StoryAsked }): ReactNode {
  const { trouble, code, again } = asked;
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
      {code === "not-found" ? (
        <p className="dim">It was never there, or belongs to another daemon; ids are never used twice.</p>
      ) : (
        <Button onClick={again}>Try again</Button>
      )}
      <Link to={{ place: "runs" }} className="btn plain">
        All runs
      </Link>
    </div>
  );
}
