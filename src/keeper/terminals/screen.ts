// What a terminal shows, kept by a terminal without a window. It also answers what programs ask a terminal (where the
// cursor is, which colours there are), once and for all viewers: none of them is asked.

import headless from "@xterm/headless";
import { boundCounts, drawInParts } from "../../protocol/bound-counts.ts";
import { serializeScreen } from "./serialize-screen.ts";

export type ScreenOptions = {
  readonly cols: number;
  readonly rows: number;
  /** What the terminal says to the program. */
  readonly onAnswer: (text: string) => void;
};

const scrollbackLines = 2000;
/** Light on dark, as most people have it. */
const colours: Readonly<Record<number, string>> = {
  10: "rgb:d8d8/d8d8/d8d8",
  11: "rgb:1818/1818/1818",
  12: "rgb:d8d8/d8d8/d8d8",
};

export class Screen {
  readonly #terminal: headless.Terminal;
  #title = "";

  constructor({ cols, rows, onAnswer }: ScreenOptions) {
    this.#terminal = new headless.Terminal({
      ...{ cols, rows, scrollback: scrollbackLines, allowProposedApi: true, logLevel: "off" },
      windowOptions: { getWinSizeChars: true },
    });
    boundCounts(this.#terminal);
    this.#terminal.onData(onAnswer);
    this.#terminal.onTitleChange((title) => (this.#title = title));
    const { parser } = this.#terminal;
    for (const [number, colour] of Object.entries(colours)) {
      parser.registerOscHandler(Number(number), (data) => {
        if (data !== "?") return false;
        onAnswer(`\u001b]${number};${colour}\u001b\\`);
        return true;
      });
    }
  }

  get cols(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  get title(): string {
    return this.#title;
  }

  /** Calls back when these bytes have taken effect, and nothing after them has. */
  write(bytes: Uint8Array, done?: () => void): void {
    drawInParts(this.#terminal, bytes, done);
  }

  resize(cols: number, rows: number): void {
    this.#terminal.resize(cols, rows);
  }

  /** What gives the same screen when it is written to an empty terminal of the same size. */
  serialize(scrollback: number): string {
    return serializeScreen(this.#terminal, scrollback);
  }

  /** The text of the lines that are shown, without what is empty at their ends. */
  lines(): string[] {
    const { active } = this.#terminal.buffer;
    return Array.from(
      { length: this.#terminal.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
    );
  }

  get cursor(): { readonly col: number; readonly row: number } {
    const { cursorX: col, cursorY: row } = this.#terminal.buffer.active;
    return { col, row };
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}
