import { expect, test } from "vitest";
import { GrowingLine } from "./growing-line.ts";
import { Output } from "./output.ts";

function kit(columns = 30) {
  const written: string[] = [];
  const screen = { write: (text: string | Uint8Array) => written.push(String(text)), isTTY: true, columns };
  const line = new GrowingLine(new Output(screen, screen, { NO_COLOR: "1" }), "  ");
  /** What a person sees in the last line. */
  const seen = (): string => written.join("").split("\n").at(-1)?.split("\u001b[2K").at(-1) ?? "";
  return { line, written, seen };
}

const says = (text: string, more: object = {}) => ({
  words: [{ of: "message", text, from: 0, parent: null, ...more } as const],
});

test("[RN47] what is said grows in one line, of which the end is seen, and makes way for what has happened", () => {
  const { line, written, seen } = kit();
  line.show(says("I be"));
  expect(seen()).toBe("  says: I be");
  line.show(says("I begin.\nNow comes a line that is longer than there is room"));
  expect(seen()).toBe("  says: …r than there is room");
  line.print("0.1s  queued → starting");
  expect(written.join("")).toContain("\u001b[2K0.1s  queued → starting\n");
  expect(seen()).toContain("than there is room");
  line.show({ words: [] });
  expect(seen()).toBe("");
  line.end();
});

test("[RN47] thoughts and subagents are told apart, and no sign that a terminal obeys gets through", () => {
  const { line, seen } = kit(80);
  line.show(says("So \u001b[31mred", { of: "thinking", parent: "t1" }));
  expect(seen()).toBe("  subagent thinks: So ␛[31mred");
});
