import type { ReactNode } from "react";
import { toOrdinal } from "../../model/format.ts";
import type { Waiter, WaitRoot } from "../../model/waits.ts";
import { Since } from "../../parts/times.tsx";
import { UnitName } from "../../parts/unit-name.tsx";
import { Holder } from "./holder.tsx";

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
            <Place waiter={waiter} />
            <Holder id={waiter.holder} />
            <Wants waiter={waiter} />
          </div>
          {waiter.waiters.length === 0 ? null : <Waiters waiters={waiter.waiters} />}
        </li>
      ))}
    </ul>
  );
}

function Place({ waiter }: { readonly waiter: Waiter }): ReactNode {
  const { entry } = waiter;
  if (entry === null) return <em className="place">for it</em>;
  const passed = entry.passes === 0 ? "" : `; passed ${entry.passes} times by more urgent claims`;
  return (
    <em className="place" title={`${toOrdinal(entry.position)} in the queue of its project${passed}`}>
      {toOrdinal(entry.position)}
    </em>
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
