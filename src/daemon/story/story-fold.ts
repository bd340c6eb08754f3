// A run's story, folded from its events one by one. However many there are, what is kept of them is bounded but for a few
// numbers for each step and an entry for each unit.

import { CallNames } from "../../protocol/call-names.ts";
import { numberIn, textIn } from "../../protocol/event-fields.ts";
import { heardIn, type HeardItem } from "../../protocol/heard.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { overStates } from "../../protocol/wire/run.ts";
import type { DrawnStory, Mark, RunStory } from "../../protocol/wire/story.ts";
import { CallsTold, type StepEvents } from "./calls-told.ts";
import { makeMarks, marksMax, toMark } from "./marks.ts";
import { Slices } from "./slices.ts";
import { StatesTold, UnitsTold } from "./stretches-told.ts";

/** Of a longer time without any event this much counts: slices are for when something happens. */
const quietMsMax = 20_000;
const planWord = "plan: ";
/** Of a plan, and of what was said last. */
const charsMax = 16_384;

const speakers: Readonly<Record<string, "run" | "person">> = {
  "run.said": "run",
  "run.asked": "run",
  "run.answered": "person",
  "run.messaged": "person",
};

const over: ReadonlySet<string> = new Set(overStates);

type Span = { readonly fromMs: number; readonly toMs: number };

export class StoryFold {
  readonly #names = new CallNames();
  readonly #calls = new CallsTold();
  readonly #states = new StatesTold();
  readonly #units = new UnitsTold();
  readonly #said = makeMarks();
  readonly #paid = makeMarks();
  readonly #busy = new Slices<Span>(marksMax, (before, after) => ({ fromMs: before.fromMs, toMs: after.toMs }));
  readonly #spend = { requests: 0, unpriced: 0, costMicros: 0 };
  #plan: RunStory["plan"] = null;
  #lastSaid: RunStory["lastSaid"] = null;
  #events = 0;
  #saidCount = 0;
  #fromMs: number | null = null;
  #lastMs: number | null = null;
  #busyMs = 0;

  /** Takes in the next event of the run. */
  take(event: LogEvent): void {
    const { type, atMs } = event;
    this.#events++;
    // That its leases are renewed is no sign of the run.
    if (type === "lease.renewed") return;
    this.#busyMs += Math.min(quietMsMax, Math.max(0, atMs - (this.#lastMs ?? atMs)));
    this.#fromMs ??= atMs;
    this.#lastMs = atMs;
    this.#busy.add(this.#busyMs, { fromMs: atMs, toMs: atMs });
    this.#names.learn(event);
    const by = speakers[type];
    if (by !== undefined) this.#hear(event, by);
    else if (type === "run.heard") for (const item of heardIn(event)) this.#takeHeard(item, event);
    else if (type === "run.submitted") this.#states.enter("queued", atMs, this.#busyMs);
    else if (type === "run.moved") this.#move(textIn(event, "to") ?? "", atMs);
    // Its calls are over, whoever goes on with it.
    else if (type === "run.lost") this.#calls.breakOff(atMs, this.#busyMs);
    else if (type === "model.answered") this.#pay(event);
    else if (type.startsWith("call.")) this.#calls.take(event, this.#busyMs);
    else this.#units.take(event, this.#busyMs);
  }

  placeOf(call: number): number {
    return this.#calls.placeOf(call);
  }

  stepEvents(from: number, limit: number): StepEvents[] {
    return this.#calls.eventsOf(from, limit);
  }

  tell(): Omit<RunStory, "seq" | "more" | "at" | "steps" | "drawn"> {
    const calls = this.#calls;
    return {
      fromMs: this.#fromMs,
      lastMs: this.#lastMs,
      counts: {
        events: this.#events,
        steps: calls.stepCount,
        own: calls.ownCount,
        said: this.#saidCount,
        commands: calls.commandCount + calls.openCommands.length,
        changed: calls.changedCount,
        units: this.#units.count,
        states: this.#states.count,
      },
      spend: { ...this.#spend },
      plan: this.#plan,
      lastSaid: this.#lastSaid,
      lastStep: calls.lastStep,
      lastCommand: calls.lastCommand,
    };
  }

  draw(unitsMax: number): DrawnStory {
    const calls = this.#calls;
    return {
      busy: this.#busy.values,
      said: this.#said.values,
      calls: [...calls.calls.values, ...calls.openCalls],
      commands: [...calls.commands.values, ...calls.openCommands],
      paid: this.#paid.values,
      changed: calls.changed.values,
      states: this.#states.all,
      units: this.#units.first(unitsMax),
    };
  }

  #move(to: string, atMs: number): void {
    this.#states.enter(to, atMs, this.#busyMs);
    // Whoever ends a run in the middle of a call says nothing of the call.
    if (over.has(to)) this.#calls.breakOff(atMs, this.#busyMs);
  }

  #hear(event: LogEvent, by: "run" | "person"): void {
    const text = textIn(event, "text") ?? "";
    this.#say(event.atMs, by, text);
    if (by === "run") this.#saidLast(event, text);
    // A plan is said as a message that begins with the word.
    if (by === "run" && text.startsWith(planWord)) this.#planned(event, text.slice(planWord.length));
  }

  #takeHeard(item: HeardItem, event: LogEvent): void {
    const { atMs } = event;
    if (item.is === "message" || item.is === "thinking") {
      const who = this.#names.whoFor(item.parent);
      this.#say(atMs, item.is === "message" ? "run" : "thought", who === null ? item.text : `${who}: ${item.text}`);
      if (item.is === "message") this.#saidLast(event, item.text);
    } else if (item.is === "tool" && item.input !== null) this.#calls.beginOwn({ ...item, input: item.input }, atMs);
    else if (item.is === "result") this.#calls.endOwn(item, atMs, this.#busyMs);
    else if (item.is === "other" && item.kind === "plan") this.#planned(event, item.text);
  }

  #say(atMs: number, kind: "run" | "thought" | "person", text: string): void {
    this.#saidCount++;
    this.#said.add(this.#busyMs, toMark({ fromMs: atMs, kind, text }));
  }

  #saidLast({ seq, atMs }: LogEvent, text: string): void {
    this.#lastSaid = { seq, atMs, text: text.slice(0, charsMax) };
  }

  #planned({ seq, atMs }: LogEvent, text: string): void {
    this.#plan = { seq, atMs, text: text.slice(0, charsMax) };
  }

  #pay(event: LogEvent): void {
    const micros = numberIn(event, "costMicros");
    this.#spend.requests++;
    if (micros === undefined) this.#spend.unpriced++;
    else this.#spend.costMicros += micros;
    const about: Pick<Mark, "kind" | "text" | "micros" | "bad"> = {
      ...{ kind: textIn(event, "model") ?? "", text: micros === undefined ? "no price is known" : "" },
      ...{ micros: micros ?? 0, bad: 0 },
    };
    this.#paid.add(this.#busyMs, toMark({ fromMs: event.atMs, ...about }));
  }
}
