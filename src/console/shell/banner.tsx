import { type ReactNode, useEffect, useState } from "react";
import { useBox, useLive } from "../live/live-context.tsx";
import { toClock, toSpan } from "../model/format.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import "./banner.css";

/** Over a page that may be old: since when, from when what is seen is, and what is done about it. */
export function Banner(): ReactNode {
  const { store } = useBox();
  const link = useLive((state) => state.link);
  return (
    <div role="status" aria-live="polite">
      {link.is === "away" ? (
        <div className="banner wait" data-banner="away">
          <Icon name="off" />
          <p>
            <b>
              Disconnected for <Lasting sinceWallMs={link.sinceWallMs} />.
            </b>{" "}
            What you see is from {toClock(link.seenWallMs)}, and the clocks stand. Trying again by itself.
          </p>
          <Button size="small" onClick={store.start}>
            Try now
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** Counts in the browser's own time: the daemon's is not known now. */
function Lasting({ sinceWallMs }: { readonly sinceWallMs: number }): ReactNode {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="num" aria-hidden="true">
      {toSpan(nowMs - sinceWallMs)}
    </span>
  );
}
