// Several windows of one agent or run on a person's terminal, until they leave or all have ended.

import type { TerminalEnd } from "../../../client/terminal-line.ts";
import type { View } from "../../../protocol/wire/terminal.ts";
import type { Cli } from "../../cli.ts";
import { AttachedKeys, keysAmongPanes, type PaneKey } from "../attached-keys.ts";
import type { PersonTerminal } from "../person-terminal.ts";
import { SayLine } from "../say-line.ts";
import { Desk } from "./desk.ts";
import type { Size, Way } from "./pane-layout.ts";
import { TerminalInPane } from "./terminal-in-pane.ts";
import { ViewInPane } from "./view-in-pane.ts";

type Pane = TerminalInPane | ViewInPane;

export type PaneWish = { readonly terminal: string; readonly name: string } | { readonly view: View };

export type PanesWish = {
  readonly panes: readonly PaneWish[];
  readonly way: Way;
  /** Which of them is typed in at first. */
  readonly focus: number;
  readonly readOnly: boolean;
  /** Whom the others see. */
  readonly by: string;
  /** Opens one more shell of this size. */
  readonly open: (size: Size) => Promise<Extract<PaneWish, { terminal: string }>>;
};

/** The last one that ended; undefined when the person left. */
export type LastEnd = { readonly terminal: string; readonly end: TerminalEnd } | undefined;

const hint = "ctrl-p ctrl-o next, ctrl-v and ctrl-d split, ctrl-z puts one away, ctrl-q leaves";

export function stayWithPanes(cli: Cli, person: PersonTerminal, wish: PanesWish): Promise<LastEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<LastEnd>();
  const panes = new Panes(cli, person, wish, { resolve, reject });
  cli.interrupt.signal.addEventListener("abort", () => panes.leave());
  return promise.finally(() => person.giveBack());
}

type Settle = { readonly resolve: (end: LastEnd) => void; readonly reject: (error: unknown) => void };

class Panes {
  readonly #cli: Cli;
  readonly #person: PersonTerminal;
  readonly #wish: PanesWish;
  readonly #settle: Settle;
  readonly #desk: Desk;
  readonly #keys = new AttachedKeys(keysAmongPanes);
  #panes: Pane[] = [];
  #focus = 0;
  #saying: SayLine | undefined;
  #isOpening = false;
  /** The person has their terminal back: nothing more is shown or begun. */
  #isOver = false;

  constructor(cli: Cli, person: PersonTerminal, wish: PanesWish, settle: Settle) {
    this.#cli = cli;
    this.#person = person;
    this.#wish = wish;
    this.#settle = settle;
    person.showScreen(new Uint8Array(0));
    this.#desk = new Desk((text) => person.show(text), person.size, wish.way);
    const places = this.#desk.placesFor(wish.panes.length);
    this.#panes = wish.panes.map((each, index) => this.#make(each, places[index] ?? person.size));
    this.#focus = wish.focus;
    this.#desk.arrange(this.#panes, this.#focus);
    this.#desk.say(hint);
    person.take(
      (bytes) => this.#hear(bytes),
      () => this.#arrange(this.#desk.way),
    );
  }

  leave(): void {
    this.#end(undefined);
  }

  #make(wish: PaneWish, size: Size): Pane {
    const onDrawn = (): void => this.#desk.later();
    if ("view" in wish) return new ViewInPane(this.#cli, wish.view, { size, onDrawn });
    const onSaid = (text: string, rings: boolean): void => {
      if (rings && !this.#isOver) this.#person.ring();
      // What whoever types is writing to the others stays in sight.
      if (this.#saying === undefined) this.#desk.say(text);
    };
    const { by, readOnly } = this.#wish;
    const pane = new TerminalInPane(this.#cli, { ...wish, by, readOnly }, { size, onDrawn, onSaid });
    pane.done.then(
      (end) => this.#over(pane, end),
      (error: unknown) => this.#end(undefined, error),
    );
    return pane;
  }

  #hear(bytes: Uint8Array): void {
    if (this.#saying !== undefined) return this.#hearSaying(this.#saying, bytes);
    for (const part of this.#keys.take(bytes)) {
      if (typeof part === "string") this.#obey(part);
      else if (this.#focused instanceof TerminalInPane) this.#focused.type(part);
    }
    return undefined;
  }

  #obey(key: PaneKey): void {
    const pane = this.#focused;
    if (key === "detach") return this.leave();
    if (key === "next") return this.#focusOn((this.#focus + 1) % this.#panes.length);
    if (key === "away") return pane === undefined ? undefined : this.#over(pane, undefined);
    if (key === "side" || key === "stack") return void this.#split(key);
    if (!(pane instanceof TerminalInPane)) return this.#person.ring();
    if (key !== "say") return pane.say({ keyboard: key === "give" ? "free" : key });
    this.#saying = new SayLine();
    return this.#drawSaying();
  }

  #hearSaying(line: SayLine, bytes: Uint8Array): void {
    const end = line.take(bytes);
    if (end === undefined) return this.#drawSaying();
    this.#saying = undefined;
    if (end !== "left" && this.#focused instanceof TerminalInPane) this.#focused.say({ say: end.text });
    return this.#desk.say(hint);
  }

  #drawSaying(): void {
    this.#desk.say(`say to all (Enter sends, Escape leaves): ${this.#saying?.text ?? ""}`);
  }

  async #split(way: Way): Promise<void> {
    if (this.#isOver) return;
    const count = this.#panes.length + 1;
    if (this.#wish.readOnly || this.#isOpening || !this.#desk.hasRoomFor(count, way)) return this.#person.ring();
    this.#isOpening = true;
    try {
      const size = this.#desk.placesFor(count, way)[this.#focus + 1] ?? this.#person.size;
      const opened = await this.#wish.open({ cols: size.cols, rows: size.rows });
      if (this.#isOver) return;
      this.#panes.splice(this.#focus + 1, 0, this.#make(opened, size));
      this.#focus += 1;
      this.#arrange(way);
    } catch (error) {
      if (this.#isOver) return;
      this.#person.ring();
      this.#desk.say(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isOpening = false;
    }
  }

  /** One of them has ended, or was put away. The last one takes the rest along. */
  #over(pane: Pane, end: TerminalEnd | undefined): void {
    const index = this.#panes.indexOf(pane);
    if (index === -1) return;
    this.#panes.splice(index, 1);
    pane.leave();
    const last = pane instanceof TerminalInPane && end !== undefined ? { terminal: pane.terminal, end } : undefined;
    if (this.#panes.length === 0) return this.#end(last);
    if (this.#focus > index || this.#focus === this.#panes.length) this.#focus -= 1;
    this.#arrange(this.#desk.way);
    if (last !== undefined) this.#desk.say(`${pane.name} has ended (${last.terminal})`);
  }

  #arrange(way: Way): void {
    this.#desk.arrange(this.#panes, this.#focus, { size: this.#person.size, way });
    for (const [index, pane] of this.#panes.entries()) {
      const { cols, rows } = this.#desk.placeOf(index);
      pane.fit({ cols, rows });
    }
  }

  #focusOn(index: number): void {
    this.#focus = index;
    this.#desk.focus(index);
  }

  get #focused(): Pane | undefined {
    return this.#panes[this.#focus];
  }

  #end(last: LastEnd, error?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#desk.end();
    for (const pane of this.#panes.splice(0)) pane.leave();
    if (error === undefined) this.#settle.resolve(last);
    else this.#settle.reject(error);
  }
}
