import type { ReactNode } from "react";
import type { Client } from "../../client/client.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { toMany } from "../model/format.ts";
import type { RunFilter } from "../model/run-rows.ts";
import { toStopCommand, waysToStop } from "../model/stop-these.ts";
import { toVisible } from "../model/visible-text.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { StateWord } from "../parts/state-word.tsx";
import { toRunInput } from "./use-run-list.ts";

const namedMax = 8;

/** Ends all runs that a filter leaves, after naming and counting them. */
export function StopThese(props: {
  readonly filter: RunFilter;
  /** What the project is called. */
  readonly projectName: string | null;
}): ReactNode {
  const { open } = useActs();
  const isLive = useIsLive();
  return (
    <Button
      size="small"
      look="danger"
      disabled={!isLive}
      onClick={() => open((onClose) => <StopDialog {...props} onClose={onClose} />)}
    >
      Stop these…
    </Button>
  );
}

function StopDialog(props: {
  readonly filter: RunFilter;
  readonly projectName: string | null;
  readonly onClose: () => void;
}): ReactNode {
  const { filter, projectName, onClose } = props;
  const { client } = useBox();
  const { toasts } = useActs();
  // What was counted is what is stopped: nothing more is read while somebody thinks about it.
  const { value: runs, trouble } = useAsked({
    subject: `to stop ${JSON.stringify(filter)}`,
    stamp: 0,
    ask: (asked, signal) => readActive(asked, filter, signal),
  });
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
  const command = toStopCommand(filter, projectName, ids);
  const stop = async (): Promise<void> => {
    onClose();
    try {
      const ended = await stopAll(client, filter, ids);
      toasts.did({ tone: "rest", title: `${toMany(ended, "run")} stopped`, command });
    } catch (error) {
      showRefusal(toasts, `stop ${toMany(ids.length, "run")}`, error);
    }
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
      <p>They end as terminated and cannot go on. What they hold is free, and what they wrote is kept.</p>
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

/** How many have ended: sub-runs go along with theirs. */
async function stopAll(client: Client, filter: RunFilter, ids: readonly string[]): Promise<number> {
  const way = waysToStop(filter);
  if (way.by === "tag") return (await client.call("run.stop-by-tag", way.input)).runs.length;
  if (way.by === "all") return (await client.call("run.stop-all", way.input)).runs.length;
  let ended = 0;
  for (const run of ids) {
    // One that has ended by itself meanwhile is in nobody's way.
    const answer = await client.call("run.stop", { run }).catch(unlessOver);
    ended += answer.runs.length;
  }
  return ended;
}

function unlessOver(error: unknown): { readonly runs: readonly string[] } {
  if (error instanceof Error && "code" in error && (error.code === "wrong-state" || error.code === "not-found"))
    return { runs: [] };
  throw error;
}
