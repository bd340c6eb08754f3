// Tables for people: aligned columns, as wide as the terminal and no wider.

import { cutEnd, cutMiddle, padEnd, padStart, widthOf } from "./text-width.ts";

export type Column = {
  readonly title: string;
  readonly align?: "left" | "right";
  /** How a cell that does not fit is cut; without it the column keeps its width. */
  readonly cut?: "end" | "middle";
};

export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

export type TableOptions = {
  /** In cells; infinite when nobody looks at a screen. */
  readonly width: number;
  readonly paintTitle?: (text: string) => string;
};

const gap = "  ";
const cutWidthMin = 8;
/** Where nobody looks at a screen nothing is cut; but what is longer than this moves the rest of its own line alone. */
const freeWidthMax = 60;

export function toTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  options: TableOptions,
): string[] {
  const widths = fit(columns, rows, options.width);
  const paintTitle = options.paintTitle ?? ((text: string) => text);
  const titles = columns.map(({ title }) => ({ text: title, paint: paintTitle }));
  const isWhole = options.width === Infinity;
  return [titles, ...rows].map((row) => toLine(columns, row, widths, isWhole));
}

function toLine(columns: readonly Column[], row: readonly Cell[], widths: readonly number[], isWhole: boolean): string {
  let line = "";
  columns.forEach((column, at) => {
    const cell = row[at] ?? "";
    const { text, paint } = typeof cell === "string" ? { text: cell, paint: (same: string) => same } : cell;
    const width = Math.max(widths[at] ?? 0, isWhole ? widthOf(text) : 0);
    const cut = column.cut === "middle" ? cutMiddle(text, width) : cutEnd(text, width);
    const padded = column.align === "right" ? padStart(cut, width) : padEnd(cut, width);
    // Spaces at the end of a line would only show when somebody copies it.
    const isLast = at === columns.length - 1;
    line += (at === 0 ? "" : gap) + padded.replace(cut, () => (cut === "" ? "" : paint(cut)));
    if (isLast) line = line.trimEnd();
  });
  return line;
}

/** Natural widths, then the widest column that may be cut gives way until the line fits. */
function fit(columns: readonly Column[], rows: readonly (readonly Cell[])[], width: number): number[] {
  const widths = columns.map((column, at) =>
    Math.max(widthOf(column.title), ...rows.map((row) => widthOf(textOf(row[at])))),
  );
  if (width === Infinity)
    return widths.map((each, at) => (columns[at]?.cut === undefined ? each : Math.min(each, freeWidthMax)));
  let over = widths.reduce((sum, each) => sum + each, gap.length * (columns.length - 1)) - width;
  while (over > 0) {
    let widest = -1;
    columns.forEach((column, at) => {
      if (column.cut === undefined || (widths[at] ?? 0) <= Math.max(cutWidthMin, widthOf(column.title))) return;
      if (widest < 0 || (widths[at] ?? 0) > (widths[widest] ?? 0)) widest = at;
    });
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over--;
  }
  return widths;
}

function textOf(cell: Cell | undefined): string {
  return cell === undefined ? "" : typeof cell === "string" ? cell : cell.text;
}
