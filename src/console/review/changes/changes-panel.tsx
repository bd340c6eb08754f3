import { type ReactNode, useState } from "react";
import type { Run } from "../../../protocol/wire/run.ts";
import { useLive } from "../../live/live-context.tsx";
import { type Asked, useAsked } from "../../live/use-asked.ts";
import { type Diff, hasMoved } from "../../model/look.ts";
import { keepPreference, readPreference } from "../../shell/preferences.ts";
import { Awaited } from "../../parts/awaited.tsx";
import { Button } from "../../parts/button.tsx";
import { Command } from "../../parts/command.tsx";
import { isOver } from "../../model/signals.ts";
import { Panel, Quiet } from "../../parts/panel.tsx";
import { Segmented } from "../../parts/segmented.tsx";
import { useIsNarrow } from "../../parts/use-is-narrow.ts";
import { goTo, useAddress } from "../../shell/address.ts";
import { useKeys } from "../../shell/keys.ts";
import type { DiffMode } from "./diff-table.tsx";
import { FileDiff } from "./file-diff.tsx";
import { FileList } from "./file-list.tsx";
import { MovedNote, NeedsNote, OversizedNote, StaleNote, UnresolvedNote } from "./review-notes.tsx";
import { useReview } from "./use-review.ts";
import { useReviewKeys } from "./use-review-keys.ts";
import { VerdictBar } from "./verdict-bar.tsx";
import "./changes.css";

/** What the run wants to land, what it has landed, or what one step did: files left, hunks right, the verdict below. */
export function ChangesPanel(props: {
  readonly id: string;
  readonly run: Run | undefined;
  readonly asked: Asked<Diff>;
  /** Whether there is nothing to show: then it is a line, and the room is for what happened. */
  readonly isNone: boolean;
}): ReactNode {
  const { id, run, asked, isNone } = props;
  const { step } = useAddress();
  const isPast = useLive(({ link }) => link.is === "past");
  if (step !== null) return <StepChanges key={step} id={id} step={step} />;
  if (isNone) return <NoChanges words={isPast ? inThePast : toNothing(asked.value, run)} />;
  return <WholeChanges id={id} run={run} asked={asked} />;
}

/** What the run has changed, where that is asked for: nobody needs it to see what one step did, or how it was. */
export function useChangeSet(id: string, run: Run | undefined, isWanted: boolean): Asked<Diff> {
  const asked = useAsked<Diff | null>({
    subject: isWanted ? `diff ${id}` : `no diff of ${id}`,
    stamp: isWanted ? stampOf(run) : 0,
    ask: async (client, signal) => (isWanted ? client.call("run.diff", { run: id }, { signal }) : null),
  });
  return { ...asked };
}

/** The log says what each step did, and not what the workspace had in it at each moment. */
const inThePast = "What it had changed by then is in its steps: choose one on the timeline.";

function NoChanges({ words }: { readonly words: string }): ReactNode {
  return (
    <section className="panel p-changes none" aria-label="Change set" data-panel="changes">
      <p>
        <b>Change set</b> <span>{words}</span>
      </p>
    </section>
  );
}

function toNothing(diff: Diff | null, run: Run | undefined): string {
  if (diff?.of === "landed") return "It has landed nothing that was not there already.";
  return isOver(run?.state ?? "running") ? "It changed nothing." : "Nothing is changed yet.";
}

function WholeChanges(props: {
  readonly id: string;
  readonly run: Run | undefined;
  readonly asked: Asked<Diff>;
}): ReactNode {
  const { id, run, asked } = props;
  const review = useReview({ id, run }, asked);
  const mode = useMode();
  useReviewKeys(review);
  const { diff, newest, trouble, look } = review;
  return (
    <Panel
      name="changes"
      title="Change set"
      meta={diff === null ? undefined : toWhere(diff, run)}
      end={<ModePick mode={mode} />}
    >
      {hasMoved(look, newest) ? <MovedNote review={review} /> : null}
      {review.needed.length === 0 ? null : <NeedsNote review={review} />}
      {review.isDecidable && review.unresolved.length > 0 ? <UnresolvedNote review={review} /> : null}
      {diff === null || diff.stale.length === 0 ? null : <StaleNote stale={diff.stale} />}
      {diff === null || diff.oversized.length === 0 ? null : <OversizedNote files={diff.oversized} />}
      {trouble === null ? null : (
        <p className="review-note" role="alert">
          {trouble}{" "}
          <button type="button" className="text-button" onClick={asked.again}>
            Try again
          </button>
        </p>
      )}
      {diff === null && trouble === null ? (
        <Awaited what="Reading what it has changed" rows={8} />
      ) : diff === null ? (
        <Quiet title="The changes could not be read">Nothing can be approved unseen.</Quiet>
      ) : diff.changes.length === 0 ? (
        <Quiet title={toNothing(diff, run)} />
      ) : (
        <div className="changes">
          <FileList review={review} />
          {review.change === null ? null : <FileDiff key={review.change.path} review={review} mode={mode.value} />}
        </div>
      )}
      {review.isDecidable ? <VerdictBar review={review} /> : null}
    </Panel>
  );
}

/** What one call did: to be read, not to be decided on. */
function StepChanges({ id, step }: { readonly id: string; readonly step: number }): ReactNode {
  const mode = useMode();
  const asked = useAsked({
    subject: `diff ${id} ${step}`,
    stamp: 0,
    ask: (client, signal) => client.call("run.diff", { run: id, step }, { signal }),
  });
  const { value, trouble, again } = asked;
  const review = useReview({ id, step }, asked);
  useReviewKeys(review);
  return (
    <Panel
      name="changes"
      title={`What step ${step} did`}
      meta="to be read only"
      end={
        <>
          <ModePick mode={mode} />
          <Button size="small" onClick={() => goTo({ step: null, file: null }, "replace")}>
            All of it
          </Button>
        </>
      }
    >
      {value === null ? (
        <Awaited what="Reading what it did" trouble={trouble} again={again} />
      ) : value.changes.length === 0 ? (
        <Quiet title={`Step ${step} has changed nothing`}>The next steps may have.</Quiet>
      ) : (
        <div className="changes">
          <FileList review={review} />
          {review.change === null ? null : <FileDiff key={review.change.path} review={review} mode={mode.value} />}
        </div>
      )}
      <div className="verdict read-only">
        <Command text={`signalbox diff ${id} --step ${step}`} />
      </div>
    </Panel>
  );
}

type Mode = { readonly value: DiffMode; readonly set: (mode: DiffMode) => void };

function useMode(): Mode {
  const isNarrow = useIsNarrow();
  const [liked, setValue] = useState<DiffMode>(() => (readPreference("diff") === "split" ? "split" : "unified"));
  const set = (mode: DiffMode): void => {
    setValue(mode);
    keepPreference("diff", mode);
  };
  // There is no room for two sides on a phone.
  const value = isNarrow ? "unified" : liked;
  useKeys({ V: () => set(value === "split" ? "unified" : "split") });
  return { value, set };
}

function ModePick({ mode }: { readonly mode: Mode }): ReactNode {
  if (useIsNarrow()) return null;
  return (
    <Segmented
      label="How changes are shown"
      value={mode.value}
      options={[
        ["unified", "Unified"],
        ["split", "Split"],
      ]}
      onChange={mode.set}
    />
  );
}

/** Where the changes are: against what they stand, or as what they landed. */
function toWhere({ of, base }: Diff, run: Run | undefined): string | undefined {
  if (of === "trash") return "set aside";
  const commit = of === "landed" ? (run?.landed ?? null) : base;
  return commit === null ? undefined : `${of === "landed" ? "landed as" : "against"} ${commit.slice(0, 10)}`;
}

/** What a run's change set may have become another one by. */
function stampOf(run: Run | undefined): string {
  if (run === undefined) return "";
  return [run.state, run.sinceMs, run.callsDone, run.changes.length, run.holds.length, run.landed].join(" ");
}
