// What a run has done, folded from its events: its calls one by one, what was said, what it held and waited for. The
// timeline is drawn from this.

import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { RunState } from "../../protocol/wire/run.ts";
import { CallNames } from "../../protocol/call-names.ts";
import { heardIn, type HeardItem, type HeardResult } from "../../protocol/heard.ts";
import { numberIn, textIn, textsIn } from "../live/event-fields.ts";
import { isRunState } from "./signals.ts";

/** One call at the door. */
export type RunStep = {
  readonly call: number;
  readonly tool: string;
  readonly units: readonly string[];
  readonly fromMs: number;
  /** When the door opened; null while it waits, or when it was refused. */
  readonly startedMs: number | null;
  readonly endMs: number | null;
  readonly ok: boolean | null;
  readonly exit: number | "unknown" | null;
  readonly summary: string;
  readonly hasOutput: boolean;
  /** Paths that are other than before. */
  readonly paths: readonly string[];
};

/** One call that the door knows nothing of: of a tool that its assistant has itself, or of a profile's server. */
export type OwnCall = {
  readonly call: string;
  readonly tool: string;
  readonly input: string;
  readonly fromMs: number;
  readonly endMs: number | null;
  readonly ok: boolean | null;
  readonly exit: number | null;
};

export type Stretch<T> = { readonly of: T; readonly fromMs: number; readonly toMs: number | null };
export type Said = {
  readonly seq: number;
  readonly atMs: number;
  readonly by: "run" | "thought" | "person";
  readonly text: string;
  /** Who said it within its program, where that was not the assistant itself. */
  readonly who?: string;
};

/** One answer of a model; one without a price costs nobody knows what. */
export type Paid = {
  readonly seq: number;
  readonly atMs: number;
  readonly model: string;
  readonly micros: number | null;
  /** The request that it answered, where that is kept with its answer. */
  readonly kept: string | null;
};

export type RunStory = {
  readonly steps: readonly RunStep[];
  readonly own: readonly OwnCall[];
  readonly states: readonly Stretch<RunState>[];
  readonly said: readonly Said[];
  /** What it said last that it would do, by its door or by its program's own plan. */
  readonly plan: Said | null;
  readonly held: readonly Stretch<string>[];
  readonly waited: readonly Stretch<string>[];
  readonly paid: readonly Paid[];
};

export type EventKind = "message" | "call" | "lease" | "state" | "change";

const kinds: Readonly<Record<string, EventKind>> = {
  "run.said": "message",
  "run.asked": "message",
  "run.answered": "message",
  "run.messaged": "message",
  "run.heard": "message",
  "run.tested": "call",
  "run.approved": "change",
  "run.landed": "change",
  "run.conflicted": "change",
};
const kindsByNoun: Readonly<Record<string, EventKind>> = {
  call: "call",
  claim: "lease",
  lease: "lease",
  family: "lease",
  unit: "lease",
  paths: "change",
  trash: "change",
  landing: "change",
  mainline: "change",
};

/** What an event of a run is about, as the timeline lets one choose. */
export function kindOf(event: LogEvent): EventKind {
  const { type } = event;
  const heard = heardIn(event);
  if (heard.length > 0 && heard.every(({ is }) => is === "tool" || is === "result")) return "call";
  return kinds[type] ?? kindsByNoun[type.split(".")[0] ?? ""] ?? "state";
}

/** Events come the oldest first. */
export function toStory(events: readonly LogEvent[]): RunStory {
  const draft = new StoryDraft();
  for (const event of events) draft.take(event);
  return draft;
}

const planWord = "plan: ";

const speakers: Readonly<Record<string, Said["by"]>> = {
  "run.said": "run",
  "run.asked": "run",
  "run.answered": "person",
  "run.messaged": "person",
};

class StoryDraft implements RunStory {
  readonly states: Stretch<RunState>[] = [];
  readonly said: Said[] = [];
  plan: Said | null = null;
  readonly held: Stretch<string>[] = [];
  readonly waited: Stretch<string>[] = [];
  readonly paid: Paid[] = [];
  readonly #steps = new Map<number, RunStep>();
  readonly #claims = new Map<string, readonly string[]>();
  readonly #names = new CallNames();
  readonly #own: OwnCall[] = [];
  /** Where those stand that have not ended. */
  readonly #open = new Map<string, number>();

  get own(): readonly OwnCall[] {
    return this.#own;
  }

  get steps(): readonly RunStep[] {
    return [...this.#steps.values()];
  }

  take(event: LogEvent): void {
    this.#names.learn(event);
    const { type, atMs, seq } = event;
    const by = speakers[type];
    if (by !== undefined) this.#hear({ seq, atMs, by, text: textIn(event, "text") ?? "" });
    else if (type === "run.heard") {
      for (const item of heardIn(event)) this.#takeHeard(item, { seq, atMs });
    } else if (type === "run.submitted") this.#enter("queued", atMs);
    else if (type === "run.moved") this.#enter(textIn(event, "to") ?? "", atMs);
    else if (type === "model.answered") this.paid.push(toPaid(event));
    else if (type.startsWith("call.")) this.#takeCall(event);
    else if (type === "claim.queued") this.#wait(event);
    else if (type === "claim.ended") this.#endWait(event);
    else if (type === "lease.granted") {
      this.#endWait(event);
      for (const unit of textsIn(event, "units")) this.held.push({ of: unit, fromMs: atMs, toMs: null });
    } else this.#maybeFree(event);
  }

  #takeHeard(item: HeardItem, when: Pick<Said, "seq" | "atMs">): void {
    if (item.is === "message" || item.is === "thinking") {
      const who = this.#names.whoFor(item.parent);
      const by = item.is === "message" ? "run" : "thought";
      this.said.push({ ...when, by, text: item.text, ...(who === null ? {} : { who }) });
    }
    if (item.is === "tool" && item.input !== null) this.#beginOwn({ ...item, input: item.input }, when.atMs);
    else if (item.is === "result") this.#endOwn(item, when.atMs);
    else if (item.is === "other" && item.kind === "plan") this.plan = { ...when, by: "run", text: item.text };
  }

  #beginOwn({ call, tool, input }: Pick<OwnCall, "call" | "tool" | "input">, fromMs: number): void {
    this.#open.set(call, this.#own.length);
    this.#own.push({ call, tool, input, fromMs, endMs: null, ok: null, exit: null });
  }

  #endOwn({ call, tool, ok, exit }: HeardResult, endMs: number): void {
    const at = this.#open.get(call) ?? this.#own.length;
    this.#open.delete(call);
    this.#own[at] = { ...(this.#own[at] ?? { call, tool, input: "", fromMs: endMs }), endMs, ok, exit };
  }

  /** A plan is said as a message that begins with the word. */
  #hear(said: Said): void {
    this.said.push(said);
    if (said.by === "run" && said.text.startsWith(planWord))
      this.plan = { ...said, text: said.text.slice(planWord.length) };
  }

  #enter(state: string, atMs: number): void {
    const last = this.states.length - 1;
    const before = this.states[last];
    if (before !== undefined) this.states[last] = { ...before, toMs: atMs };
    if (isRunState(state)) this.states.push({ of: state, fromMs: atMs, toMs: null });
  }

  #takeCall(event: LogEvent): void {
    const call = numberIn(event, "call");
    if (call === undefined) return;
    const known = this.#steps.get(call);
    const { atMs, type } = event;
    const units = textsIn(event, "units");
    const step: RunStep = {
      call,
      tool: textIn(event, "tool") ?? known?.tool ?? "call",
      units: units.length > 0 ? units : (known?.units ?? []),
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
    if (type === "call.started")
      this.#steps.set(call, { ...step, startedMs: atMs, hasOutput: commandTools.has(step.tool) });
    else if (type === "call.finished") this.#steps.set(call, { ...step, endMs: atMs, ...outcomeOf(event) });
    else if (type === "call.refused")
      this.#steps.set(call, { ...step, endMs: atMs, ok: false, summary: textIn(event, "what") ?? "it was refused" });
    else this.#steps.set(call, step);
  }

  #wait(event: LogEvent): void {
    const units = textsIn(event, "units");
    this.#claims.set(textIn(event, "claim") ?? "", units);
    for (const unit of units) this.waited.push({ of: unit, fromMs: event.atMs, toMs: null });
  }

  #endWait(event: LogEvent): void {
    const claim = textIn(event, "claim") ?? "";
    close(this.waited, this.#claims.get(claim) ?? [], event.atMs);
    this.#claims.delete(claim);
  }

  #maybeFree(event: LogEvent): void {
    if (event.type === "family.ended") {
      for (const stretches of [this.held, this.waited]) close(stretches, null, event.atMs);
      return;
    }
    const field = { "lease.released": "units", "lease.yielded": "units", "lease.shrunk": "gone" }[event.type];
    if (field !== undefined) close(this.held, textsIn(event, field), event.atMs);
  }
}

function toPaid(event: LogEvent): Paid {
  const { seq, atMs } = event;
  const kept = textIn(event, "artifact") === undefined ? null : (textIn(event, "request") ?? null);
  return { seq, atMs, model: textIn(event, "model") ?? "", micros: numberIn(event, "costMicros") ?? null, kept };
}

const commandTools: ReadonlySet<string> = new Set(["run", "process"]);

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

/** Ends what is still open of these units; null means of all. */
function close(stretches: Stretch<string>[], units: readonly string[] | null, atMs: number): void {
  for (const [at, stretch] of stretches.entries()) {
    if (stretch.toMs === null && (units === null || units.includes(stretch.of)))
      stretches[at] = { ...stretch, toMs: atMs };
  }
}
