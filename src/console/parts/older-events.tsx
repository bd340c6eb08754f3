import type { ReactNode } from "react";
import type { LogTail } from "../live/use-log.ts";
import { Button } from "./button.tsx";

/** Below the last event of a list: what stands before it in the log, where that was not read. */
export function OlderEvents({ log }: { readonly log: LogTail }): ReactNode {
  const { more, isSettled, trouble, lookFurther } = log;
  // Why it could not be read stands above the list.
  if (!more || trouble !== null) return null;
  return (
    <div className="more-row">
      {isSettled ? (
        <>
          <span className="dim">What happened before is not shown.</span>
          <Button size="small" onClick={lookFurther}>
            Look further back
          </Button>
        </>
      ) : (
        <span className="dim" role="status">
          Reading what happened before …
        </span>
      )}
    </div>
  );
}
