import headless from "@xterm/headless";
import { Terminal } from "@xterm/xterm";
import { describe, expect, test } from "vitest";
import { boundCounts, drawInParts } from "./bound-counts.ts";

const size = { cols: 10, rows: 4, scrollback: 1000, allowProposedApi: true } as const;

describe.each([
  ["without a window", () => new headless.Terminal({ ...size, logLevel: "off" })],
  ["of the console", () => new Terminal({ ...size, logLevel: "off" })],
])("counts in what is told to a terminal %s", (_, make) => {
  const bound = (): ReturnType<typeof make> => {
    const terminal = make();
    boundCounts(terminal);
    return terminal;
  };

  test("[TM27] a letter is said again as often as the screen has room, whatever was asked for", async () => {
    const terminal = bound();
    await drawn(terminal, "a\u001b[5000b");
    expect(terminal.buffer.active.baseY).toBe(1);
    await drawn(terminal, "\u001b[2J\u001b[H日\u001b[3bz");
    expect(rowsOf(terminal).slice(0, 1)).toEqual(["日日日日z"]);
  });

  test("[TM27] a letter with marks without end is not said again", async () => {
    const terminal = bound();
    await drawn(terminal, `e${"\u0301".repeat(1000)}\u001b[5bz`);
    expect(terminal.buffer.active.cursorX).toBe(2);
    await drawn(terminal, "\r\ne\u0301\u001b[5bz");
    expect(rowsOf(terminal).slice(1, 2)).toEqual([`${"e\u0301".repeat(6)}z`]);
  });

  // Without a bound each of these takes minutes, and nothing else is done meanwhile.
  test.each(["b", "L", "M", "S", "T", "I", "Z"])(
    "[TM27] CSI 2147483647 %s does what a full screen of it does",
    async (final) => {
      const [terminal, full] = [bound(), make()];
      const before = "one\r\ntwo\r\nthree\r\nfo\u001b[2;3H";
      await drawn(terminal, `${before}\u001b[2147483647${final}`);
      await drawn(full, `${before}\u001b[${final === "b" ? size.cols * size.rows : 10}${final}`);
      expect(rowsOf(terminal)).toEqual(rowsOf(full));
      expect(terminal.buffer.active.cursorX).toBe(full.buffer.active.cursorX);
    },
  );
});

describe("a flood", () => {
  const again = new TextEncoder().encode("a\u001b[9999999b".repeat(5000));
  const partsAt = (cols: number, rows: number): Uint8Array[] => {
    const parts: Uint8Array[] = [];
    drawInParts({ cols, rows, write: (part) => parts.push(Buffer.from(part)) }, again);
    return parts;
  };

  test.each([
    [1000, 500],
    [200, 50],
    [80, 24],
    [2, 1],
  ])("[TM27] is drawn in parts that cost about the same at each size of the screen: %s×%s", (cols, rows) => {
    const parts = partsAt(cols, rows);
    expect(Buffer.concat(parts).equals(again)).toBe(true);
    for (const { length } of parts) expect(length * cols * rows).toBeLessThanOrEqual(8192 * 80 * 50);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(8192);
  });

  test("[TM27] is drawn when its last part is, also where a letter is cut in two", async () => {
    const terminal = new headless.Terminal({ ...size, cols: 1000, rows: 500, logLevel: "off" });
    const text = "日😀".repeat(100);
    for (const bytes of [text, new TextEncoder().encode(text)]) {
      terminal.reset();
      await new Promise<void>((resolve) => drawInParts(terminal, bytes, resolve));
      expect(rowsOf(terminal)[0]).toBe(text);
    }
  });
});

type Drawing = Pick<headless.Terminal, "write" | "rows" | "buffer">;

function drawn(terminal: Drawing, text: string): Promise<void> {
  return new Promise((resolve) => terminal.write(text, resolve));
}

function rowsOf({ buffer: { active }, rows }: Drawing): string[] {
  return Array.from({ length: rows }, (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "");
}
