import { useEffect, useState } from "react";

/** Counts on, once in so many milliseconds. */
export function useTicks(everyMs: number | null): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (everyMs === null) return undefined;
    const timer = setInterval(() => setCount((before) => before + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return count;
}
