// Whoever goes back finds a list where they left it. Whoever comes another way begins at its top.

import { type RefObject, useEffect, useLayoutEffect } from "react";
import { cameBack } from "../shell/address.ts";

const keptMax = 50;
/** How far lists were scrolled, by address. */
const kept = new Map<string, number>();

export function useKeptPlace(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const top = kept.get(location.pathname + location.search);
    if (cameBack() && top !== undefined) box.current?.scrollTo({ top });
  }, [box]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const keep = (): void => {
      const here = location.pathname + location.search;
      kept.delete(here);
      kept.set(here, element.scrollTop);
      for (const oldest of kept.keys()) {
        if (kept.size <= keptMax) break;
        kept.delete(oldest);
      }
    };
    element.addEventListener("scroll", keep, { passive: true });
    return () => element.removeEventListener("scroll", keep);
  }, [box]);
}
