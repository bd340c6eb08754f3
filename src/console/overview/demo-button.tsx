import { type ReactNode, useState } from "react";
import { useActs } from "../acts/act-context.tsx";
import { demoCommand, startDemo } from "../acts/start-demo.ts";
import { useBox, useIsLive } from "../live/live-context.tsx";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { useKeys } from "../shell/keys.ts";

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
      await startDemo({ client, toasts });
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
        or, in a terminal, <code>{demoCommand}</code>
        <CopyButton text={demoCommand} label="Copy the command" />
      </span>
      {trouble === null ? null : (
        <p className="a-stop" role="alert">
          The demo did not start: {trouble}
        </p>
      )}
    </div>
  );
}
