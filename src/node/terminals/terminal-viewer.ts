// One viewer of a terminal: first the true screen, then the bytes that continue it, at the viewer's own pace. One who is
// too far behind is not sent everything that they missed, but the screen as it is now.

import { Fault } from "../../base/fault.ts";
import type { TerminalReadAnswer, TerminalScreenAnswer } from "../../protocol/keeper/terminal-wire.ts";
import type { Attach, TerminalNews } from "../../protocol/terminal-stream.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { usualPolicy, ViewerFilter } from "./viewer-filter.ts";

/** The way to whoever looks. */
export interface ViewerLink {
  /** Bytes to show, and how far in the terminal's output they reach. */
  show(offset: number, bytes: Uint8Array): void;
  tell(news: TerminalNews): void;
  /** Resolves when it can take more. */
  ready(): Promise<void>;
  /** Whoever is to come again is told so by how it closes. */
  close(again?: boolean): void;
}

const readBytes = 256 * 1024;
/** Who is further behind than this gets a new screen. */
const behindBytesMax = 4 * 1024 * 1024;

export class TerminalViewer {
  readonly wish: Attach;
  readonly link: ViewerLink;
  readonly #keeper: () => Promise<KeeperLine>;
  readonly #onOver: (viewer: TerminalViewer) => void;
  readonly #leaving = new AbortController();
  #typing: Promise<unknown> = Promise.resolve();
  #filter = new ViewerFilter(usualPolicy);
  #at: number;
  #wantsScreen: boolean;
  #scrollback: number;
  /** Set while there is nothing to show, and somebody waits for it. */
  #reading: AbortController | undefined;
  size: { readonly cols: number; readonly rows: number } | undefined;

  constructor(
    wish: Attach,
    link: ViewerLink,
    keeper: () => Promise<KeeperLine>,
    onOver: (viewer: TerminalViewer) => void,
  ) {
    this.wish = wish;
    this.link = link;
    this.#keeper = keeper;
    this.#onOver = onOver;
    this.#at = wish.from ?? 0;
    this.#wantsScreen = wish.from === undefined;
    this.#scrollback = wish.scrollback;
    this.size = wish.size;
  }

  get hasLeft(): boolean {
    return this.#leaving.signal.aborted;
  }

  /** Shows what there is until the terminal or the viewer goes. */
  async run(): Promise<void> {
    try {
      while (!this.hasLeft) {
        if (this.#wantsScreen) await this.#showScreen();
        else if (await this.#showMore()) break;
        await this.link.ready();
      }
    } catch (error) {
      // Its keeper is gone, and the terminal with it: that is told by whoever finds out.
      if (!(error instanceof Fault) && !this.hasLeft) throw error;
    } finally {
      this.#onOver(this);
    }
  }

  /** The size has changed: what is on the way was meant for another one. */
  renew(): void {
    if (this.wish.whole) return;
    this.#wantsScreen = true;
    this.#reading?.abort(new Fault("keeper-gone", { retry: "never", message: "something else is wanted" }));
  }

  /** Does things for this viewer one after the other. */
  inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#typing.then(act);
    this.#typing = turn.catch(() => undefined);
    return turn;
  }

  leave(): void {
    this.#leaving.abort(new Fault("keeper-gone", { retry: "never", message: "nobody looks any more" }));
  }

  async #showScreen(): Promise<void> {
    const [terminal, scrollback] = [this.wish.terminal, this.#scrollback];
    this.#wantsScreen = false;
    const answer = (await this.#ask({ op: "terminal-screen", terminal, scrollback })) as TerminalScreenAnswer;
    this.#filter = new ViewerFilter(usualPolicy);
    this.#at = answer.offset;
    // What is above has been shown once.
    this.#scrollback = 0;
    const { cols, rows, title, screen, offset } = answer;
    this.link.tell({ screen: { cols, rows, title } });
    this.link.show(offset, Buffer.from(screen));
  }

  /** Answers whether there is nothing more to come. */
  async #showMore(): Promise<boolean> {
    const wish = { op: "terminal-read", terminal: this.wish.terminal, offset: this.#at, limit: readBytes } as const;
    this.#reading = new AbortController();
    const answer = await this.#ask({ ...wish, wait: true }, this.#reading.signal).catch((error: unknown) => {
      if (!this.#wantsScreen || this.hasLeft) throw error;
    });
    this.#reading = undefined;
    if (this.#wantsScreen || answer === undefined) return false;
    const { base64, offset, totalBytes, ended } = answer as TerminalReadAnswer;
    // What was between has been let go, or is more than anybody could follow.
    if (offset > this.#at || (!this.wish.whole && totalBytes - this.#at > behindBytesMax)) {
      this.#wantsScreen = true;
      return false;
    }
    const bytes = Buffer.from(base64, "base64");
    this.#at += bytes.length;
    const shown = this.#filter.pass(bytes);
    if (shown.length > 0) this.link.show(this.#at - this.#filter.heldBytes, shown);
    return ended && this.#at >= totalBytes;
  }

  async #ask(op: Parameters<KeeperLine["request"]>[0], signal?: AbortSignal): Promise<unknown> {
    const signals = [this.#leaving.signal, ...(signal === undefined ? [] : [signal])];
    return (await this.#keeper()).request(op, AbortSignal.any(signals));
  }
}
