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
  const after = points.findIndex((point) => point >= ms);
  if (after < 0) return 100;
  const [from, to] = [points[after - 1], points[after]];
  if (from === undefined || to === undefined) return 0;
  const [left = 0, right = 0] = [places[after - 1], places[after]];
  return left + ((right - left) * (ms - from)) / (to - from);
}
