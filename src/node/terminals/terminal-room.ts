// Those who look at one terminal together: who is there, who types, and what they say to each other. Who types is decided
// by the log; here it is only obeyed.

import type { Terminal, Viewer } from "../../core/terminal/terminal-events.ts";
import type { PresentViewer, Said, TerminalNews, TerminalWord } from "../../protocol/terminal-stream.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import type { TerminalViewer } from "./terminal-viewer.ts";

export type RoomOptions = {
  readonly terminal: string;
  readonly state: () => Terminal | undefined;
  readonly keeper: () => Promise<KeeperLine>;
  /** Gives the engine a word about the keyboard. */
  readonly pass: (who: Viewer, act: "ask" | "take" | "give" | "free", to?: Viewer) => Promise<void>;
  readonly setTimer: (ms: number, act: () => void) => () => void;
  readonly wallMs: () => number;
};

/** How long the keyboard waits for one whose connection broke. */
const absenceMsMax = 10_000;
/** How much of what was said is there for whoever comes. */
const saidMax = 20;

export class TerminalRoom {
  readonly #options: RoomOptions;
  readonly #viewers = new Map<string, TerminalViewer>();
  readonly #farewells: (() => void)[] = [];
  #said: Said[] = [];
  /** How it ended, for those who are still here: the log may have forgotten it in the same moment. */
  end: NonNullable<Terminal["ended"]> | undefined;
  #cancelAbsence: (() => void) | undefined;
  /** Those of whom it is being decided whether they have the keyboard, which was free. */
  readonly #deciding = new Map<TerminalViewer, Promise<void>>();
  #line: Promise<unknown> = Promise.resolve();
  /** What the terminal was last told. */
  #size: { readonly cols: number; readonly rows: number } | undefined;

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  get present(): { readonly name: string; readonly readOnly: boolean }[] {
    return [...this.#viewers.values()].map(({ wish: { name, readOnly } }) => ({ name, readOnly }));
  }

  get isEmpty(): boolean {
    return this.#viewers.size === 0 && this.#cancelAbsence === undefined;
  }

  /** Somebody comes; or is led here, together with all others, from the terminal that this one stands in for. */
  async join(viewer: TerminalViewer, from?: TerminalRoom): Promise<void> {
    const { wish } = viewer;
    // Whoever comes again takes the place of their earlier connection.
    this.#viewers.get(wish.viewer)?.leave();
    this.#viewers.set(wish.viewer, viewer);
    this.#watchHolder();
    this.#tellAll();
    if (from === undefined) for (const said of this.#said) viewer.link.tell({ said });
    else if (this.#said.length === 0) this.#said = from.#said;
    if (this.#options.state()?.ended !== null || wish.readOnly) return;
    if (this.#holder === wish.viewer) await this.#fit();
    else if (this.#holder === undefined) await this.#takeFree(viewer);
  }

  leave(viewer: TerminalViewer, forGood: boolean): void {
    viewer.leave();
    const { wish } = viewer;
    if (this.#viewers.get(wish.viewer) !== viewer) return;
    this.#viewers.delete(wish.viewer);
    this.#tellAll();
    const asks = this.#options.state()?.asks ?? [];
    const isHolder = this.#holder === wish.viewer;
    if (isHolder && !forGood) this.#watchHolder();
    else if (isHolder || asks.some((each) => each.viewer === wish.viewer)) void this.#options.pass(wish, "free");
  }

  /** Somebody is led to the terminal that stands in for this one: they have not left, and keep what they have. */
  hand(viewer: TerminalViewer): void {
    viewer.leave();
    if (this.#viewers.get(viewer.wish.viewer) === viewer) this.#viewers.delete(viewer.wish.viewer);
  }

  /** The log says that the keyboard has another holder, or that somebody asks for it. */
  async heardKeyboard(): Promise<void> {
    this.#watchHolder();
    this.#tellAll();
    await this.#fit();
  }

  /** Calls back when the log says that it has ended. */
  onEnded(act: () => void): void {
    this.#farewells.push(act);
  }

  ended(end: NonNullable<Terminal["ended"]>): void {
    this.end = end;
    this.#cancelAbsence?.();
    this.#cancelAbsence = undefined;
    for (const act of this.#farewells.splice(0)) act();
  }

  /** Types what a viewer typed, if they have the keyboard; else nothing happens at all. */
  async type(viewer: TerminalViewer, number: number, bytes: Uint8Array): Promise<void> {
    const { wish, link } = viewer;
    // What is typed while there is none is meant for nobody.
    if (this.#options.state()?.ended !== null) return;
    // What is typed while it is decided waits, so that nothing overtakes it.
    const isFree = this.#holder === undefined && !wish.readOnly;
    const deciding = this.#deciding.get(viewer) ?? (isFree ? this.#takeFree(viewer) : undefined);
    if (deciding !== undefined) await deciding;
    if (wish.readOnly || this.#holder !== wish.viewer) {
      link.tell({ refused: number });
      return;
    }
    const isTaken = await viewer.type(bytes, `${wish.viewer}-${number}`);
    link.tell(isTaken ? { typed: number } : { refused: number });
  }

  async hear(viewer: TerminalViewer, word: TerminalWord): Promise<void> {
    const { wish } = viewer;
    if ("say" in word) return this.say(wish.name, word.say);
    if (wish.readOnly) return undefined;
    if ("resize" in word) {
      viewer.size = word.resize;
      if (this.#holder === wish.viewer) await this.#fit();
      return undefined;
    }
    if ("keyboard" in word) return this.#options.pass(wish, word.keyboard);
    const to = this.#viewers.get(word.give.viewer)?.wish;
    return to === undefined || to.readOnly ? undefined : this.#options.pass(wish, "give", to);
  }

  /** A word from one viewer to all: it is beside the terminal, and in no recording. */
  say(name: string, text: string): void {
    const said = { name, text, atMs: this.#options.wallMs() };
    this.#said = [...this.#said, said].slice(-saidMax);
    this.#broadcast({ said });
  }

  /** Whoever comes, or types, has the keyboard where nobody does; who is second has not asked for it by that (TM28). */
  #takeFree(viewer: TerminalViewer): Promise<void> {
    const isFree = (): boolean => this.#holder === undefined && this.#options.state()?.ended === null;
    const decided = this.#line
      .then(() => (isFree() && !viewer.hasLeft ? this.#options.pass(viewer.wish, "ask") : undefined))
      .finally(() => this.#deciding.delete(viewer));
    this.#deciding.set(viewer, decided);
    this.#line = decided.catch(() => undefined);
    return decided;
  }

  get #holder(): string | undefined {
    return this.#options.state()?.keyboard?.viewer;
  }

  /** The terminal has the size of the window that is typed in; everybody gets the screen as it is then. */
  async #fit(): Promise<void> {
    const size = this.#viewers.get(this.#holder ?? "")?.size;
    const known = this.#size;
    if (size === undefined || (known?.cols === size.cols && known.rows === size.rows)) return;
    this.#size = size;
    const { terminal } = this.#options;
    const keeper = await this.#options.keeper();
    await keeper.request({ op: "terminal-resize", terminal, ...size });
    for (const viewer of this.#viewers.values()) viewer.renew();
    this.#broadcast({ size });
  }

  /** A keyboard whose holder does not come back is free. */
  #watchHolder(): void {
    const holder = this.#options.state()?.keyboard;
    this.#cancelAbsence?.();
    this.#cancelAbsence = undefined;
    if (holder === null || holder === undefined || this.#viewers.has(holder.viewer)) return;
    this.#cancelAbsence = this.#options.setTimer(absenceMsMax, () => {
      this.#cancelAbsence = undefined;
      if (this.#holder === holder.viewer && !this.#viewers.has(holder.viewer)) void this.#options.pass(holder, "free");
    });
  }

  #tellAll(): void {
    const asks = new Set(this.#options.state()?.asks.map(({ viewer }) => viewer));
    const viewers = [...this.#viewers.values()].map(({ wish: { viewer, name, readOnly } }): PresentViewer => {
      return { viewer, name, readOnly, keyboard: this.#holder === viewer, asks: asks.has(viewer) };
    });
    this.#broadcast({ viewers });
  }

  #broadcast(news: TerminalNews): void {
    for (const { link } of this.#viewers.values()) link.tell(news);
  }
}
