// Draws only the rows of a long list that are in sight. All rows have one height, so that the place of each is known. Where the list
// has no scroll bar of its own, as on a phone, it is the page that scrolls.

import { type RefObject, useEffect, useLayoutEffect, useState } from "react";

export type VirtualRows = {
  /** Rows [from, to) are drawn. */
  readonly from: number;
  readonly to: number;
  readonly scrollTo: (row: number) => void;
};

const spareRows = 8;
/** What covers a page that scrolls at its two ends: the bar and the tabs. */
const coveredPx = { top: 56, bottom: 72 } as const;

export function useVirtualRows(scrollRef: RefObject<HTMLElement | null>, count: number, rowPx: number): VirtualRows {
  const [view, setView] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const element = scrollRef.current;
    if (element === null) return undefined;
    let isOwn = hasOwnBar(element);
    const look = (): void => {
      const { top, height } = isOwn ? viewOf(element) : viewInPage(element);
      setView((old) => (old.top === top && old.height === height ? old : { top, height }));
    };
    // Scrolling does not bubble: what is caught on its way down is of the list as well as of the page around it.
    const onScroll = ({ target }: Event): void => {
      if (target instanceof Node && target.contains(element)) look();
    };
    document.addEventListener("scroll", onScroll, { passive: true, capture: true });
    const observer = new ResizeObserver(() => {
      isOwn = hasOwnBar(element);
      look();
    });
    observer.observe(element);
    look();
    return () => {
      document.removeEventListener("scroll", onScroll, { capture: true });
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
      if (hasOwnBar(element)) bringIntoBox(element, row * rowPx, rowPx);
      else bringIntoPage(element, row * rowPx, rowPx);
    },
  };
}

function hasOwnBar(element: HTMLElement): boolean {
  return getComputedStyle(element).overflowY !== "visible";
}

function viewOf({ scrollTop, clientHeight }: HTMLElement): { readonly top: number; readonly height: number } {
  return { top: scrollTop, height: clientHeight };
}

function viewInPage(element: HTMLElement): { readonly top: number; readonly height: number } {
  return { top: Math.max(0, -element.getBoundingClientRect().top), height: innerHeight };
}

function bringIntoBox(element: HTMLElement, top: number, rowPx: number): void {
  if (top < element.scrollTop) element.scrollTo({ top });
  else if (top + rowPx > element.scrollTop + element.clientHeight)
    element.scrollTo({ top: top + rowPx - element.clientHeight });
}

function bringIntoPage(element: HTMLElement, top: number, rowPx: number): void {
  const at = element.getBoundingClientRect().top + top;
  const missing = at + rowPx - (innerHeight - coveredPx.bottom);
  if (at < coveredPx.top) scrollBy({ top: at - coveredPx.top });
  else if (missing > 0) scrollBy({ top: missing });
}
