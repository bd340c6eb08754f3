// The screen of a terminal in the page. What comes is bytes of programs, which may hold anything: they draw, and do nothing else.

import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { Terminal } from "@xterm/xterm";
import { boundCounts, drawInParts, whenDrawn } from "../../protocol/bound-counts.ts";
import { offerLinks } from "./links.ts";
import "./sheet-element.ts";
import { StillBytes } from "./still-bytes.ts";
import { readColors, watchTheme } from "./terminal-colors.ts";
import { drawByWebgl } from "./webgl.ts";

export type Size = { readonly cols: number; readonly rows: number };

export type ScreenOptions = {
  readonly readOnly: boolean;
  readonly onType: (bytes: Uint8Array) => void;
  /** Shift and Escape: out of the terminal, which takes every other key. */
  readonly onLeaveKey: () => void;
  readonly onCopy: (text: string) => void;
  /** More came than can be drawn, and all of that is drawn now: what was left out is on a fresh screen. */
  readonly onOverrun: () => void;
};

/** Titles, links that say another thing than they lead to, the clipboard, notes and what other makers' windows do. */
const refusedCommands = [0, 1, 2, 7, 8, 9, 50, 52, 99, 777, 1337];
const scrollback = 2000;
const undrawnBytesMax = 8 * 1024 * 1024;
/** Keys that the keyboards of phones do not have. */
export const screenKeys = {
  Esc: { sends: "\u001b", isArrow: false },
  Tab: { sends: "\t", isArrow: false },
  "Ctrl C": { sends: "\u0003", isArrow: false },
  "Ctrl D": { sends: "\u0004", isArrow: false },
  "↑": { sends: "A", isArrow: true },
  "↓": { sends: "B", isArrow: true },
  "←": { sends: "D", isArrow: true },
  "→": { sends: "C", isArrow: true },
} as const;
export type ScreenKey = keyof typeof screenKeys;

const sizeMin = { cols: 2, rows: 1 } as const;

export class Screen {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #search = new SearchAddon();
  readonly #options: ScreenOptions;
  readonly #stopWatching: () => void;
  readonly #stopWebgl: () => void;
  readonly #still = new StillBytes();
  #undrawn = 0;
  #isOverrun = false;
  #isOver = false;

  constructor(element: HTMLElement, options: ScreenOptions) {
    this.#options = options;
    this.#terminal = new Terminal({
      scrollback,
      disableStdin: options.readOnly,
      fontFamily: getComputedStyle(element).fontFamily,
      fontSize: 13,
      lineHeight: 1.2,
      cursorBlink: false,
      minimumContrastRatio: 4.5,
      theme: readColors(element),
      linkHandler: { activate: () => undefined },
    });
    boundCounts(this.#terminal);
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.loadAddon(this.#search);
    for (const number of refusedCommands) this.#terminal.parser.registerOscHandler(number, () => true);
    this.#terminal.attachCustomKeyEventHandler((event) => this.#mayKey(event));
    this.#terminal.onData((text) => options.onType(new TextEncoder().encode(text)));
    this.#terminal.onBinary((text) => options.onType(Uint8Array.from(text, (char) => char.charCodeAt(0))));
    this.#terminal.open(element);
    element.addEventListener("mouseup", () => {
      const chosen = this.#terminal.getSelection();
      if (chosen !== "") options.onCopy(chosen);
    });
    offerLinks(this.#terminal, (url) => window.open(url, "_blank", "noopener,noreferrer"));
    this.#stopWebgl = drawByWebgl(this.#terminal, (name) => (element.dataset["renderer"] = name));
    this.#stopWatching = watchTheme(() => {
      this.#terminal.options.theme = readColors(element);
    });
  }

  /** How much of a terminal the window has room for. */
  room(): Size | undefined {
    const room = this.#fit.proposeDimensions();
    if (room === undefined || !Number.isFinite(room.cols) || !Number.isFinite(room.rows)) return undefined;
    return { cols: Math.max(sizeMin.cols, room.cols), rows: Math.max(sizeMin.rows, room.rows) };
  }

  /** With a size the bytes are a whole screen, and what was shown before is void. */
  show(bytes: Uint8Array, screen: Size | undefined): void {
    if (screen !== undefined) {
      this.#isOverrun = false;
      this.#still.reset();
      // What came before it may not be drawn yet, and would be drawn over it.
      this.#then(() => this.#terminal.reset());
      this.resize(screen);
    }
    if (this.#isOverrun) return;
    this.#undrawn += bytes.length;
    drawInParts(this.#terminal, this.#still.push(bytes), () => {
      this.#undrawn -= bytes.length;
      if (this.#isOverrun && this.#undrawn === 0) this.#options.onOverrun();
    });
    this.#isOverrun = this.#undrawn > undrawnBytesMax;
  }

  /** What was said before was meant for the size that it had then. */
  resize({ cols, rows }: Size): void {
    this.#then(() => {
      if (cols !== this.#terminal.cols || rows !== this.#terminal.rows) this.#terminal.resize(cols, rows);
    });
  }

  find(text: string, direction: "next" | "previous"): boolean {
    if (text === "") {
      this.#search.clearDecorations();
      return true;
    }
    return direction === "next" ? this.#search.findNext(text) : this.#search.findPrevious(text);
  }

  /** As if the key had been pressed; arrows are what the program wants them to be. */
  press(key: ScreenKey): void {
    const { sends, isArrow } = screenKeys[key];
    const begin = !isArrow ? "" : this.#terminal.modes.applicationCursorKeysMode ? "\u001bO" : "\u001b[";
    this.#terminal.input(`${begin}${sends}`);
  }

  focus(): void {
    this.#terminal.focus();
  }

  dispose(): void {
    this.#isOver = true;
    this.#stopWatching();
    this.#stopWebgl();
    this.#terminal.dispose();
  }

  #then(act: () => void): void {
    whenDrawn(this.#terminal, () => {
      if (!this.#isOver) act();
    });
  }

  #mayKey(event: KeyboardEvent): boolean {
    if (event.key !== "Escape" || !event.shiftKey) return true;
    if (event.type === "keydown") this.#options.onLeaveKey();
    event.preventDefault();
    return false;
  }
}
