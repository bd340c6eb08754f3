import { type ReactNode, useState } from "react";
import { useActs } from "../acts/act-context.tsx";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { goTo } from "../shell/address.ts";
import { useKeys } from "../shell/keys.ts";

/** Starts the demo; what happens is seen at once, because everything on the page is live. */
export function DemoButton(): ReactNode {
  const { client } = useBox();
  const { toasts } = useActs();
  const isLive = useIsLive();
  const [isStarting, setStarting] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const start = async (): Promise<void> => {
    setStarting(true);
    setTrouble(null);
    try {
      const { folder, runs, staying } = await client.call("demo.start", { stay: true });
      toasts.show({
        tone: "go",
        title: `${runs.length + staying.length} agents are at work`,
        detail: `On a sample repository in ${folder}. Five land by themselves; one waits for your review.`,
        command: `git -C ${folder} log --stat`,
      });
      goTo({ place: "overview", run: null, find: "", tone: null });
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error));
      setStarting(false);
    }
  };
  useKeys({ T: isLive && !isStarting ? () => void start() : undefined });
  return (
    <div className="demo-start">
      <Button look="primary" size="large" hotkey="T" disabled={!isLive || isStarting} onClick={() => void start()}>
        {isStarting ? "Starting the demo …" : "Start the demo"}
      </Button>
      <span className="dim">
        or, in a terminal, <code>signalbox demo</code> <CopyButton text="signalbox demo" label="Copy the command" />
      </span>
      {trouble === null ? null : (
        <p className="a-stop" role="alert">
          The demo did not start: {trouble}
        </p>
      )}
    </div>
  );
}
