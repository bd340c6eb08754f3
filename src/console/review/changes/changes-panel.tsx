import { type ReactNode, useState } from "react";
import type { OutputOf } from "../../../protocol/operations.ts";
import type { Run } from "../../../protocol/wire/run.ts";
import { useLive } from "../../live/live-context.tsx";
import { useAsked } from "../../live/use-asked.ts";
import { hasMoved } from "../../model/look.ts";
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
export function ChangesPanel({ id, run }: { readonly id: string; readonly run: Run | undefined }): ReactNode {
  const { step } = useAddress();
  const isPast = useLive(({ link }) => link.is === "past");
  if (isPast && step === null) return <PastChanges />;
  return step === null ? <WholeChanges id={id} run={run} /> : <StepChanges key={step} id={id} step={step} />;
}

/** The log says what each step did, and not what the workspace had in it at each moment. */
function PastChanges(): ReactNode {
  return (
    <Panel name="changes" title="Change set">
      <Quiet title="What it had changed by then is in its steps">
        Choose a step on the timeline to see what it did, or go back to now for all of it.
      </Quiet>
    </Panel>
  );
}

function WholeChanges({ id, run }: { readonly id: string; readonly run: Run | undefined }): ReactNode {
  const asked = useAsked({
    subject: `diff ${id}`,
    stamp: stampOf(run),
    ask: (client, signal) => client.call("run.diff", { run: id }, { signal }),
  });
  const review = useReview(id, run, asked);
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
        <Quiet title={isOver(run?.state ?? "running") ? "It changed nothing" : "Nothing is changed yet"}>
          {diff.of === "landed"
            ? "It has landed nothing that was not there already."
            : isOver(run?.state ?? "running")
              ? "It ended before it wrote anything."
              : "What it writes is shown here."}
        </Quiet>
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
  const review = useReview(id, undefined, asked);
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
function toWhere({ of, base }: OutputOf<"run.diff">, run: Run | undefined): string | undefined {
  if (of === "trash") return "set aside";
  const commit = of === "landed" ? (run?.landed ?? null) : base;
  return commit === null ? undefined : `${of === "landed" ? "landed as" : "against"} ${commit.slice(0, 10)}`;
}

/** What a run's change set may have become another one by. */
function stampOf(run: Run | undefined): string {
  if (run === undefined) return "";
  return [run.state, run.sinceMs, run.callsDone, run.changes.length, run.holds.length, run.landed].join(" ");
}
