// The rows of the log as the place of events shows them, the newest first. What is in sight is asked for, the rest is not.

import type { EventPage, LogEvent } from "../../protocol/wire/log-event.ts";
import { type Failure, toFailure } from "../live/failure.ts";

/** Reads a page: forwards after a number, or back before one. */
export type ReadEvents = (
  range: { readonly after: number; readonly limit: number } | { readonly before: number; readonly limit: number },
  signal: AbortSignal,
) => Promise<EventPage>;

export type EventRows = {
  readonly subscribe: (listener: () => void) => () => void;
  /** Changes with every change. */
  readonly read: () => number;
  readonly count: number;
  /** Why the last question was not answered. */
  readonly trouble: string | null;
  readonly failure: Failure | null;
  /** Whether there may be more rows below the last one. */
  readonly more: boolean;
  /** Number of the newest event that the list takes into account. */
  readonly top: number;
  /** Undefined while it is not there yet. */
  at(row: number): LogEvent | undefined;
  /** The row of an event, or the one where it would be; undefined where the list does not reach. */
  rowOf(seq: number): number | undefined;
  /** Rows [from, to) are in sight. Whoever only looks does not ask again for what could not be read. */
  see(from: number, to: number): void;
  retry(): void;
  /** Takes in what has happened up to a number. */
  moveTo(seq: number): void;
  close(): void;
};

const pageRows = 250;
/** How many events the page keeps: further ones are read again when they come in sight. */
const keptMax = 10_000;
/** A browser draws no taller list; what is older is reached by jumping to it. */
export const rowsMax = 500_000;

abstract class Rows {
  protected readonly ask: ReadEvents;
  protected readonly gone = new AbortController();
  protected reading = false;
  failure: Failure | null = null;
  #version = 0;
  readonly #listeners = new Set<() => void>();

  constructor(ask: ReadEvents) {
    this.ask = ask;
  }

  get trouble(): string | null {
    return this.failure?.message ?? null;
  }

  readonly read = (): number => this.#version;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  close(): void {
    this.gone.abort();
  }

  protected tell(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }

  /** One question at a time. Whoever comes meanwhile waits for nothing: what is in sight by then decides about the next. */
  protected async once(range: Parameters<ReadEvents>[0], take: (page: EventPage) => void): Promise<void> {
    if (this.reading || this.gone.signal.aborted) return;
    this.reading = true;
    try {
      const page = await this.ask(range, this.gone.signal);
      this.failure = null;
      take(page);
    } catch (error) {
      if (!this.gone.signal.aborted) this.failure = toFailure(error);
    } finally {
      this.reading = false;
    }
    if (this.gone.signal.aborted) return;
    this.tell();
    if (this.failure === null) this.goOn();
  }

  /** Whatever was asked for while a page was on its way. */
  protected abstract goOn(): void;
}

/** The whole log. Numbers have no gaps, so the place of every event is known before it is read. */
export class LogRows extends Rows implements EventRows {
  readonly more = false;
  #top: number;
  #view: { readonly from: number; readonly to: number } = { from: 0, to: 0 };
  readonly #events = new Map<number, LogEvent>();

  constructor(ask: ReadEvents, top: number) {
    super(ask);
    this.#top = top;
  }

  get top(): number {
    return this.#top;
  }

  get count(): number {
    return Math.min(this.#top, rowsMax);
  }

  at(row: number): LogEvent | undefined {
    return this.#events.get(this.#top - row);
  }

  rowOf(seq: number): number | undefined {
    const row = this.#top - seq;
    return row >= 0 && row < this.count ? row : undefined;
  }

  see(from: number, to: number): void {
    this.#view = { from, to };
    if (this.failure === null) this.#readMissing();
  }

  retry(): void {
    if (this.#firstMissing() !== undefined) return this.#readMissing();
    // Nothing is missing any more of what is in sight.
    this.failure = null;
    this.tell();
    return undefined;
  }

  #readMissing(): void {
    const missing = this.#firstMissing();
    if (missing === undefined) return;
    // Read downwards from the newest that is missing: rows come the newest first.
    const after = Math.max(0, missing - pageRows);
    void this.once({ after, limit: missing - after }, ({ events }) => this.put(events));
  }

  protected override goOn(): void {
    this.#readMissing();
  }

  moveTo(seq: number): void {
    if (seq === this.#top) return;
    this.#top = seq;
    this.tell();
  }

  /** Events that came by another way. */
  put(events: readonly LogEvent[]): void {
    for (const event of events) this.#events.set(event.seq, event);
    if (this.#events.size <= keptMax) return;
    const middle = this.#top - (this.#view.from + this.#view.to) / 2;
    for (const seq of this.#events.keys()) if (Math.abs(seq - middle) > keptMax / 4) this.#events.delete(seq);
  }

  #firstMissing(): number | undefined {
    const { from, to } = this.#view;
    for (let row = from; row < Math.min(to, this.count); row++) {
      const seq = this.#top - row;
      if (!this.#events.has(seq)) return seq;
    }
    return undefined;
  }
}

export type FoundOptions = {
  readonly pageRows?: number;
  /** How many events are kept while new ones come: the oldest go, and are read again when they are wanted. */
  readonly keptMax?: number;
  /** How far back is looked for as many as are wanted, in events of all kinds. Further only when somebody asks for it. */
  readonly farMax?: number;
};

/** Only events that match. How many there are is not known; they are read back, page by page, as one scrolls. */
export class FoundRows extends Rows implements EventRows {
  more = true;
  readonly #pageRows: number;
  readonly #keptMax: number;
  readonly #farStep: number;
  #far: number;
  #top: number;
  #next: number;
  #wanted: number;
  #view = 0;
  #events: readonly LogEvent[] = [];

  /** Those up to a number. */
  constructor(ask: ReadEvents, top: number, options: FoundOptions = {}) {
    super(ask);
    this.#top = top;
    this.#wanted = top;
    this.#next = top + 1;
    this.#pageRows = options.pageRows ?? pageRows;
    this.#keptMax = options.keptMax ?? Number.POSITIVE_INFINITY;
    this.#farStep = options.farMax ?? Number.POSITIVE_INFINITY;
    this.#far = top - this.#farStep;
  }

  get top(): number {
    return this.#top;
  }

  get count(): number {
    return this.#events.length;
  }

  /** The newest first. */
  get events(): readonly LogEvent[] {
    return this.#events;
  }

  /** Whether all of them are there that were wanted, or nobody looks further back for them. */
  get isSettled(): boolean {
    return !this.#isShort();
  }

  /** Looks as far back again as it has, also where as many are there as were in sight. */
  lookFurther(): void {
    this.#far = this.#next - this.#farStep;
    this.#view = Math.max(this.#view, this.#events.length);
    if (this.#isShort()) this.#readOn();
  }

  at(row: number): LogEvent | undefined {
    return this.#events[row];
  }

  rowOf(seq: number): number | undefined {
    const row = this.#events.findIndex((event) => event.seq <= seq);
    return row < 0 ? undefined : row;
  }

  see(_from: number, to: number): void {
    this.#view = to;
    if (this.failure === null && this.#isShort()) this.#readOn();
  }

  retry(): void {
    if (this.#wanted > this.#top) this.#readNew();
    else this.#readOn();
  }

  moveTo(seq: number): void {
    this.#wanted = Math.max(this.#wanted, seq);
    if (this.failure === null && this.#wanted > this.#top) this.#readNew();
  }

  #isShort(): boolean {
    return this.more && this.#next > this.#far && this.#view + pageRows / 5 > this.#events.length;
  }

  #readOn(): void {
    if (!this.more) return;
    void this.once({ before: this.#next, limit: this.#pageRows }, (page) => {
      this.#events = [...this.#events, ...page.events];
      this.#next = page.next;
      this.more = page.more;
    });
  }

  #readNew(): void {
    void this.once({ after: this.#top, limit: this.#pageRows }, (page) => {
      this.#events = [...page.events.toReversed(), ...this.#events];
      this.#top = Math.max(this.#top, page.next);
      if (this.#events.length > Math.max(this.#keptMax, this.#view + pageRows)) this.#forgetOldest();
    });
  }

  #forgetOldest(): void {
    this.#events = this.#events.slice(0, Math.max(this.#keptMax, this.#view));
    this.#next = this.#events.at(-1)?.seq ?? this.#next;
    this.more = true;
  }

  protected override goOn(): void {
    if (this.#wanted > this.#top) this.#readNew();
    else if (this.#isShort()) this.#readOn();
  }
}
