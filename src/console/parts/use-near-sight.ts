// Whether something is in sight, or about to be: what is far from it need not be drawn.

import { type RefObject, useEffect, useState } from "react";

const marginPx = 400;
const told = new WeakMap<Element, (isNear: boolean) => void>();
let observer: IntersectionObserver | undefined;

/** Also below the edge of whatever scrolls it, so that a row is there when it comes. */
export function useNearSight(ref: RefObject<Element | null>, atFirst: boolean): boolean {
  const [isNear, setNear] = useState(atFirst);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    observer ??= watch();
    told.set(element, setNear);
    observer.observe(element);
    return () => {
      told.delete(element);
      observer?.unobserve(element);
    };
  }, [ref]);
  return isNear;
}

function watch(): IntersectionObserver {
  const margin = `${marginPx}px 0px`;
  // Not every browser knows the second one; there a row is drawn when it comes into sight.
  const options: IntersectionObserverInit & { readonly scrollMargin: string } = {
    rootMargin: margin,
    scrollMargin: margin,
  };
  return new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) told.get(target)?.(isIntersecting);
  }, options);
}
