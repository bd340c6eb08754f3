// How far a count goes in what a program tells its terminal. xterm.js does as often as it is told: a dozen bytes that say "again" two
// thousand million times would hold up whoever draws them for minutes. Nobody can see more than a full screen of it.
//
// It is bound where xterm.js has read the sequence already, so there is no second opinion on what the bytes mean, and text costs nothing.

type Terminal = {
  readonly cols: number;
  readonly rows: number;
  readonly buffer: {
    readonly active: {
      readonly baseY: number;
      readonly cursorX: number;
      readonly cursorY: number;
      getLine(row: number): { getCell(col: number): { getChars(): string } | undefined } | undefined;
    };
  };
};

/** What is used of xterm.js beyond what it offers, which hands out copies; its version is pinned. */
type Inner = {
  registerCsiHandler(
    id: { readonly final: string },
    bound: (borrowed: { readonly params: Int32Array }) => boolean,
  ): unknown;
};

/** What is drawn in one breath, and for how many cells at most: each few bytes of it may tell a terminal to draw all of them anew. */
const partBytesMax = 8192;
const partCellsMax = partBytesMax * 80 * 50;

/** Letters with more marks on them than any script has are not said again. */
const charsAgainMax = 32;

/** From now on the terminal does nothing more often than its screen has room for. It has to be of @xterm/xterm or @xterm/headless. */
export function boundCounts(terminal: Terminal): void {
  const inner = (terminal as unknown as { readonly _core: Inner })._core;
  const bound = (finals: string, max: () => number): void => {
    for (const final of finals)
      inner.registerCsiHandler({ final }, ({ params }) => {
        params[0] = Math.min(params[0] ?? 0, max());
        return false;
      });
  };
  // Lines that are put in, taken out and scrolled; tabs, there and back; and a letter, again.
  bound("LMST", () => terminal.rows);
  bound("IZ", () => terminal.cols);
  bound("b", () => terminal.cols * terminal.rows);
  inner.registerCsiHandler({ final: "b" }, () => charsBefore(terminal) > charsAgainMax);
}

/** Draws a flood a part at a time, the smaller the larger the screen is: between two of them others have their turn. */
export function drawInParts(
  terminal: Pick<Terminal, "cols" | "rows"> & { write(part: Uint8Array | string, done?: () => void): void },
  bytes: Uint8Array | string,
  done?: () => void,
): void {
  const length = Math.max(1, Math.min(partBytesMax, Math.floor(partCellsMax / (terminal.cols * terminal.rows))));
  let from = 0;
  for (; from + length < bytes.length; from += length) terminal.write(bytes.slice(from, from + length));
  terminal.write(bytes.slice(from), done);
}

/** Does something when all is drawn that was written by now, and before anything that is written from now on. */
export function whenDrawn(terminal: { write(part: string, done: () => void): void }, act: () => void): void {
  terminal.write("", act);
}

/** How much stands in the cell before the cursor, or in the one before that: a wide letter has two. */
function charsBefore({ buffer }: Terminal): number {
  const { active } = buffer;
  const { baseY, cursorX, cursorY } = active;
  const line = active.getLine(baseY + cursorY);
  return Math.max(...[1, 2].map((back) => line?.getCell(cursorX - back)?.getChars().length ?? 0));
}
