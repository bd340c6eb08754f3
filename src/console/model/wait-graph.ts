// Who waits for whom as a drawing: those who wait stand left of whom they wait for, and each wire says what for. Pure.

import type { Locks, QueueEntry } from "../../protocol/wire/claim.ts";
import { toOrdinal } from "./format.ts";
import { placeFor } from "./queues.ts";
import { toShortUnit } from "./units.ts";

export type GraphNode = { readonly holder: string; readonly x: number; readonly y: number };
export type GraphWire = {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly arrow: string;
  /** What is waited for. */
  readonly label: string;
  /** Which place in its queue, if it has one. */
  readonly place: string;
  readonly labelX: number;
  readonly labelY: number;
};
export type WaitGraph = {
  readonly nodes: readonly GraphNode[];
  readonly wires: readonly GraphWire[];
  readonly width: number;
  readonly height: number;
  /** How many holders are not drawn. */
  readonly left: number;
};

export const card = { width: 152, height: 44, gapX: 148, gapY: 12 } as const;
const nodesMax = 24;

type Edge = {
  readonly from: string;
  readonly to: string;
  /** Null where it waits for the other to end. */
  readonly about: { readonly entry: QueueEntry; readonly unit: string } | null;
};

export function toWaitGraph(locks: Locks, project: string | null): WaitGraph {
  const edges = toEdges(locks, project);
  const depths = depthsOf(edges);
  const all = [...depths.keys()];
  // Of many, those that most others wait for, and those who wait for them.
  const shown = new Set(all.length <= nodesMax ? all : mostWanted(edges, depths).slice(0, nodesMax));
  const drawn = edges.filter(({ from, to }) => shown.has(from) && shown.has(to));
  const deepest = Math.max(0, ...[...shown].map((holder) => depths.get(holder) ?? 0));
  const places = new Map<string, { readonly x: number; readonly y: number }>();
  const heights = stack(
    drawn,
    [...shown].filter((holder) => depths.get(holder) === 0),
  );
  for (const holder of shown) {
    const x = (deepest - (depths.get(holder) ?? 0)) * (card.width + card.gapX);
    places.set(holder, { x, y: heights.get(holder) ?? 0 });
  }
  const nodes = [...places].map(([holder, at]) => ({ holder, ...at }));
  return {
    nodes,
    wires: drawn.map((edge) => toWire(edge, places, locks)),
    width: deepest * (card.width + card.gapX) + card.width,
    height: Math.max(0, ...nodes.map(({ y }) => y + card.height)),
    left: all.length - shown.size,
  };
}

/** Each holder stands in the middle of those who wait for it first, so that few wires cross. */
function stack(edges: readonly Edge[], roots: readonly string[]): ReadonlyMap<string, number> {
  const firsts = new Map<string, string>();
  for (const { from, to } of edges) if (!firsts.has(from)) firsts.set(from, to);
  const byTarget = Map.groupBy(firsts.keys(), (from) => firsts.get(from) ?? "");
  const heights = new Map<string, number>();
  let next = 0;
  const place = (holder: string): number => {
    const waiters = (byTarget.get(holder) ?? []).filter((waiter) => !heights.has(waiter)).map(place);
    const [top, bottom] = [waiters[0], waiters.at(-1)];
    const y = top === undefined || bottom === undefined ? next : (top + bottom) / 2;
    if (top === undefined) next += card.height + card.gapY;
    heights.set(holder, y);
    return y;
  };
  for (const root of roots) place(root);
  return heights;
}

/** One edge for each pair, with what it is about. */
function toEdges(locks: Locks, project: string | null): Edge[] {
  const edges = new Map<string, Edge>();
  for (const entry of locks.queue) {
    if (project !== null && entry.project !== project) continue;
    // A lease is what holds it up in the end; a claim further ahead waits for such a lease itself.
    const held = entry.behind.filter(({ by }) => by === "lease");
    for (const { holder, unit } of held.length > 0 ? held : entry.behind) {
      const key = `${entry.holder} ${holder}`;
      if (holder === entry.holder || edges.has(key)) continue;
      edges.set(key, { from: entry.holder, to: holder, about: { entry, unit } });
    }
  }
  for (const { fromHolder, toHolder, claim } of locks.waits) {
    const key = `${fromHolder} ${toHolder}`;
    if (claim === null && project === null && !edges.has(key))
      edges.set(key, { from: fromHolder, to: toHolder, about: null });
  }
  return [...edges.values()];
}

/** How far each is from somebody who waits for nobody. A circle, which the daemon refuses, would not hang the page. */
function depthsOf(edges: readonly Edge[]): ReadonlyMap<string, number> {
  const targets = Map.groupBy(edges, ({ from }) => from);
  const depths = new Map<string, number>();
  const visit = (holder: string, way: ReadonlySet<string>): number => {
    const known = depths.get(holder);
    if (known !== undefined) return known;
    if (way.has(holder)) return 0;
    const further = new Set(way).add(holder);
    const below = (targets.get(holder) ?? []).map(({ to }) => visit(to, further) + 1);
    const depth = Math.max(0, ...below);
    depths.set(holder, depth);
    return depth;
  };
  for (const { from, to } of edges) for (const holder of [to, from]) visit(holder, new Set());
  return depths;
}

function mostWanted(edges: readonly Edge[], depths: ReadonlyMap<string, number>): string[] {
  const counts = new Map<string, number>();
  for (const { to } of edges) counts.set(to, (counts.get(to) ?? 0) + 1);
  const holders = [...depths.keys()].toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const chosen = new Set<string>();
  for (const holder of holders) {
    chosen.add(holder);
    for (const { from, to } of edges) if (to === holder) chosen.add(from);
  }
  return [...chosen];
}

function toWire(
  { from, to, about }: Edge,
  places: ReadonlyMap<string, { readonly x: number; readonly y: number }>,
  locks: Locks,
): GraphWire {
  const label = about === null ? "its end" : toShortUnit(about.unit);
  const place = about === null ? "" : toOrdinal(placeFor(locks, about.entry, about.unit));
  const [a, b] = [places.get(from) ?? { x: 0, y: 0 }, places.get(to) ?? { x: 0, y: 0 }];
  const [x1, x2] = [a.x + card.width, b.x - 8];
  const [y1, y2] = [a.y + card.height / 2, b.y + card.height / 2];
  // It turns close to the holder, so that wires to one holder share their last stretch.
  const bend = b.x - 24;
  const turn = Math.min(6, Math.abs(y2 - y1) / 2) * Math.sign(y2 - y1);
  const path =
    y1 === y2
      ? `M${x1} ${y1}H${x2}`
      : `M${x1} ${y1}H${bend - 6}Q${bend} ${y1} ${bend} ${y1 + turn}V${y2 - turn}Q${bend} ${y2} ${bend + 6} ${y2}H${x2}`;
  return { from, to, path, arrow: `M${b.x - 1} ${y2}l-8-4.5v9Z`, label, place, labelX: x1 + 8, labelY: y1 };
}
