import { useEffect, useEffectEvent } from "react";
import type { Failure } from "./failure.ts";
import { useLive } from "./live-context.tsx";

/** The pause of the live store. */
const retryMs = 2000;

/** Tries again by itself what failed for a reason that passes, while there is somebody to ask. */
export function useRetry(failure: Failure | null, retry: () => void): void {
  const canAsk = useLive(({ link }) => link.is === "live" || link.is === "past");
  const again = useEffectEvent(retry);
  useEffect(() => {
    if (failure?.passes !== true || !canAsk) return undefined;
    const timer = setTimeout(() => again(), retryMs);
    return () => clearTimeout(timer);
  }, [failure, canAsk]);
}
