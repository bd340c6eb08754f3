// Shows the events of a run that somebody follows, and between them what its command says as it says it. A command that has
// ended by the time that anybody could ask is shown by its last words, as in a log that is read later.

import { setTimeout as delay } from "node:timers/promises";
import type { LogEvent } from "../protocol/wire/log-event.ts";
import type { Cli } from "./cli.ts";
import { LineText } from "./text/line-text.ts";
import { Timeline } from "./view/timeline.ts";

/** Shorter commands say it all at their end. */
const firstMs = 300;
const waitMs = 5000;
/** What comes in this time is shown together, so that of very much only the end is. */
const gapMs = 250;
const limit = 65_536;

type Print = (...lines: readonly string[]) => void;
type Listening = { readonly call: number; readonly stop: AbortController; readonly done: Promise<boolean> };

export class LiveTail {
  readonly #cli: Cli;
  readonly #run: string;
  readonly #timeline: Timeline;
  readonly #print: Print;
  #line: Promise<void> = Promise.resolve();
  #now: Listening | undefined;

  constructor(cli: Cli, run: string, timeline: Timeline, print: Print = (...lines) => cli.out.print(...lines)) {
    this.#print = print;
    this.#cli = cli;
    this.#run = run;
    this.#timeline = timeline;
  }

  /** Shows an event once everything before it is shown. */
  take(event: LogEvent): void {
    const isOwn = event["run"] === this.#run;
    // Whoever listens does so until the call is over, and that is told by what comes now.
    const ended = isOwn && event.type === "call.finished" && event["call"] === this.#now?.call ? this.#now : undefined;
    ended?.stop.abort();
    if (ended !== undefined) this.#now = undefined;
    this.#line = this.#line.then(async () => {
      const isShown = ended !== undefined && (await ended.done);
      this.#print(...this.#timeline.toLines(event, isShown));
    });
    const begun = isOwn ? Timeline.begunBy(event) : undefined;
    if (begun !== undefined) this.#begin(begun);
  }

  /** Resolves when all of it is shown. */
  async close(): Promise<void> {
    this.#now?.stop.abort();
    await this.#now?.done;
    await this.#line;
  }

  #begin(call: number): void {
    this.#now?.stop.abort();
    const stop = new AbortController();
    this.#now = { call, stop, done: this.#line.then(() => this.#listen(call, stop.signal)) };
  }

  /** Shows what a command says until it has ended. Answers whether anything was shown. */
  async #listen(call: number, ended: AbortSignal): Promise<boolean> {
    let offset = 0;
    const text = new LineText((lines) => this.#print(...this.#timeline.toOutput(lines)));
    const read = async (patienceMs: number, signal: AbortSignal): Promise<number> => {
      const wish = { run: this.#run, step: call, offset, limit, waitMs: patienceMs };
      const part = await this.#cli.link.call("run.output", wish, { signal });
      const bytes = Buffer.from(part.base64, "base64");
      offset = part.offset + bytes.length;
      text.take(bytes);
      return bytes.length;
    };
    const { signal: left } = this.#cli.interrupt;
    const either = AbortSignal.any([ended, left]);
    await delay(firstMs, undefined, { signal: either }).catch(() => undefined);
    while (!either.aborted) {
      // The daemon may be away, or the call not quite begun: there is another moment.
      const count = await read(waitMs, either).catch(() => 0);
      if (count === 0) text.end();
      await delay(gapMs, undefined, { signal: either }).catch(() => undefined);
    }
    if (offset === 0 || left.aborted) return offset > 0;
    while ((await read(0, left).catch(() => 0)) > 0);
    text.end();
    return true;
  }
}
