// One viewer of a terminal: first the true screen, then the bytes that continue it, at the viewer's own pace. One who is
// too far behind is not sent everything that they missed, but the screen as it is now.

import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../base/fault.ts";
import { usualPolicy, ViewerFilter, type ViewerPolicy } from "../../base/viewer-filter.ts";
import type {
  TerminalLineAnswer,
  TerminalReadAnswer,
  TerminalScreenAnswer,
} from "../../protocol/keeper/terminal-wire.ts";
import { type Attach, type TerminalNews, untakenBytesMax } from "../../protocol/terminal-stream.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { HostLine } from "./host-line.ts";

/** The way to whoever looks. */
export interface ViewerLink {
  /** Bytes to show, and how far in the terminal's output they reach. */
  show(offset: number, bytes: Uint8Array): void;
  tell(news: TerminalNews): void;
  /** Resolves when it can take more. */
  ready(): Promise<void>;
  close(): void;
}

/** What was said in a terminal. */
type Said = {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly totalBytes: number;
  /** Whether nothing more will be said. */
  readonly ended?: boolean;
};

const readBytes = 256 * 1024;
const takeAgainMs = 50;
/** Who is further behind than this gets a new screen. */
const behindBytesMax = 4 * 1024 * 1024;

export class TerminalViewer {
  readonly wish: Attach;
  readonly link: ViewerLink;
  readonly #keeper: () => Promise<KeeperLine>;
  readonly #onOver: (viewer: TerminalViewer) => void;
  readonly #leaving = new AbortController();
  /** Settles when everything that was typed is with the terminal, or is known not to be. */
  #typing: Promise<unknown> = Promise.resolve();
  /** How much of it nobody has heard of yet, and the line by which all of that went. */
  #untaken = 0;
  #untakenBytes = 0;
  /** Set when something was refused, until all that came before it is taken: what comes behind it is refused too. */
  #isFull = false;
  /** Set when there is nothing more to show, and so nobody to type to. */
  #isDone = false;
  #typedBy: HostLine | undefined;
  /** Past the keeper, where its release has such lines. */
  #line: HostLine | undefined;
  #mayHaveLine = true;
  readonly #policy: () => ViewerPolicy;
  #filter: ViewerFilter;
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
    policy: () => ViewerPolicy = () => usualPolicy,
  ) {
    this.#policy = policy;
    this.#filter = new ViewerFilter(policy);
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
      this.#isDone = true;
      this.#onOver(this);
    }
  }

  /** The size has changed: what is on the way was meant for another one. */
  renew(): void {
    if (this.wish.whole) return;
    this.#wantsScreen = true;
    this.#reading?.abort(new Fault("keeper-gone", { retry: "never", message: "something else is wanted" }));
  }

  /**
   * Types something, once for each tag, by whichever way there is, and in the order in which it comes. By a line it goes at once:
   * that something was taken is heard behind all that is said. What would overtake something goes by the keeper, after it.
   */
  type(bytes: Uint8Array, tag: string): Promise<boolean> {
    // What a program does not read is kept for it up to a bound. Beyond that it is said that it was not typed. Where a part of a
    // paste is missing, a shell would run what is left of the line around it: so nothing is typed behind a gap.
    this.#isFull = (this.#isFull && this.#untaken > 0) || this.#untakenBytes + bytes.length > untakenBytesMax;
    if (this.#isFull) return Promise.resolve(false);
    const line = this.#line;
    const isNext = this.#untaken === 0 || this.#typedBy === line;
    this.#typedBy = isNext ? line : undefined;
    const taken = isNext ? line?.type(bytes, tag) : undefined;
    this.#untaken += 1;
    this.#untakenBytes += bytes.length;
    const turn = this.#typing
      .then(async () => (await taken) === true || this.#typeByKeeper(bytes, tag))
      .finally(() => {
        this.#untaken -= 1;
        this.#untakenBytes -= bytes.length;
      });
    this.#typing = turn.catch(() => undefined);
    return turn;
  }

  /** Until it is taken: its program may have more to read than it does at the moment. False when nobody is there any more. */
  async #typeByKeeper(bytes: Uint8Array, tag: string): Promise<boolean> {
    const base64 = Buffer.from(bytes).toString("base64");
    const { terminal } = this.wish;
    while (!this.hasLeft && !this.#isDone) {
      const keeper = await this.#keeper();
      const answer = (await keeper.request({ op: "terminal-input", terminal, base64, tag })) as { taken: boolean };
      if (answer.taken) return true;
      await sleep(takeAgainMs, undefined, { signal: this.#leaving.signal }).catch(() => undefined);
    }
    return false;
  }

  leave(): void {
    this.#leaving.abort(new Fault("keeper-gone", { retry: "never", message: "nobody looks any more" }));
    this.#line?.close();
    this.#reading?.abort();
  }

  async #showScreen(): Promise<void> {
    const [terminal, scrollback] = [this.wish.terminal, this.#scrollback];
    this.#wantsScreen = false;
    const answer = (await this.#ask({ op: "terminal-screen", terminal, scrollback })) as TerminalScreenAnswer;
    this.#filter = new ViewerFilter(this.#policy);
    this.#at = answer.offset;
    // What is above has been shown once.
    this.#scrollback = 0;
    const { cols, rows, title, screen, offset } = answer;
    this.link.tell({ screen: { cols, rows, title } });
    this.link.show(offset, Buffer.from(screen));
  }

  /** Answers whether there is nothing more to come. */
  async #showMore(): Promise<boolean> {
    this.#reading ??= new AbortController();
    const { signal } = this.#reading;
    const line = await this.#lineFromHere();
    const heard = await line?.next(signal);
    const said: Said | undefined = heard ?? (signal.aborted ? undefined : await this.#read(signal));
    if (signal.aborted) this.#reading = undefined;
    if (this.#wantsScreen || said === undefined) return false;
    const { bytes, offset, totalBytes, ended = false } = said;
    // What was between has been let go, or is more than anybody could follow.
    if (offset > this.#at || (!this.wish.whole && totalBytes - this.#at > behindBytesMax)) {
      this.#wantsScreen = true;
      return false;
    }
    this.#at += bytes.length;
    const shown = this.#filter.pass(bytes);
    if (shown.length > 0) this.link.show(this.#at - this.#filter.heldBytes, shown);
    return ended && this.#at >= totalBytes;
  }

  /** A line that goes on where this viewer is. One that is over stays: its keeper says how it goes on. */
  async #lineFromHere(): Promise<HostLine | undefined> {
    if (!this.#mayHaveLine || this.#line?.at === this.#at) return this.#line;
    this.#line?.close();
    this.#line = undefined;
    const { terminal } = this.wish;
    const answer = await this.#ask({ op: "terminal-line", terminal }).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error;
      this.#mayHaveLine = false;
    });
    if (answer === undefined || this.hasLeft) return undefined;
    this.#line = new HostLine((answer as TerminalLineAnswer).socket, { terminal, from: this.#at });
    return this.#line;
  }

  /** Waits for what is said after what this viewer has, as the keeper knows it. */
  async #read(signal: AbortSignal): Promise<Said | undefined> {
    const wish = { op: "terminal-read", terminal: this.wish.terminal, offset: this.#at, limit: readBytes } as const;
    const answer = await this.#ask({ ...wish, wait: true }, signal).catch((error: unknown) => {
      if (!this.#wantsScreen || this.hasLeft) throw error;
    });
    if (answer === undefined) return undefined;
    const { base64, ...more } = answer as TerminalReadAnswer;
    return { bytes: Buffer.from(base64, "base64"), ...more };
  }

  async #ask(op: Parameters<KeeperLine["request"]>[0], signal?: AbortSignal): Promise<unknown> {
    const signals = [this.#leaving.signal, ...(signal === undefined ? [] : [signal])];
    return (await this.#keeper()).request(op, AbortSignal.any(signals));
  }
}
