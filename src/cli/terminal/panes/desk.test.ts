import headless from "@xterm/headless";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { Screen } from "../../../keeper/terminals/screen.ts";
import { search } from "../../../../test/support/search.ts";
import { Desk } from "./desk.ts";
import { PaneScreen } from "./pane-screen.ts";

const size = { cols: 41, rows: 8 };

function drawn(screen: Screen, bytes: string): Promise<void> {
  return new Promise((resolve) => screen.write(Buffer.from(bytes), resolve));
}

function filled(of: { readonly cols: number; readonly rows: number }, text: string): Promise<PaneScreen> {
  return new Promise((resolve) => {
    const screen = new PaneScreen(of, () => resolve(screen));
    screen.write(text);
  });
}

/** What draws two panes side by side, the right one first. */
function bytesOf(left: PaneScreen, right: PaneScreen): string {
  let bytes = "";
  let first = new PaneScreen({ cols: 20, rows: 7 }, () => undefined);
  const desk = new Desk((text) => (bytes += text), size, "side");
  desk.arrange(
    [
      {
        name: "left",
        get screen() {
          return first;
        },
      },
      { name: "right", screen: right },
    ],
    1,
  );
  first = left;
  desk.draw();
  desk.end();
  return bytes;
}

/** What a person sees of them. */
async function seen(
  left: PaneScreen,
  right: PaneScreen,
): Promise<{ readonly lines: string[]; readonly cursor: unknown }> {
  const person = new Screen({ ...size, onAnswer: () => undefined });
  await drawn(person, bytesOf(left, right));
  return { lines: person.lines().map((line) => line.trimEnd()), cursor: person.cursor };
}

/** What is seen of them on a terminal that has its own idea of how many cells a letter takes. */
async function seenOn(
  widthOf: (letter: string) => 0 | 1 | 2,
  left: PaneScreen,
  right: PaneScreen,
): Promise<readonly string[]> {
  const person = new headless.Terminal({ ...size, scrollback: 0, allowProposedApi: true, logLevel: "off" });
  const wcwidth = (codepoint: number): 0 | 1 | 2 => (codepoint < 0x300 ? 1 : widthOf(String.fromCodePoint(codepoint)));
  const charProperties = (codepoint: number, before: number): number =>
    wcwidth(codepoint) === 0 && before > 0 ? before | 1 : wcwidth(codepoint) << 1;
  person.unicode.register({ version: "other", wcwidth, charProperties });
  person.unicode.activeVersion = "other";
  await new Promise<void>((resolve) => person.write(bytesOf(left, right), resolve));
  const { active } = person.buffer;
  // Cell by cell: what stands in the last columns counts, whatever is before.
  const lines = Array.from({ length: size.rows }, (_, row) => {
    const line = active.getLine(row);
    return Array.from({ length: 21 }, (__, col) => line?.getCell(20 + col)?.getChars() || " ")
      .join("")
      .trimEnd();
  });
  person.dispose();
  return lines;
}

/** All that some terminal somewhere may draw in two cells, it does. */
function widely(letter: string): 0 | 1 | 2 {
  if (/[\u0300-\u036f]/u.test(letter)) return 0;
  const isCommon = letter < "\u0600" || (letter >= "\u1e00" && letter < "\u2000") || /[\u2500-\u25bf]/u.test(letter);
  return !isCommon && /[\p{L}\p{M}\p{C}\p{Extended_Pictographic}\p{Emoji}]/u.test(letter) ? 2 : 1;
}

test("[TM26] each pane is drawn in its place, with a border between and names below; the cursor is in the one that is typed in", async () => {
  const left = await filled({ cols: 20, rows: 7 }, "\u001b[31mred\u001b[m\r\nsecond");
  const right = await filled({ cols: 20, rows: 7 }, "$ 日本 ls");
  const { lines, cursor } = await seen(left, right);
  expect(lines[0]).toBe(`red${" ".repeat(17)}│$ 日本 ls`);
  expect(lines[1]).toBe(`second${" ".repeat(14)}│`);
  expect(lines.at(-1)).toBe("  left  ▸right");
  expect(cursor).toEqual({ col: 21 + 9, row: 0 });
});

test("[TM26] nothing is drawn once the person has their screen back, whatever comes late", async () => {
  const panes = [{ name: "left", screen: await filled({ cols: 20, rows: 7 }, "$ ") }];
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let bytes = "";
  const desk = new Desk((text) => (bytes += text), size, "side");
  desk.arrange(panes, 0);
  desk.end();
  bytes = "";
  desk.say("late");
  desk.later();
  desk.arrange(panes, 0);
  desk.focus(0);
  vi.runAllTimers();
  expect(bytes).toBe("");
});

test("[TM26] of a terminal that is larger than its pane the part with the cursor is drawn, and wide letters are not cut in two", async () => {
  const rows = Array.from({ length: 20 }, (_, row) => `row ${row}`).join("\r\n");
  const left = await filled({ cols: 20, rows: 20 }, rows);
  const right = await filled({ cols: 40, rows: 7 }, `${"x".repeat(19)}日本`);
  const { lines } = await seen(left, right);
  expect(lines.slice(0, 7).map((line) => line.split("│")[0]?.trim())).toEqual(
    [13, 14, 15, 16, 17, 18, 19].map((row) => `row ${row}`),
  );
  expect(lines[0]?.split("│")[1]).toMatch(/^x+日本?/);
});

test("[TM26] whatever is said in a pane, nothing of it gets out of its place", async () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom(
      "\u001b[2J",
      "\u001b[H",
      "\u001b[99;99H",
      "\u001b[31;44m",
      "\u001b[?1049h",
      "\r\n",
      "日本語",
      "\u001b[5X",
      "\t",
      "e\u0301",
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
      const left = await filled({ cols: 20, rows: 7 }, `${pieces.join("")}\u001b[m `);
      const right = await filled({ cols: 20, rows: 7 }, "untouched");
      const { lines } = await seen(left, right);
      for (const line of lines.slice(0, 7)) expect(line).toContain("│");
      expect(lines[0]?.split("│").at(-1)).toBe("untouched");
      expect(lines.at(-1)).toBe("  left  ▸right");
    }),
    search(50),
  );
});

test("[TM26] what terminals draw in two cells does not get into the next pane, and is drawn where there is room for it", async () => {
  const left = await filled({ cols: 20, rows: 7 }, `${"\u{1f600}".repeat(16)}rm -\r\n${"✅".repeat(9)}abc\r\n`);
  const right = await filled({ cols: 20, rows: 7 }, "root@host:~# real");
  const lines = await seenOn((letter) => (/\p{Emoji_Presentation}/u.test(letter) ? 2 : 1), left, right);
  expect(lines.slice(0, 7)).toEqual(["│root@host:~# real", ...Array.from({ length: 6 }, () => "│")]);
  const [first = "", second = ""] = left.rowsIn({ col: 0, row: 0, cols: 20, rows: 7 });
  expect(Array.from(first.matchAll(/\u{1f600}/gu))).toHaveLength(10);
  expect(second).toContain("rm -");
});

test("[TM26] whatever letters are said in a pane, no terminal draws them in the next one, however wide it takes them to be", async () => {
  const letter = fc.oneof(
    fc.string({ unit: "binary", maxLength: 10 }),
    fc.constantFrom(
      "\u{17000}",
      "\ufe0f",
      "\u200d",
      "\u{1f1e9}",
      "का",
      "\u0903",
      "\u{1f468}\u200d\u{1f469}",
      "x".repeat(17),
    ),
    fc.constantFrom("\u2764\ufe0f", "1\ufe0f\u20e3", "\ue000", "\u1160", "\ufdfd", "日"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(letter, { maxLength: 20 }), async (letters) => {
      const left = await filled({ cols: 20, rows: 7 }, `${letters.join("")} `);
      const right = await filled({ cols: 20, rows: 7 }, "untouched");
      const lines = await seenOn(widely, left, right);
      expect(lines.slice(0, 7)).toEqual(["│untouched", ...Array.from({ length: 6 }, () => "│")]);
    }),
    search(100),
  );
});

test("[TM26] nothing in a pane turns the direction of reading, and one letter has few marks", async () => {
  const said = `a\u202eRTL\u2066x\u2069\r\nz${"\u0301".repeat(200_000)}y`;
  const screen = await filled({ cols: 20, rows: 7 }, said);
  const rows = screen.rowsIn({ col: 0, row: 0, cols: 20, rows: 7 });
  expect(rows[0]?.trimEnd()).toBe("aRTLx");
  expect(rows[1]?.trimEnd()).toBe("z\u0301\u0301\u0301\u0301\u001b[2Gy");
});
