import type { ReactNode } from "react";
import { useBox, useLive } from "../live/live-context.tsx";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { isHopeless } from "../live/live-store.ts";
import { useKeys } from "./keys.ts";

/** Nothing could be read at all: the reason, what helps, and another try. */
export function Failed(): ReactNode {
  const { store } = useBox();
  const link = useLive((state) => state.link);
  useKeys({ R: store.start });
  if (link.is !== "failed") return null;
  const isForbidden = link.code.startsWith("forbidden");
  return (
    <div className="page-note" role="alert">
      <h2>
        <span className={isForbidden ? "a-wait" : "a-stop"}>
          <Icon name={isForbidden ? "guarded" : "failed"} />
        </span>{" "}
        {isForbidden ? "You may not see this" : "The console could not be read"}
      </h2>
      <p>{link.message}</p>
      {link.ways.length === 0 ? null : (
        <ul>
          {link.ways.map((way) => (
            <li key={way}>{way}</li>
          ))}
        </ul>
      )}
      <p className="dim">
        Code <code>{link.code}</code>.{" "}
        {isHopeless(link.code) ? "Trying again helps once that has changed." : "It tries again by itself."}
      </p>
      <Button hotkey="R" onClick={store.start}>
        Try again
      </Button>
    </div>
  );
}
