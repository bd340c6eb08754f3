import type { ReactNode } from "react";
import type { Waiter, WaitRoot } from "../../model/waits.ts";
import { Since } from "../../parts/times.tsx";
import { UnitName } from "../../parts/unit-name.tsx";
import { Holder } from "./holder.tsx";
import { Place } from "./place.tsx";

/** A holder, and below it all who wait for it, directly or through others. */
export function WaitTree({ root }: { readonly root: WaitRoot }): ReactNode {
  return (
    <div className="wait-tree">
      <div className="wait-root">
        <Holder id={root.holder} />
        <span className="dim">{root.count === 1 ? "1 waits" : `${root.count} wait`}</span>
      </div>
      <Waiters waiters={root.waiters} />
    </div>
  );
}

function Waiters({ waiters }: { readonly waiters: readonly Waiter[] }): ReactNode {
  return (
    <ul className="waiters">
      {waiters.map((waiter) => (
        <li key={waiter.holder}>
          <div className="waiter" data-waiter={waiter.holder}>
            {waiter.entry === null ? (
              <em className="place">for it</em>
            ) : (
              <Place entry={waiter.entry} unit={waiter.units[0]} />
            )}
            <Holder id={waiter.holder} />
            <Wants waiter={waiter} />
          </div>
          {waiter.waiters.length === 0 ? null : <Waiters waiters={waiter.waiters} />}
        </li>
      ))}
    </ul>
  );
}

function Wants({ waiter }: { readonly waiter: Waiter }): ReactNode {
  const { units, also, entry } = waiter;
  const [first, ...rest] = units;
  return (
    <span className="wants">
      {first === undefined ? null : <UnitName unit={first} wanted />}
      {rest.length === 0 ? null : <span className="dim">+{rest.length}</span>}
      {also.length === 0 ? null : <span className="dim">and {also.join(", ")}</span>}
      {entry === null ? null : <Since atMs={entry.queuedAtMs} />}
    </span>
  );
}
