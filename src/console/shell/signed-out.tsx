import { type ReactNode, useEffect } from "react";
import { useBox } from "../live/live-context.tsx";
import { Button } from "../parts/button.tsx";
import { Command } from "../parts/command.tsx";
import { Logo } from "../parts/logo.tsx";
import "./signed-out.css";

/** No session: how to get in. It looks again when the window is used again, because a link opens in another tab. */
export function SignedOut(): ReactNode {
  const { store } = useBox();
  useEffect(() => {
    addEventListener("focus", store.start);
    return () => removeEventListener("focus", store.start);
  }, [store]);
  return (
    <main className="signed-out">
      <div className="page-note">
        <Logo />
        <h1>You are signed out</h1>
        <p>
          The console opens with a link that works once. The daemon prints one when it starts, and a fresh one whenever
          you ask:
        </p>
        <Command text="signalbox login" />
        <p className="dim">
          From a checkout that is <code>bin/signalbox login</code>; <code>npm start</code> prints a link, too. Open it
          in this browser and come back to this tab.
        </p>
        <Button onClick={store.start}>Look again</Button>
      </div>
    </main>
  );
}
