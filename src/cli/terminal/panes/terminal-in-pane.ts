// A terminal of an agent in one pane of ours.

import { randomBytes } from "node:crypto";
import { type TerminalEnd, TerminalLine } from "../../../client/terminal-line.ts";
import type { TerminalNews, TerminalWord } from "../../../protocol/terminal-stream.ts";
import type { Cli } from "../../cli.ts";
import { tellNews } from "../tell-news.ts";
import type { Shown } from "./desk.ts";
import type { Size } from "./pane-layout.ts";
import { PaneScreen } from "./pane-screen.ts";

export type PaneParts = {
  readonly size: Size;
  readonly onDrawn: () => void;
  /** A word beside what is shown. */
  readonly onSaid: (text: string, rings: boolean) => void;
};

export class TerminalInPane implements Shown {
  readonly screen: PaneScreen;
  readonly name: string;
  /** How it ended; undefined when we left it. */
  readonly done: Promise<TerminalEnd | undefined>;
  readonly #line: TerminalLine;
  readonly #viewer = randomBytes(9).toString("hex");
  readonly #readOnly: boolean;
  #size: Size;
  #holder: string | undefined;
  #isBroken = false;
  /** Another one may come in its place. */
  terminal: string;

  constructor(
    cli: Cli,
    wish: { readonly terminal: string; readonly name: string; readonly by: string; readonly readOnly: boolean },
    { size: { cols, rows }, onDrawn, onSaid }: PaneParts,
  ) {
    // No more than that: it goes over the wire.
    const size = { cols, rows };
    this.terminal = wish.terminal;
    this.name = wish.name;
    this.#readOnly = wish.readOnly;
    this.#size = size;
    this.screen = new PaneScreen(size, onDrawn);
    const { terminal, readOnly, by: name } = wish;
    this.#line = new TerminalLine({
      open: cli.link.socket,
      wish: { terminal, viewer: this.#viewer, name, readOnly, size, scrollback: 0 },
      onShow: (bytes, screen) => (screen === undefined ? this.screen.write(bytes) : this.screen.show(bytes, screen)),
      onNews: (news) => this.#hear(news, onSaid),
      onConnection: (isConnected) => {
        if (!isConnected) onSaid(`${this.terminal}: the connection broke; trying again`, false);
        else if (this.#isBroken) onSaid(`${this.terminal}: connected again`, false);
        this.#isBroken = !isConnected;
      },
    });
    this.done = this.#line.done;
  }

  type(bytes: Uint8Array): void {
    if (!this.#readOnly) this.#line.type(bytes);
  }

  say(word: TerminalWord): void {
    this.#line.say(word);
  }

  fit(size: Size): void {
    if (size.cols === this.#size.cols && size.rows === this.#size.rows) return;
    this.#size = size;
    this.#line.resize(size.cols, size.rows);
  }

  leave(): void {
    this.#line.leave();
    this.screen.dispose();
  }

  #hear(news: TerminalNews, onSaid: PaneParts["onSaid"]): void {
    if ("moved" in news) this.terminal = news.moved.terminal;
    if ("viewers" in news) this.#holder = news.viewers.find(({ keyboard }) => keyboard)?.viewer;
    const told = tellNews(news, { terminal: this.terminal, viewer: this.#viewer, holder: this.#holder });
    // That one is alone there is nothing to tell.
    if (told !== undefined && told.text !== this.terminal) onSaid(told.text, told.rings);
  }
}
