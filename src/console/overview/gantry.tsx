import { type ReactNode, useMemo } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import type { Locks } from "../../protocol/wire/claim.ts";
import type { InboxItem } from "../../protocol/wire/inbox.ts";
import { useInbox, useInboxOf } from "../inbox/inbox-context.tsx";
import { useLive } from "../live/live-context.tsx";
import { type Counts, countBroken, countRuns } from "../model/counts.ts";
import { toCount, toMany } from "../model/format.ts";
import { signals, tiles, type Tone } from "../model/signals.ts";
import { toShortUnit } from "../model/units.ts";
import { Icon } from "../parts/icon.tsx";
import { Ago, Since } from "../parts/times.tsx";
import { useAddress } from "../shell/address.ts";
import { Link } from "../shell/link.tsx";
import { useProjectId, useRunsOfProject } from "./use-shown-runs.ts";
import "./gantry.css";

/** Five counts, the most urgent first: each shows only its own runs when chosen, and all again when chosen twice. */
export function Gantry(): ReactNode {
  const { tone: chosen } = useAddress();
  const project = useProjectId();
  const runs = useRunsOfProject();
  const needs = useInboxOf(project);
  const { isComing } = useInbox();
  const broken = useLive((state) => countBroken(state.agents.values(), project));
  const totals = useLive((state) => state.totals);
  const locks = useLive((state) => state.locks);
  const counts = useMemo(() => ({ ...countRuns(runs, totals), you: needs.length }), [runs, totals, needs]);
  return (
    <nav className="gantry" aria-label="Signals">
      {tiles.map(({ tone, label, icon, means }) => (
        <Link
          key={tone}
          to={{ tone: chosen === tone ? null : tone }}
          className={`tile a-${tone}${counts[tone] === 0 ? " none" : ""}`}
          {...(chosen === tone ? { current: true } : {})}
        >
          <Icon name={icon} />
          <b className="num" data-count={tone}>
            {tone === "you" && isComing ? "…" : toCount(counts[tone])}
          </b>
          <span className="tile-label" title={means}>
            {label}
          </span>
          <span className="tile-detail">
            <Detail
              tone={tone}
              counts={counts}
              runs={runs}
              locks={locks}
              needs={needs}
              isComing={isComing}
              broken={broken}
            />
          </span>
        </Link>
      ))}
    </nav>
  );
}

function Detail(props: {
  readonly tone: Tone;
  readonly counts: Counts;
  readonly runs: readonly Run[];
  readonly locks: Locks;
  readonly needs: readonly InboxItem[];
  readonly isComing: boolean;
  readonly broken: number;
}): ReactNode {
  const { tone, counts, runs, locks, needs, isComing, broken } = props;
  const own = runs.filter((run) => signals[run.state].tone === tone);
  if (tone === "you") {
    if (isComing) return "reading …";
    if (needs.length === 0) return "nothing to decide";
    return (
      <>
        oldest <Since atMs={Math.min(...needs.map(({ sinceMs }) => sinceMs))} />
      </>
    );
  }
  if (tone === "stop") {
    const newest = own.toSorted((a, b) => b.sinceMs - a.sinceMs)[0];
    const agents = broken === 0 ? "" : `${toMany(broken, "agent")} in error`;
    if (newest === undefined) return agents === "" ? "nothing broken" : agents;
    return (
      <>
        {agents === "" ? "" : `${agents}; `}
        last {newest.id}, <Ago atMs={newest.sinceMs} />
      </>
    );
  }
  if (tone === "wait") return <>{toWaitDetail(counts, locks, runs)}</>;
  if (tone === "go") {
    const words = countBy(own, (run) => signals[run.state].word.toLowerCase());
    return words.length === 0
      ? "nothing at work"
      : words.map(([word, count]) => `${toCount(count)} ${word}`).join(", ");
  }
  return counts.paused === 0 ? "none paused" : `${toCount(counts.paused)} paused`;
}

/** Which units hold most runs up: app.ts ×2, media/ ×1. */
function toWaitDetail(counts: Counts, locks: Locks, runs: readonly Run[]): string {
  if (counts.wait === 0) return "nobody waits";
  const projects = new Set(runs.map((run) => run.project));
  const wanted = locks.queue
    .filter((entry) => projects.has(entry.project))
    .flatMap((entry) => [...new Set(entry.behind.map(({ unit }) => unit))]);
  const units = countBy(wanted, toShortUnit);
  if (units.length === 0) return `${toMany(counts.queued, "run")} queued`;
  return units.map(([unit, count]) => `${unit} ×${count}`).join(", ");
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, 3);
}
