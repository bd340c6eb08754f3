// The calls of a run, folded from its events. Of each step only the numbers of its events stay: what it was about is read from
// them when somebody asks. So a run of fifty thousand calls takes two megabytes here.

import { numberIn, textIn, textsIn } from "../../protocol/event-fields.ts";
import type { HeardCall, HeardResult } from "../../protocol/heard.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { brokenOff, type Mark, type RunStep } from "../../protocol/wire/story.ts";
import { makeMarks, toMark } from "./marks.ts";

/** Events of one step: when it came, when the door opened, and when it ended; 0 where that was not. */
export type StepEvents = {
  readonly call: number;
  readonly came: number;
  readonly started: number;
  readonly ended: number;
  /** When it was broken off, where it was. */
  readonly brokenMs?: number;
};

const commandTools: ReadonlySet<string> = new Set(["run", "process"]);
/** A program that never tells how its calls end would have them remembered for ever. */
const openMax = 200;

export class CallsTold {
  readonly calls = makeMarks();
  readonly commands = makeMarks();
  readonly changed = makeMarks();
  lastStep: RunStep | null = null;
  lastCommand: RunStep | null = null;
  ownCount = 0;
  commandCount = 0;
  changedCount = 0;
  /** In the order of their calls. */
  readonly #calls: number[] = [];
  readonly #came: number[] = [];
  readonly #started: number[] = [];
  readonly #ended: number[] = [];
  /** By place: there are few. */
  readonly #brokenMs = new Map<number, number>();
  #open: RunStep | null = null;
  readonly #ownOpen = new Map<string, Mark>();

  get stepCount(): number {
    return this.#calls.length;
  }

  /** Takes in an event of a call at the door; `busyMs` is where it stands among the slices. */
  take(event: LogEvent, busyMs: number): void {
    const call = numberIn(event, "call");
    if (call === undefined || call < (this.#calls.at(-1) ?? 0)) return;
    // One that was broken off has no end of its own.
    if (this.#open !== null && this.#open.call !== call) this.breakOff(event.atMs, busyMs);
    const place = this.#placeFor(call, event.seq);
    this.#brokenMs.delete(place);
    const known = this.#open?.call === call ? this.#open : null;
    const step = evolveStep(known, call, event);
    if (event.type === "call.started") this.#started[place] = event.seq;
    if (step.endMs === null) this.#open = step;
    else {
      this.#open = null;
      this.#ended[place] = event.seq;
      this.#mark(step, busyMs);
    }
    this.lastStep = step;
    if (step.hasOutput) this.lastCommand = step;
  }

  /** What is under way comes to no end any more. */
  breakOff(atMs: number, busyMs: number): void {
    if (this.#open === null) return;
    const step = toBroken(this.#open, atMs);
    this.#open = null;
    this.#brokenMs.set(this.placeOf(step.call), atMs);
    this.#mark(step, busyMs);
    if (this.lastStep?.call === step.call) this.lastStep = step;
    if (this.lastCommand?.call === step.call) this.lastCommand = step;
  }

  beginOwn({ call, tool, input }: Pick<HeardCall, "call" | "tool"> & { readonly input: string }, atMs: number): void {
    this.ownCount++;
    this.#ownOpen.set(call, toMark({ fromMs: atMs, kind: tool, text: input }));
    const [oldest] = this.#ownOpen.keys();
    if (this.#ownOpen.size > openMax && oldest !== undefined) this.#ownOpen.delete(oldest);
  }

  endOwn({ call, tool, ok, exit }: HeardResult, atMs: number, busyMs: number): void {
    const begun = this.#ownOpen.get(call);
    if (begun === undefined) this.ownCount++;
    this.#ownOpen.delete(call);
    const { fromMs, text } = begun ?? toMark({ fromMs: atMs, kind: tool, text: "" });
    const end = exit === null ? (ok ? "done" : "failed") : `exit ${exit}`;
    const about = { kind: begun?.kind ?? tool, text: text === "" ? end : `${text} (${end})`, bad: ok ? 0 : 1 };
    this.calls.add(busyMs, toMark({ fromMs: atMs, ...about }));
    if (exit === null) return;
    this.commandCount++;
    this.commands.add(busyMs, toMark({ fromMs, toMs: atMs, ...about }));
  }

  /** What is under way: it is drawn, but not among the slices before it has ended. */
  get openCalls(): Mark[] {
    const open = this.#open;
    return [...this.#ownOpen.values(), ...(open === null ? [] : [callMark(open)])];
  }

  get openCommands(): Mark[] {
    return this.#open?.hasOutput === true ? [commandMark(this.#open)] : [];
  }

  /** The place of a call among the steps, or of the first one after it. */
  placeOf(call: number): number {
    let [low, high] = [0, this.#calls.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#calls[middle] ?? 0) < call) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  eventsOf(from: number, limit: number): StepEvents[] {
    const rows = this.#calls.slice(from, from + limit);
    return rows.map((call, at) => {
      const brokenMs = this.#brokenMs.get(from + at);
      return {
        call,
        came: this.#came[from + at] ?? 0,
        started: this.#started[from + at] ?? 0,
        ended: this.#ended[from + at] ?? 0,
        ...(brokenMs === undefined ? {} : { brokenMs }),
      };
    });
  }

  #placeFor(call: number, seq: number): number {
    const last = this.#calls.length - 1;
    if (this.#calls[last] === call) return last;
    this.#calls.push(call);
    this.#came.push(seq);
    this.#started.push(0);
    this.#ended.push(0);
    return last + 1;
  }

  #mark(step: RunStep, busyMs: number): void {
    this.calls.add(busyMs, callMark(step));
    if (step.hasOutput || commandTools.has(step.tool)) {
      this.commandCount++;
      this.commands.add(busyMs, commandMark(step));
    }
    if (step.paths.length === 0) return;
    this.changedCount++;
    const about = { step: step.call, kind: step.tool, text: step.paths.slice(0, 10).join(", ") };
    this.changed.add(busyMs, toMark({ fromMs: step.endMs ?? step.fromMs, ...about }));
  }
}

export function toBroken(step: RunStep, endMs: number): RunStep {
  return { ...step, endMs, ok: false, summary: brokenOff };
}

/** The step after an event of it. */
export function evolveStep(known: RunStep | null, call: number, event: LogEvent): RunStep {
  const { atMs, type } = event;
  const units = textsIn(event, "units");
  const step: RunStep = {
    call,
    tool: textIn(event, "tool") ?? known?.tool ?? "call",
    units: units.length > 0 ? [...units] : (known?.units ?? []),
    fromMs: known?.fromMs ?? atMs,
    startedMs: known?.startedMs ?? null,
    endMs: null,
    ok: null,
    exit: null,
    summary: "",
    hasOutput: false,
    paths: [],
  };
  // What a command says can be seen while it says it.
  if (type === "call.started") return { ...step, startedMs: atMs, hasOutput: commandTools.has(step.tool) };
  if (type === "call.finished") return { ...step, endMs: atMs, ...outcomeOf(event) };
  if (type === "call.refused")
    return { ...step, endMs: atMs, ok: false, summary: textIn(event, "what") ?? "it was refused" };
  return step;
}

function outcomeOf(event: LogEvent): Pick<RunStep, "ok" | "exit" | "summary" | "hasOutput" | "paths"> {
  const exit = event["exit"];
  const works = event["works"];
  const paths = Array.isArray(works) ? (works as readonly { path?: unknown }[]).map(({ path }) => path) : [];
  return {
    ok: event["ok"] !== false,
    exit: typeof exit === "number" || exit === "unknown" ? exit : null,
    summary: textIn(event, "summary") ?? "",
    hasOutput: textIn(event, "output") !== undefined,
    paths: paths.filter((path) => typeof path === "string"),
  };
}

function callMark(step: RunStep): Mark {
  return toMark({ fromMs: step.endMs ?? step.fromMs, ...aboutOf(step) });
}

function commandMark(step: RunStep): Mark {
  const fromMs = step.startedMs ?? step.fromMs;
  return toMark({ fromMs, toMs: step.endMs, ...aboutOf(step) });
}

function aboutOf({ call, tool, units, ok, exit }: RunStep): Pick<Mark, "step" | "kind" | "text" | "bad"> {
  const end = ok === null ? [] : [exit === null ? (ok ? "done" : "failed") : `exit ${exit}`];
  return { step: call, kind: tool, text: [...units.slice(0, 4), ...end].join(", "), bad: ok === false ? 1 : 0 };
}
