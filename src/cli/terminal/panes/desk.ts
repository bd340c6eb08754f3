// Several panes on one screen: draws what has changed of them, the borders, a line below, and the cursor of the one that is
// typed in.

import { toSafeLine } from "../../text/safe-text.ts";
import { cutEnd, widthOf } from "../../text/text-width.ts";
import { fits, layOut, type Layout, type Place, type Size, type Way } from "./pane-layout.ts";
import type { KeyModes, PaneScreen } from "./pane-screen.ts";

/** What is shown in one place of the desk. */
export type Shown = { readonly name: string; readonly screen: PaneScreen };

const esc = "\u001b";
/** What changes within this is drawn together. */
const drawMs = 12;
const noModes: KeyModes = { cursorKeys: false, keypad: false, paste: false };

export class Desk {
  readonly #write: (text: string) => void;
  #size: Size;
  #panes: readonly Shown[] = [];
  #way: Way;
  #layout: Layout = { places: [], borders: [] };
  #focus = 0;
  /** What each row of each pane was drawn as. */
  #drawn: string[][] = [];
  #status = "";
  #drawnStatus: string | undefined;
  #modes: KeyModes = noModes;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(write: (text: string) => void, size: Size, way: Way) {
    this.#write = write;
    this.#size = size;
    this.#way = way;
  }

  get way(): Way {
    return this.#way;
  }

  placeOf(index: number): Place {
    return this.#layout.places[index] ?? { col: 0, row: 0, ...this.#size };
  }

  /** Where the next one would stand. */
  placesFor(count: number, way = this.#way): readonly Place[] {
    return layOut(this.#size, way, count).places;
  }

  hasRoomFor(count: number, way: Way): boolean {
    return fits(this.#size, way, count);
  }

  /** Everything is drawn anew. */
  arrange(panes: readonly Shown[], focus: number, { size = this.#size, way = this.#way } = {}): void {
    if (this.#isOver) return;
    this.#panes = panes;
    this.#focus = focus;
    this.#size = size;
    this.#way = way;
    this.#layout = layOut(size, way, panes.length);
    this.#drawn = panes.map(() => []);
    this.#drawnStatus = undefined;
    this.#write(`${esc}[m${esc}[2J${this.#layout.borders.map(borderOf).join("")}`);
    this.draw();
  }

  focus(index: number): void {
    this.#focus = index;
    this.draw();
  }

  say(text: string): void {
    this.#status = text;
    this.later();
  }

  later(): void {
    if (!this.#isOver) this.#timer ??= setTimeout(() => this.draw(), drawMs);
  }

  draw(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const changed = this.#panes.flatMap(({ screen }, index) => this.#changesOf(screen, index)).join("");
    const status = this.#statusLine();
    const below = status === this.#drawnStatus ? "" : `${at(0, this.#size.rows - 1)}${status}`;
    this.#drawnStatus = status;
    this.#write(`${esc}[?2026h${esc}[?25l${changed}${below}${this.#cursor()}${this.#keyModes()}${esc}[?2026l`);
  }

  /** Nothing more is drawn, whatever is still on its way to a pane: the screen is somebody else's again. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#write(`${esc}[m${esc}[?25h`);
  }

  #changesOf(screen: PaneScreen, index: number): string[] {
    const place = this.placeOf(index);
    const known = this.#drawn[index] ?? [];
    return screen.rowsIn(place).flatMap((text, line) => {
      if (known[line] === text) return [];
      known[line] = text;
      return [`${at(place.col, place.row + line)}${text}`];
    });
  }

  #statusLine(): string {
    const { cols } = this.#size;
    const names = this.#panes.map(({ name }, index) => ` ${index === this.#focus ? "▸" : " "}${toSafeLine(name)} `);
    const line = `${names.join("")}${this.#status === "" ? "" : ` │ ${toSafeLine(this.#status)}`}`;
    const shown = cutEnd(line, cols);
    return `${esc}[0;7m${shown}${" ".repeat(Math.max(0, cols - widthOf(shown)))}${esc}[m`;
  }

  #cursor(): string {
    const pane = this.#panes[this.#focus];
    const { col, row, ...size } = this.placeOf(this.#focus);
    const cursor = pane?.screen.cursorIn(size);
    return cursor === undefined ? "" : `${at(col + cursor.col, row + cursor.row)}${esc}[?25h`;
  }

  /** Keys are sent as the program wants them that is typed at. */
  #keyModes(): string {
    const modes = this.#panes[this.#focus]?.screen.modes ?? noModes;
    const [before, now] = [this.#modes, modes];
    this.#modes = now;
    const set = (mode: string, on: boolean): string => `${esc}[?${mode}${on ? "h" : "l"}`;
    return [
      before.cursorKeys === now.cursorKeys ? "" : set("1", now.cursorKeys),
      before.paste === now.paste ? "" : set("2004", now.paste),
      before.keypad === now.keypad ? "" : `${esc}${now.keypad ? "=" : ">"}`,
    ].join("");
  }
}

function at(col: number, row: number): string {
  return `${esc}[${row + 1};${col + 1}H`;
}

function borderOf({ col, row, cols, rows }: Place): string {
  if (cols > 1 || rows === 1) return `${at(col, row)}${esc}[2m${"─".repeat(cols)}${esc}[m`;
  return Array.from({ length: rows }, (_, line) => `${at(col, row + line)}${esc}[2m│${esc}[m`).join("");
}
