import type { ReactNode } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import { useActs } from "../acts/act-context.tsx";
import { useIsLive } from "../live/live-context.tsx";
import { type ActName, actsOf } from "../model/run-acts.ts";
import { Button } from "../parts/button.tsx";

/** What can be done to a run now. Not while the page is disconnected: nobody acts on what may no longer be so. */
export function ActButtons(props: {
  readonly run: Run;
  readonly only?: readonly ActName[];
  readonly except?: readonly ActName[];
  /** One button of a view is blue; whose it is, the view decides. */
  readonly primary?: boolean;
}): ReactNode {
  const { run, only, except = [], primary = true } = props;
  const { request } = useActs();
  const isLive = useIsLive();
  const acts = actsOf(run).filter(({ name }) => !except.includes(name) && (only === undefined || only.includes(name)));
  return (
    <div className="acts">
      {acts.map((act) => (
        <Button
          key={act.name}
          size="small"
          look={act.look === "primary" && !primary ? "plain" : act.look}
          hotkey={act.key}
          disabled={!isLive}
          title={isLive ? act.means : "Not while disconnected"}
          onClick={() => request(act, run)}
        >
          {act.label}
        </Button>
      ))}
    </div>
  );
}
