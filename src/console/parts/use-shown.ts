// How many rows of a long list are shown: a step at first, and another one each time that somebody asks for more. Whoever goes back
// finds as many as they had.

import { useEffect, useState } from "react";
import { cameBack, useAddress } from "../shell/address.ts";

/** By address and list. */
const kept = new Map<string, number>();

export function useShown(list: string, step: number): readonly [number, () => void] {
  // What else the address says may change while the list stays.
  useAddress();
  const key = `${list} ${location.pathname}${location.search}`;
  const [shown, setShown] = useState(() => (cameBack() ? (kept.get(key) ?? step) : step));
  useEffect(() => {
    if (shown > step) kept.set(key, shown);
  }, [key, shown, step]);
  return [shown, () => setShown(shown + step)];
}
