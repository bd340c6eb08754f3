import { type ReactNode, useState } from "react";
import type { Client } from "../../client/client.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { useActs } from "../acts/act-context.tsx";
import type { Toasts } from "../acts/toasts.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { toMany } from "../model/format.ts";
import type { RunFilter } from "../model/run-rows.ts";
import { type Stopped, stopEach, toStopCommand } from "../model/stop-these.ts";
import { toVisible } from "../model/visible-text.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { StateWord } from "../parts/state-word.tsx";
import { toRunInput } from "./use-run-list.ts";

const namedMax = 8;
const reasonsMax = 2;

/** Ends all runs that a filter leaves, after naming and counting them. */
export function StopThese({ filter }: { readonly filter: RunFilter }): ReactNode {
  const { open } = useActs();
  const isLive = useIsLive();
  return (
    <Button
      size="small"
      look="danger"
      disabled={!isLive}
      onClick={() => open((onClose) => <StopDialog filter={filter} onClose={onClose} />)}
    >
      Stop these…
    </Button>
  );
}

function StopDialog({ filter, onClose }: { readonly filter: RunFilter; readonly onClose: () => void }): ReactNode {
  const { client } = useBox();
  const { toasts } = useActs();
  const { value: read, trouble } = useAsked({
    subject: `to stop ${JSON.stringify(filter)}`,
    stamp: 0,
    ask: (asked, signal) => readActive(asked, filter, signal),
  });
  // What was counted first is what is stopped: a page that loses the daemon and finds it again asks anew, under who reads the names.
  const [runs, setRuns] = useState<readonly Run[] | null>(null);
  if (runs === null && read !== null) setRuns(read);
  if (runs === null || runs.length === 0)
    return (
      <Dialog title="Stop these runs?" onClose={onClose}>
        <p className={trouble === null ? "dim" : "a-stop"} role="status">
          {trouble ?? (runs === null ? "Reading which they are …" : "None of them is at work any more.")}
        </p>
        <div className="dialog-acts">
          <Button hotkey="Esc" first onClick={onClose}>
            Close
          </Button>
        </div>
      </Dialog>
    );
  const ids = runs.map(({ id }) => id);
  const command = toStopCommand(ids);
  const stop = async (): Promise<void> => {
    onClose();
    tell(toasts, ids, await stopEach(ids, async (run) => (await client.call("run.stop", { run })).runs));
  };
  const word = toMany(runs.length, "run");
  return (
    <ConfirmDialog
      title={`Stop ${word}?`}
      command={command}
      keep="Keep them running"
      go={`Stop ${word}`}
      onClose={onClose}
      onGo={() => void stop()}
    >
      <ul className="stop-these" aria-label="They are">
        {runs.slice(0, namedMax).map((run) => (
          <li key={run.id} data-stops={run.id}>
            <span className="rid">{run.id}</span>
            <span className="stop-title">{toVisible(run.title)}</span>
            <StateWord state={run.state} stuck={run.stuck} />
          </li>
        ))}
        {runs.length > namedMax ? <li className="dim">and {runs.length - namedMax} more</li> : null}
      </ul>
      <p>
        They and their sub-runs end as terminated and cannot go on. What they hold is free, and what they wrote is kept.
        What is submitted from now on is not stopped.
      </p>
    </ConfirmDialog>
  );
}

/** All of them, however many pages there are. */
async function readActive(client: Client, filter: RunFilter, signal: AbortSignal): Promise<Run[]> {
  const runs: Run[] = [];
  for (let after: string | undefined; ;) {
    const more = after === undefined ? {} : { after };
    const page = await client.call(
      "run.list",
      { ...toRunInput(filter), active: true, limit: 1000, ...more },
      { signal },
    );
    runs.push(...page.runs);
    if (page.next === null) return runs;
    after = page.next;
  }
}

function tell(toasts: Toasts, ids: readonly string[], { ended, over, kept }: Stopped): void {
  const byThemselves = over.length === 0 ? undefined : `${over.length} had ended by themselves.`;
  if (ended.size > 0 || kept.length === 0) {
    const title = `${toMany(ended.size, "run")} stopped`;
    toasts.did({ tone: "rest", title, detail: byThemselves, command: toStopCommand(ids) });
  }
  if (kept.length === 0) return;
  const reasons = kept.slice(0, reasonsMax).map(({ run, why }) => `${run}: ${why}`);
  const more = kept.length > reasonsMax ? [`And ${kept.length - reasonsMax} more.`] : [];
  toasts.did({
    tone: "stop",
    title: `Not stopped: ${kept.length} of ${toMany(ids.length, "run")}`,
    detail: [...reasons, ...more].join(" "),
    command: toStopCommand(kept.map(({ run }) => run)),
  });
}
