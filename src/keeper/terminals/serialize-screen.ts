// A screen as bytes: written to an empty terminal of the same size, they give the same screen, and what is said afterwards
// does the same to both. Each row is written by itself, cell by cell, so that nothing depends on how it came to be.

import headless from "@xterm/headless";
import { type CellLook, groundOf, sgrOf } from "../../base/cell-look.ts";

/** What is read of a terminal beyond what it offers; its version is pinned, and a test compares whole screens. */
export type InnerBuffer = {
  readonly x: number;
  readonly y: number;
  readonly ybase: number;
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly tabs: Readonly<Record<number, boolean>>;
  readonly savedX: number;
  readonly savedY: number;
  readonly savedCurAttrData: CellLook;
  readonly savedCharset: Charset | undefined;
};

/** How letters are shown; undefined is as they are. */
type Charset = Readonly<Record<string, string>>;

export type InnerTerminal = {
  readonly buffers: { readonly normal: InnerBuffer; readonly alt: InnerBuffer };
  readonly coreService: {
    readonly isCursorHidden: boolean;
    readonly decPrivateModes: { readonly cursorStyle?: string; readonly cursorBlink?: boolean };
  };
  readonly coreMouseService: { readonly activeEncoding: string };
  readonly _charsetService: {
    readonly glevel: number;
    /** What is in use: after a cursor was restored, not what was last chosen. */
    readonly charset: Charset | undefined;
    readonly _charsets: readonly (Charset | undefined)[];
  };
  readonly writeSync: (text: string) => void;
  readonly _inputHandler: { readonly _curAttrData: CellLook };
};

const esc = "\u001b";
const tabEvery = 8;

export function serializeScreen(terminal: headless.Terminal, scrollback: number): string {
  const inner = (terminal as unknown as { readonly _core: InnerTerminal })._core;
  const { normal, active, alternate } = terminal.buffer;
  const isAlternate = active.type === "alternate";
  const attributes = sgrOf(inner._inputHandler._curAttrData);
  const origin = terminal.modes.originMode;
  const parts = [
    `${esc}[m`,
    contentOf(terminal, normal, Math.min(scrollback, normal.baseY)),
    tabsOf(terminal, inner.buffers.normal),
    stateOf(terminal, normal, inner.buffers.normal, { origin: origin && !isAlternate }),
  ];
  if (isAlternate) {
    parts.push(`${esc}[?1047h${esc}[H${esc}[m`, contentOf(terminal, alternate, 0));
    parts.push(stateOf(terminal, alternate, inner.buffers.alt, { origin }));
  }
  return [...parts, `${esc}[${attributes}m`, ...modesOf(terminal, inner)].join("");
}

/** All rows that are shown, below some of those above. */
function contentOf(terminal: headless.Terminal, buffer: headless.IBuffer, above: number): string {
  const [first, end] = [buffer.baseY - above, buffer.baseY + terminal.rows];
  let text = "";
  for (let row = first; row < end; row++) {
    text += rowOf(terminal, buffer, row);
    if (row + 1 < end) text += "\r\n";
  }
  return text;
}

function rowOf(terminal: headless.Terminal, buffer: headless.IBuffer, row: number): string {
  const line = buffer.getLine(row);
  if (line === undefined) return "";
  let [text, sgr, empty] = ["", "0", 0];
  // The second half of a wide character comes with the first, whatever stands there: one that found no room at the end of a row
  // leaves a cell of its own in the half of the one before.
  for (let col = 0, wide = 1; col < terminal.cols; col += wide) {
    const cell = line.getCell(col);
    wide = Math.max(cell?.getWidth() ?? 1, 1);
    if (cell === undefined || cell.getWidth() === 0) continue;
    // Where half of a wide character was written over, nothing is left in the other half but its look.
    const isEmpty = cell.getChars() === "" && !showsWhenEmpty(cell);
    const wanted = isEmpty ? groundOf(cell) : sgrOf(cell);
    if ((wanted !== sgr || !isEmpty) && empty > 0) {
      text += gap(empty, sgr) + `${esc}[${empty}C`;
      empty = 0;
    }
    if (wanted !== sgr) text += `${esc}[${wanted}m`;
    sgr = wanted;
    if (isEmpty) empty++;
    else text += cell.getChars() || " ";
  }
  if (empty > 0) text += gap(empty, sgr);
  return sgr === "0" ? text : `${text}${esc}[m`;
}

/** Whether a look can be seen where there is no letter, beyond the colour of the ground. */
function showsWhenEmpty(cell: CellLook): boolean {
  return [cell.isInverse(), cell.isUnderline(), cell.isStrikethrough(), cell.isOverline()].some((on) => on !== 0);
}

/** Cells with nothing in them have a colour, too. */
function gap(count: number, sgr: string): string {
  return sgr === "0" ? "" : `${esc}[${count}X`;
}

function tabsOf({ cols }: headless.Terminal, { tabs }: InnerBuffer): string {
  const stops = Array.from({ length: cols }, (_, col) => col).filter((col) => tabs[col] === true);
  const usual = Array.from({ length: Math.ceil(cols / tabEvery) }, (_, index) => index * tabEvery);
  if (stops.join(" ") === usual.join(" ")) return "";
  return `${esc}[3g${stops.map((col) => `${esc}[${col + 1}G${esc}H`).join("")}`;
}

/** The remembered cursor, the region that scrolls, and the cursor. */
function stateOf(
  terminal: headless.Terminal,
  buffer: headless.IBuffer,
  inner: InnerBuffer,
  { origin }: { readonly origin: boolean },
): string {
  const { rows, cols } = terminal;
  const { x, y, scrollTop, scrollBottom, savedX, savedY, savedCurAttrData, savedCharset } = inner;
  const isRegion = scrollTop > 0 || scrollBottom < rows - 1;
  const saved = savedCurAttrData === undefined ? "0" : sgrOf(savedCurAttrData);
  const rowOfSaved = Math.max(savedY - inner.ybase, 0);
  const letters = choose(0, savedCharset);
  const isSaved = savedX > 0 || rowOfSaved > 0 || saved !== "0" || letters !== "";
  const remember = `${letters}${esc}7${letters === "" ? "" : `${esc}(B`}`;
  return [
    isSaved ? `${place(rowOfSaved, Math.min(savedX, cols - 1))}${esc}[${saved}m${remember}${esc}[m` : "",
    isRegion ? `${esc}[${scrollTop + 1};${scrollBottom + 1}r` : "",
    origin ? `${esc}[?6h` : "",
    cursorOf(buffer, { x, y: y - (origin ? scrollTop : 0), row: buffer.baseY + y, cols }),
  ].join("");
}

/** A cursor that has written into the last column stands beyond it, and gets there only by writing. */
function cursorOf(
  buffer: headless.IBuffer,
  { x, y, row, cols }: { readonly x: number; readonly y: number; readonly row: number; readonly cols: number },
): string {
  if (x < cols) return place(y, x);
  const line = buffer.getLine(row);
  const last = line?.getCell(cols - 1);
  const col = last?.getWidth() === 0 ? cols - 2 : cols - 1;
  const cell = line?.getCell(col);
  return `${place(y, col)}${esc}[${cell === undefined ? "0" : sgrOf(cell)}m${cell?.getChars() || " "}${esc}[m`;
}

function modesOf(terminal: headless.Terminal, inner: InnerTerminal): string[] {
  const { modes } = terminal;
  const { coreService, coreMouseService, _charsetService } = inner;
  const { glevel, charset, _charsets } = _charsetService;
  const mouse = { none: "", x10: "9", vt200: "1000", drag: "1002", any: "1003" }[modes.mouseTrackingMode];
  const encodings: Readonly<Record<string, string>> = { SGR: "1006", SGR_PIXELS: "1016" };
  const encoding = encodings[coreMouseService.activeEncoding] ?? "";
  const styles: Readonly<Record<string, number>> = { block: 2, underline: 4, bar: 6 };
  const { cursorStyle = "", cursorBlink = false } = coreService.decPrivateModes;
  const style = styles[cursorStyle];
  return [
    modes.applicationCursorKeysMode ? `${esc}[?1h` : "",
    modes.applicationKeypadMode ? `${esc}=` : "",
    modes.bracketedPasteMode ? `${esc}[?2004h` : "",
    modes.insertMode ? `${esc}[4h` : "",
    modes.reverseWraparoundMode ? `${esc}[?45h` : "",
    modes.sendFocusMode ? `${esc}[?1004h` : "",
    modes.wraparoundMode ? "" : `${esc}[?7l`,
    mouse === "" ? "" : `${esc}[?${mouse}h`,
    encoding === "" ? "" : `${esc}[?${encoding}h`,
    ...[0, 1, 2, 3].map((index) => choose(index, index === glevel ? charset : _charsets[index])),
    glevel === 1 ? "\u000e" : "",
    style === undefined ? "" : `${esc}[${style - (cursorBlink ? 1 : 0)} q`,
    coreService.isCursorHidden ? `${esc}[?25l` : "",
  ];
}

/** What chooses a character set as one of the four that a program can have at hand. */
function choose(index: number, charset: Charset | undefined): string {
  const letter = charset === undefined ? "B" : (lettersOf().get(charset) ?? "B");
  return letter === "B" ? "" : `${esc}${"()*+"[index] ?? ""}${letter}`;
}

let letters: Map<Charset, string> | undefined;

/** Which letter chooses which character set: all terminals share their tables. */
function lettersOf(): ReadonlyMap<Charset, string> {
  if (letters !== undefined) return letters;
  letters = new Map();
  const terminal = new headless.Terminal({ allowProposedApi: true, logLevel: "off" });
  const inner = (terminal as unknown as { readonly _core: InnerTerminal })._core;
  for (const letter of ["0", "A", "4", "5", "7", "C", "E", "H", "K", "Q", "R", "Y", "Z", "="]) {
    inner.writeSync(`${esc}(${letter}`);
    const { charset } = inner._charsetService;
    if (charset !== undefined && !letters.has(charset)) letters.set(charset, letter);
  }
  terminal.dispose();
  return letters;
}

function place(row: number, col: number): string {
  return `${esc}[${row + 1};${col + 1}H`;
}
