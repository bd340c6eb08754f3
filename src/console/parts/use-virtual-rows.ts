// Draws only the rows of a long list that are in sight. All rows have one height, so that the place of each is known.

import { type RefObject, useEffect, useLayoutEffect, useState } from "react";

export type VirtualRows = {
  /** Rows [from, to) are drawn. */
  readonly from: number;
  readonly to: number;
  readonly scrollTo: (row: number) => void;
};

const spareRows = 8;

export function useVirtualRows(scrollRef: RefObject<HTMLElement | null>, count: number, rowPx: number): VirtualRows {
  const [view, setView] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const element = scrollRef.current;
    if (element === null) return undefined;
    const look = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    look();
    element.addEventListener("scroll", look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      observer.disconnect();
    };
  }, [scrollRef]);
  useEffect(() => {
    // A list that became shorter would leave one below its end.
    if (view.top > count * rowPx) scrollRef.current?.scrollTo({ top: 0 });
  }, [scrollRef, count, rowPx, view.top]);
  const first = Math.floor(view.top / rowPx);
  return {
    from: Math.max(0, Math.min(count, first) - spareRows),
    to: Math.min(count, first + Math.ceil(view.height / rowPx) + spareRows),
    scrollTo: (row) => {
      const element = scrollRef.current;
      if (element === null) return;
      const top = row * rowPx;
      if (top < element.scrollTop) element.scrollTo({ top });
      else if (top + rowPx > element.scrollTop + element.clientHeight)
        element.scrollTo({ top: top + rowPx - element.clientHeight });
    },
  };
}
