import type { ReactNode } from "react";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import type { Run } from "../../protocol/wire/run.ts";
import { isOver } from "../model/signals.ts";
import { Button } from "../parts/button.tsx";
import { goTo } from "../shell/address.ts";
import { useKeys } from "../shell/keys.ts";
import { joinTerminal } from "./join-terminal.ts";

/** Joins the person's own terminal in the run, or opens it. A run that has not begun, or is over, has no cage to open it in. */
export function TerminalButton(props: {
  readonly run: Run;
  /** Beside a page the key is that page's. */
  readonly hotkey?: "W" | undefined;
}): ReactNode {
  const { run, hotkey } = props;
  const { client } = useBox();
  const { toasts } = useActs();
  const isLive = useIsLive();
  const canOpen = run.startedAtMs !== null && !isOver(run.state) && isLive;
  const join = async (): Promise<void> => {
    try {
      goTo(await joinTerminal(client, { run: run.id }));
    } catch (error) {
      showRefusal(toasts, `a terminal in ${run.id}`, error);
    }
  };
  useKeys(canOpen && hotkey !== undefined ? { [hotkey]: () => void join() } : {});
  if (run.startedAtMs === null || isOver(run.state)) return null;
  return (
    <Button size="small" icon="process" hotkey={hotkey} disabled={!isLive} onClick={() => void join()}>
      Terminal
    </Button>
  );
}
