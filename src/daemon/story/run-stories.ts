// Stories of the runs that somebody looks at. Each is folded once and then only goes on; those that nobody has asked for lately
// are forgotten.

import { protocolError } from "../../protocol/errors.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { RunStep, RunStory } from "../../protocol/wire/story.ts";
import type { History } from "../history.ts";
import type { DaemonParts } from "../parts.ts";
import { evolveStep, type StepEvents, toBroken } from "./calls-told.ts";
import { StoryFold } from "./story-fold.ts";

export type StoryWanted = {
  readonly run: string;
  readonly at?: number | undefined;
  readonly from?: number | undefined;
  readonly step?: number | undefined;
  readonly limit: number;
  readonly drawn?: number | undefined;
};

type Told = { readonly fold: StoryFold; seq: number; reading: Promise<void> };

/** Stories that are remembered. */
const toldMax = 8;
const pageEvents = 1000;
/** One answer looks at no more of the log: whoever asks is told that there is more, and asks again. */
const pagesMax = 10;
/** Steps whose events lie so near to each other are read at once. */
const nearEvents = 5000;

export class RunStories {
  readonly #history: History;
  readonly #store: DaemonParts["store"];
  /** By run and moment, those of which were asked last at the end. */
  readonly #told = new Map<string, Told>();

  constructor(history: History, store: DaemonParts["store"]) {
    this.#history = history;
    this.#store = store;
  }

  /** Throws `not-found`. */
  async tell(wanted: StoryWanted): Promise<RunStory> {
    const { run, at } = wanted;
    const made = await this.#history.mustHaveRun(run);
    const last = this.#store.lastSeq;
    if (at !== undefined && at > last) throw protocolError("not-found", { kind: "event", id: at });
    const told = this.#find(`${run} ${at ?? "now"}`, made);
    // Two who ask at once must not fold the same event twice.
    const reading = told.reading.then(() => this.#readOn(told, run, at ?? last));
    told.reading = reading.catch(() => undefined);
    await reading;
    const { fold, seq } = told;
    const story = fold.tell();
    return {
      ...{ seq, more: seq < (at ?? last), at: last },
      ...story,
      steps: await this.#list(fold, wanted, story.counts.steps),
      drawn: wanted.drawn === undefined ? null : fold.draw(wanted.drawn),
    };
  }

  #find(key: string, made: number): Told {
    const told = this.#told.get(key) ?? { fold: new StoryFold(), seq: made - 1, reading: Promise.resolve() };
    this.#told.delete(key);
    this.#told.set(key, told);
    const [oldest] = this.#told.keys();
    if (this.#told.size > toldMax && oldest !== undefined) this.#told.delete(oldest);
    return told;
  }

  async #readOn(told: Told, run: string, to: number): Promise<void> {
    for (let pages = 0; pages < pagesMax && told.seq < to; pages++) {
      const page = await this.#history.read(told.seq, to, pageEvents, { run });
      for (const event of page.events) told.fold.take(event);
      told.seq = page.next;
      if (!page.more) return;
    }
  }

  async #list(fold: StoryFold, { from, step, limit }: StoryWanted, count: number): Promise<RunStory["steps"]> {
    const around = step === undefined ? (from ?? 0) : fold.placeOf(step) - Math.floor(limit / 2);
    const first = Math.max(0, Math.min(around, count - (step === undefined ? 0 : limit)));
    if (limit === 0) return { from: first, rows: [] };
    const rows = fold.stepEvents(first, limit);
    const events = await this.#eventsOf(rows);
    return { from: first, rows: rows.map((row) => toStep(row, events)) };
  }

  async #eventsOf(rows: readonly StepEvents[]): Promise<ReadonlyMap<number, LogEvent>> {
    const seqs = rows.flatMap(({ came, started, ended }) => [came, started, ended].filter((seq) => seq > 0));
    const [first = 1, last = 0] = [seqs[0], seqs.at(-1)];
    const found = new Map<number, LogEvent>();
    const read = async (after: number, to: number): Promise<void> => {
      const { events } = await this.#history.read(after, to, to - after, { types: ["call."] });
      for (const event of events) found.set(event.seq, event);
    };
    if (last - first < nearEvents) await read(first - 1, Math.max(last, ...seqs));
    else for (const seq of seqs) await read(seq - 1, seq);
    return found;
  }
}

function toStep({ call, came, started, ended, brokenMs }: StepEvents, events: ReadonlyMap<number, LogEvent>): RunStep {
  let step: RunStep | null = null;
  for (const seq of new Set([came, started, ended])) {
    const event = events.get(seq);
    if (event !== undefined) step = evolveStep(step, call, event);
  }
  if (step === null) throw protocolError("not-found", { kind: "event", id: came });
  return brokenMs === undefined ? step : toBroken(step, brokenMs);
}
