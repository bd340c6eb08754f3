import { expect, test } from "vitest";
import type { PresentViewer, TerminalNews } from "../../protocol/terminal-stream.ts";
import { emptyView, evolveView, keyboardOf, tellView } from "./terminal-view.ts";

const me = "viewer-me";
const present = (viewer: string, given: Partial<PresentViewer> = {}): PresentViewer => ({
  viewer,
  name: viewer,
  readOnly: false,
  keyboard: false,
  asks: false,
  ...given,
});
const after = (...news: readonly TerminalNews[]) => news.reduce(evolveView, emptyView);
const tell = (...news: readonly TerminalNews[]): string => tellView(after(...news), me, false);

test("it says who types, and what became of one's own wish to", () => {
  const eva = present("eva", { keyboard: true });
  expect(tellView(emptyView, me, false)).toBe("Connecting …");
  expect(tell({ viewers: [present(me, { keyboard: true })] })).toBe("You have the keyboard.");
  expect(tell({ viewers: [eva, present(me)] })).toBe("eva has the keyboard.");
  expect(tell({ viewers: [eva, present(me, { asks: true })] })).toBe("eva has the keyboard. You asked for it.");
  expect(tell({ viewers: [eva, present(me)] }, { refused: 1 })).toContain("What you typed went nowhere.");
  expect(tellView(after({ viewers: [eva] }), me, true)).toBe("You only look. eva has the keyboard.");
});

test("[TM11] who types more than a program reads is told so, until something that they type later is taken", () => {
  const viewers = [present(me, { keyboard: true })];
  const full = "You have the keyboard. What you typed last went nowhere: more is waiting than the program reads.";
  expect(tell({ viewers }, { refused: 7 }, { typed: 6 })).toBe(full);
  expect(tell({ viewers }, { refused: 7 }, { typed: 8 })).toBe("You have the keyboard.");
});

test("an end and a broken connection come first", () => {
  const ended = { atMs: 1, exit: 3, why: "ended", bytes: 1, message: null } as const;
  expect(tell({ viewers: [present(me, { keyboard: true })] }, { ended })).toBe("It has ended with 3.");
  expect(tellView({ ...emptyView, link: "broken" }, me, false)).toContain("trying again");
  expect(tellView({ ...emptyView, trouble: "There is no terminal te_1." }, me, false)).toBe(
    "There is no terminal te_1.",
  );
});

test("who asks is offered the keyboard, oneself not", () => {
  const viewers = [present(me, { keyboard: true }), present("eva", { asks: true }), present("tom")];
  expect(keyboardOf(after({ viewers }), me)).toMatchObject({ isMine: true, iAsk: false, asking: [{ viewer: "eva" }] });
});
