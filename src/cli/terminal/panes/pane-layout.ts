// Where panes stand on a screen: side by side or one above the other, with a border between two, above one line of ours. Pure.

export type Size = { readonly cols: number; readonly rows: number };
/** Counted from 0, at the upper left. */
export type Place = Size & { readonly col: number; readonly row: number };
export type Way = "side" | "stack";

export type Layout = { readonly places: readonly Place[]; readonly borders: readonly Place[] };

/** As many as one can read. */
export const panesMax = 4;
const colsMin = 10;
const rowsMin = 2;

export function layOut({ cols, rows }: Size, way: Way, count: number): Layout {
  const isSide = way === "side";
  const shares = share((isSide ? cols : rows - 1) - (count - 1), count);
  const places: Place[] = [];
  const borders: Place[] = [];
  let at = 0;
  for (const [index, size] of shares.entries()) {
    places.push(isSide ? { col: at, row: 0, cols: size, rows: rows - 1 } : { col: 0, row: at, cols, rows: size });
    at += size;
    if (index === count - 1) break;
    borders.push(isSide ? { col: at, row: 0, cols: 1, rows: rows - 1 } : { col: 0, row: at, cols, rows: 1 });
    at += 1;
  }
  return { places, borders };
}

/** Whether each of them would be large enough to see something. */
export function fits(size: Size, way: Way, count: number): boolean {
  return (
    count <= panesMax && layOut(size, way, count).places.every(({ cols, rows }) => cols >= colsMin && rows >= rowsMin)
  );
}

/** What does not come out even goes to the first ones. */
function share(total: number, count: number): number[] {
  const [each, rest] = [Math.floor(total / count), total % count];
  return Array.from({ length: count }, (_, index) => Math.max(1, each + (index < rest ? 1 : 0)));
}
