import type { ReactNode } from "react";
import { useLive } from "../../live/live-context.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/command.tsx";
import { StateWord } from "../../parts/state-word.tsx";
import { ActButtons } from "../../run/act-buttons.tsx";
import { goTo, useAddress } from "../../shell/address.ts";
import { useSelection } from "../../shell/selection.tsx";

/** The levers of the selected run, below the tracks. */
export function Levers(): ReactNode {
  const { selected } = useSelection();
  const address = useAddress();
  const run = useLive((state) => state.runs.get(selected ?? ""));
  // The open sheet has the same levers.
  if (run === undefined || address.run !== null) return null;
  return (
    <div className="levers" role="group" aria-label={`Act on ${run.id}`}>
      <span className="levers-run">
        <StateWord state={run.state} stuck={run.stuck} />
        <span className="rid">{run.id}</span>
        <span className="levers-title">{run.title}</span>
      </span>
      <ActButtons run={run} except={["answer", "allow", "deny", "approve", "return", "reject"]} primary={false} />
      <Button size="small" hotkey="↵" onClick={() => goTo({ run: run.id })}>
        Open
      </Button>
      <CopyButton text={`signalbox inspect ${run.id}`} label={`Copy: signalbox inspect ${run.id}`} />
    </div>
  );
}
