import type { ReactNode } from "react";
import type { RunState } from "../../../protocol/wire/run.ts";
import { useLive } from "../../live/live-context.tsx";
import { signals } from "../../model/signals.ts";
import type { WaitRoot } from "../../model/waits.ts";
import { Icon } from "../../parts/icon.tsx";

/** One sentence: what would clear the most. */
export function Advice({ root }: { readonly root: WaitRoot | undefined }): ReactNode {
  const run = useLive((state) => state.runs.get(root?.holder ?? ""));
  if (root === undefined) return null;
  const frees = root.count === 1 ? "one run" : `${root.count} runs`;
  if (run === undefined) {
    return (
      <p className="advice">
        <b>{root.holder}</b> holds up {frees}, from outside.
      </p>
    );
  }
  const { icon, tone } = signals[run.state];
  return (
    <p className="advice">
      <span className={`a-${tone}`}>
        <Icon name={icon} />
      </span>
      <span>
        {adviceFor(run.state, run.id)} frees <b>{frees}</b>.
      </span>
    </p>
  );
}

function adviceFor(state: RunState, id: string): string {
  if (state === "awaiting-input") return `Your answer to ${id}`;
  if (state === "review") return `Your review of ${id}`;
  if (state === "paused") return `Resuming ${id}`;
  return `The end of ${id}`;
}
