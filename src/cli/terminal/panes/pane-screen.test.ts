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
