// What one pane shows: a terminal without a window, of which as much is drawn as the pane has room for.

import headless from "@xterm/headless";
import { sgrOf } from "../../../base/cell-look.ts";
import { boundCounts, drawInParts, whenDrawn } from "../../../protocol/bound-counts.ts";
import { drawCell, measureOf } from "./cell-width.ts";
import type { Place, Size } from "./pane-layout.ts";

/** What is read of a terminal beyond what it offers; its version is pinned. */
type Inner = { readonly coreService: { readonly isCursorHidden: boolean } };

/** How whoever types into it is to send keys. */
export type KeyModes = { readonly cursorKeys: boolean; readonly keypad: boolean; readonly paste: boolean };

const esc = "\u001b";
const measure = measureOf("as-drawn");

export class PaneScreen {
  readonly #terminal: headless.Terminal;
  readonly #onDrawn: () => void;

  constructor({ cols, rows }: Size, onDrawn: () => void) {
    this.#onDrawn = onDrawn;
    const options = { cols, rows, scrollback: 0, allowProposedApi: true, logLevel: "off" } as const;
    // What programs ask is answered where they run, and not here: nobody listens to what it would say.
    this.#terminal = new headless.Terminal(options);
    boundCounts(this.#terminal);
    this.#terminal.unicode.register(measure);
    this.#terminal.unicode.activeVersion = measure.version;
  }

  write(bytes: string | Uint8Array): void {
    drawInParts(this.#terminal, bytes, this.#onDrawn);
  }

  /** A whole screen in place of what was there, and of what was written and is not drawn yet. */
  show(bytes: Uint8Array, size: Size): void {
    whenDrawn(this.#terminal, () => this.#terminal.reset());
    this.resize(size);
    this.write(bytes);
  }

  /** What was said before was meant for the size that it had then. */
  resize({ cols, rows }: Size): void {
    whenDrawn(this.#terminal, () => {
      if (cols !== this.#terminal.cols || rows !== this.#terminal.rows) this.#terminal.resize(cols, rows);
      this.#onDrawn();
    });
  }

  get modes(): KeyModes {
    const { applicationCursorKeysMode, applicationKeypadMode, bracketedPasteMode } = this.#terminal.modes;
    return { cursorKeys: applicationCursorKeysMode, keypad: applicationKeypadMode, paste: bracketedPasteMode };
  }

  /** Where the cursor is in the part that is drawn; undefined where it is hidden. */
  cursorIn(size: Size): { readonly col: number; readonly row: number } | undefined {
    const { coreService } = (this.#terminal as unknown as { readonly _core: Inner })._core;
    if (coreService.isCursorHidden) return undefined;
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    const { col, row } = this.#cornerOf(size);
    return { col: Math.min(cursorX - col, size.cols - 1), row: cursorY - row };
  }

  /** The rows of the part that is drawn, each exactly as wide as that, for where it stands on the person's screen. */
  rowsIn(place: Place): string[] {
    const corner = this.#cornerOf(place);
    return Array.from({ length: place.rows }, (_, row) => this.#rowOf(corner.row + row, corner.col, place));
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  /** Of a terminal that is larger than the pane, because somebody else types in it, the part with the cursor is drawn. */
  #cornerOf({ cols, rows }: Size): { readonly col: number; readonly row: number } {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    const most = { col: Math.max(0, this.#terminal.cols - cols), row: Math.max(0, this.#terminal.rows - rows) };
    return {
      col: Math.min(most.col, Math.max(0, cursorX - cols + 1)),
      row: Math.min(most.row, Math.max(0, cursorY - rows + 1)),
    };
  }

  #rowOf(row: number, from: number, { col: left, cols }: Place): string {
    const { active } = this.#terminal.buffer;
    const line = row < this.#terminal.rows ? active.getLine(active.baseY + row) : undefined;
    if (line === undefined) return " ".repeat(cols);
    let [text, sgr, width] = ["", "0", 0];
    while (width < cols) {
      const cell = line.getCell(from + width);
      if (cell === undefined) break;
      // Nothing is drawn for the second half of a wide character whose first is not, nor for a mark that stands alone.
      const isDrawn = cell.getWidth() > 0 && width + cell.getWidth() <= cols;
      const wide = isDrawn ? cell.getWidth() : 1;
      const wanted = sgrOf(cell);
      if (wanted !== sgr) text += `${esc}[${wanted}m`;
      sgr = wanted;
      const drawn = drawCell(isDrawn ? cell.getChars() : "", { wide, room: cols - width });
      width += wide;
      text += drawn.isSure ? drawn.text : `${drawn.text}${esc}[${left + width + 1}G`;
    }
    return `${text}${sgr === "0" ? "" : `${esc}[m`}${" ".repeat(Math.max(0, cols - width))}`;
  }
}
