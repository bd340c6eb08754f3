import fc from "fast-check";
import { expect, test } from "vitest";
import { search } from "../../../../test/support/search.ts";
import { fits, layOut, panesMax } from "./pane-layout.ts";

test("[TM26] panes stand side by side or one above the other, with a line of ours below", () => {
  expect(layOut({ cols: 81, rows: 25 }, "side", 2)).toEqual({
    places: [
      { col: 0, row: 0, cols: 40, rows: 24 },
      { col: 41, row: 0, cols: 40, rows: 24 },
    ],
    borders: [{ col: 40, row: 0, cols: 1, rows: 24 }],
  });
  expect(layOut({ cols: 80, rows: 25 }, "stack", 2)).toEqual({
    places: [
      { col: 0, row: 0, cols: 80, rows: 12 },
      { col: 0, row: 13, cols: 80, rows: 11 },
    ],
    borders: [{ col: 0, row: 12, cols: 80, rows: 1 }],
  });
});

test("[TM26] where they fit, they and their borders cover the screen but for its last line, each cell once", () => {
  const sizes = fc.record({ cols: fc.integer({ min: 1, max: 120 }), rows: fc.integer({ min: 1, max: 60 }) });
  fc.assert(
    fc.property(sizes, fc.constantFrom("side", "stack"), fc.integer({ min: 1, max: 5 }), (size, way, count) => {
      if (!fits(size, way, count)) return;
      expect(count).toBeLessThanOrEqual(panesMax);
      const { places, borders } = layOut(size, way, count);
      const cells = new Set<string>();
      for (const { col, row, cols, rows } of [...places, ...borders])
        for (let x = col; x < col + cols; x++)
          for (let y = row; y < row + rows; y++) {
            expect(cells.has(`${x} ${y}`)).toBe(false);
            cells.add(`${x} ${y}`);
          }
      expect(cells.size).toBe(size.cols * (size.rows - 1));
    }),
    search(100),
  );
});
