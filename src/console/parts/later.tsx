// Parts of the page whose scripts come when they are wanted, or when nothing else is to be done: not everybody who watches needs them.

import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from "react";
import { isDaemonThere } from "../live/daemon-there.ts";
import { Awaited } from "./awaited.tsx";
import { insist } from "./insist.ts";

const againMs = 1000;

type Load<Props> = () => Promise<ComponentType<Props>>;

const loads: (() => Promise<unknown>)[] = [];

/**
 * A component that comes later. While the daemon is away nothing comes: it is asked for again until it does, and the page says so
 * meanwhile. One that does not come although the daemon is there will not: whoever looks hears that, and decides. One that is wanted `soon` is fetched by `fetchSoon`, before anybody goes there.
 */
export function later<Props extends object>(
  what: string,
  load: Load<Props>,
  { soon = false }: { readonly soon?: boolean } = {},
): (props: Props) => ReactNode {
  const Part = lazy(() =>
    insist(load, { isDaemonThere, pause }).then(
      (part) => ({ default: part }),
      () => ({ default: Missing }),
    ),
  );
  if (soon) loads.push(load);
  return function Later(props) {
    return <Suspense fallback={<Awaited what={what} rows={8} />}>{createElement(Part, props)}</Suspense>;
  };
}

function Missing(): ReactNode {
  return (
    <Awaited what="Reading" trouble="This part of the console could not be read." again={() => location.reload()} />
  );
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, againMs));
}

/** Fetches what will soon be wanted, once the browser has nothing else to do. One that does not come now comes when it is wanted. */
export function fetchSoon(): void {
  const [next] = loads.splice(0, 1);
  if (next === undefined) return;
  const go = (): void => void next().then(fetchSoon, () => undefined);
  if ("requestIdleCallback" in globalThis) requestIdleCallback(go);
  else setTimeout(go, againMs);
}
