import { expect, test } from "vitest";
import { PaneScreen } from "./pane-screen.ts";

test("[TM27] a pane draws a letter again as often as it has room, whatever a program asks for", async () => {
  const size = { cols: 4, rows: 2 };
  const drawn = Promise.withResolvers<void>();
  const screen = new PaneScreen(size, drawn.resolve);
  screen.write("a\u001b[5001bz");
  await drawn.promise;
  // Eight more than one, and the last letter. All that was asked for would have ended with "aaz".
  expect(screen.rowsIn({ ...size, col: 0, row: 0 })).toEqual(["aaaa", "az  "]);
  screen.dispose();
});

test("[TM26] a whole screen takes the place of what was written before it and is not drawn yet", async () => {
  const size = { cols: 8, rows: 2 };
  const screen = new PaneScreen(size, () => undefined);
  screen.show(Buffer.from("old$ "), size);
  screen.show(Buffer.from("new$ "), size);
  await expect.poll(() => screen.rowsIn({ ...size, col: 0, row: 0 })).toEqual(["new$    ", "        "]);
  expect(screen.cursorIn(size)).toEqual({ col: 5, row: 0 });
  screen.dispose();
});

test("[TM26] what was said before a pane has another size is drawn for the size that it had", async () => {
  const screen = new PaneScreen({ cols: 4, rows: 1 }, () => undefined);
  // To the eighth column, or the last one.
  screen.write("\u001b[1;8Hx");
  screen.resize({ cols: 8, rows: 1 });
  await expect.poll(() => screen.rowsIn({ cols: 8, rows: 1, col: 0, row: 0 })).toEqual(["   x    "]);
  screen.dispose();
});
