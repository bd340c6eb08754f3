// Where an instant stands on a timeline, in percent. Long stretches in which nothing happened are folded: a run that
// worked for a minute and waited for a person overnight is still seen.

export type Fold = { readonly fromMs: number; readonly toMs: number; readonly at: number; readonly width: number };

export type TimeScale = { readonly placeOf: (ms: number) => number; readonly folds: readonly Fold[] };

/** A gap longer than this share of what is drawn is drawn as that share, if it is a long time at all. */
const share = 0.12;
const foldMsMin = 20_000;

export function makeTimeScale(instants: readonly number[]): TimeScale {
  const points = [...new Set(instants)].toSorted((a, b) => a - b);
  const gaps = points.slice(1).map((point, at) => point - (points[at] ?? point));
  const lengths = drawnLengths(gaps);
  const total = lengths.reduce((sum, length) => sum + length, 0) || 1;
  const places = [0];
  for (const length of lengths) places.push((places.at(-1) ?? 0) + (100 * length) / total);
  const folds = gaps.flatMap((gap, at): Fold[] => {
    if ((lengths[at] ?? gap) >= gap) return [];
    const [from = 0, to = 0] = [places[at], places[at + 1]];
    return [{ fromMs: points[at] ?? 0, toMs: points[at + 1] ?? 0, at: from, width: to - from }];
  });
  return { placeOf: (ms) => placeIn(points, places, ms), folds };
}

/** No step of the end moves a drawing by more than this share of its width. */
const endShare = 1 / 400;

/** Where the drawing of something that goes on ends: not at every instant elsewhere, for then all of it would move. */
export function toDrawnEnd(fromMs: number, toMs: number): number {
  const stepMs = 2 ** Math.floor(Math.log2(Math.max(1, (toMs - fromMs) * endShare)));
  return fromMs + Math.ceil((toMs - fromMs) / stepMs) * stepMs;
}

/** Steps of a clock that people count in. */
const tickMs = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400].map(
  (seconds) => seconds * 1000,
);

export type Tick = { readonly ms: number; readonly at: number };

/**
 * Round times of the clock on the scale, `most` of them at most, none within a fold and none so near to its neighbour or to an end
 * that their words would meet. `shiftMs` is what the clock on the wall is ahead.
 */
export function ticksOn(
  { placeOf, folds }: TimeScale,
  { fromMs, toMs, shiftMs, most }: { readonly [name in "fromMs" | "toMs" | "shiftMs" | "most"]: number },
): { readonly ticks: readonly Tick[]; readonly stepMs: number } {
  const folded = folds.reduce((sum, fold) => sum + fold.toMs - fold.fromMs, 0);
  const longest = tickMs.at(-1) ?? 1;
  const stepMs = tickMs.find((step) => (toMs - fromMs - folded) / step <= most) ?? longest;
  const ticks: Tick[] = [];
  for (const [start, end] of betweenFolds(folds, fromMs, toMs)) {
    for (let ms = Math.ceil((start + shiftMs) / stepMs) * stepMs - shiftMs; ms <= end; ms += stepMs) {
      const at = placeOf(ms);
      const before = ticks.at(-1)?.at ?? -Infinity;
      if (at >= 2 && at <= 96 && at - before >= 70 / most) ticks.push({ ms, at });
    }
  }
  return { ticks, stepMs };
}

function betweenFolds(folds: readonly Fold[], fromMs: number, toMs: number): (readonly [number, number])[] {
  const starts = [fromMs, ...folds.map((fold) => fold.toMs)];
  return starts.map((start, at) => [start, folds[at]?.fromMs ?? toMs] as const);
}

/** How long each gap is drawn: long ones get no more than their share of the whole as it is drawn. */
function drawnLengths(gaps: readonly number[]): number[] {
  // With few gaps each has a large share, and folding would only make them alike.
  if (gaps.length * share < 1) return [...gaps];
  let cap = Math.max(...gaps);
  const draw = (): number[] => gaps.map((gap) => (gap < foldMsMin ? gap : Math.min(gap, cap)));
  for (let round = 0; round < 40; round++) {
    const total = draw().reduce((sum, length) => sum + length, 0);
    if (cap <= total * share * 1.01) break;
    cap = total * share;
  }
  return draw();
}

function placeIn(points: readonly number[], places: readonly number[], ms: number): number {
  const after = firstNotBefore(points, ms);
  if (after === points.length) return 100;
  const [from, to] = [points[after - 1], points[after]];
  if (from === undefined || to === undefined) return 0;
  const [left = 0, right = 0] = [places[after - 1], places[after]];
  return left + ((right - left) * (ms - from)) / (to - from);
}

/** Every mark asks for its place, and there are many of both. */
function firstNotBefore(points: readonly number[], ms: number): number {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle] ?? ms) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
