// A run's events as a story for people: what it said and asked, its calls with what came out, its waits, its states.

import { CallNames } from "../../protocol/call-names.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { Colors } from "../output.ts";
import { showExactDuration } from "../text/duration.ts";
import { toSafeLine, toSafeLines } from "../text/safe-text.ts";
import { padStart } from "../text/text-width.ts";
import { describeEvent } from "./describe-event.ts";
import { rawTextOf } from "./event-fields.ts";
import { HeardLines } from "./heard-lines.ts";

/** Book-keeping that tells a reader of the story nothing. `signalbox events` shows it. */
const quiet: ReadonlySet<string> = new Set([
  "task.added",
  "run.claimed",
  "run.stopped",
  "family.opened",
  "family.moved",
  "family.awaited",
  "family.await-ended",
  "lease.ready",
  "lease.renewed",
  "landing.intended",
  "landing.overtaken",
]);

/** Calls that may take long: their start is worth a line. The others only show how they ended. */
const longTools: ReadonlySet<unknown> = new Set(["run", "process", "sleep", "wait-run"]);
const commandTools: ReadonlySet<unknown> = new Set(["run", "process"]);

const timeWidth = 8;
const tailLinesMax = 20;

export class Timeline {
  readonly #colors: Colors;
  /** What stands before lines without a time. */
  static readonly indent = " ".repeat(timeWidth + 2);
  readonly #names = new CallNames();
  readonly #heard: HeardLines;
  #startMs: number | undefined;

  constructor(colors: Colors) {
    this.#colors = colors;
    this.#heard = new HeardLines(colors, this.#names);
  }

  /** The number of the call that an event begins and that may say much meanwhile. */
  static begunBy(event: LogEvent): number | undefined {
    const { call, tool } = event as { readonly call?: unknown; readonly tool?: unknown };
    return event.type === "call.started" && commandTools.has(tool) && typeof call === "number" ? call : undefined;
  }

  /** Lines of a command's output as they come, below the line of its start. Of very many only the last ones. */
  toOutput(lines: readonly string[]): string[] {
    return this.#tail(lines.join("\n")).map((line) => `${Timeline.indent}${line}`);
  }

  /** The lines of one event; none for what is not worth one. Without its output, where that was shown as it came. */
  toLines(event: LogEvent, isShown = false): string[] {
    this.#startMs ??= event.atMs;
    this.#names.learn(event);
    if (isQuiet(event)) return [];
    const time = this.#colors.dim(padStart(showExactDuration(event.atMs - this.#startMs), timeWidth));
    const [first, ...rest] = isShown ? [describeEvent(event)] : this.#textsOf(event);
    if (first === undefined) return [];
    const who = event.type.startsWith("call.") ? this.#names.whoMade(event) : null;
    const told = who === null ? first : `${toSafeLine(who)}: ${first}`;
    return [`${time}  ${this.#paint(event, told)}`, ...rest.map((line) => `${Timeline.indent}${line}`)];
  }

  #textsOf(event: LogEvent): string[] {
    if (event.type === "call.finished") return this.#ofCall(event);
    if (event.type === "run.tested") return [describeEvent(event), ...this.#tail(rawTextOf(event, "summary"))];
    if (event.type === "run.heard") return this.#heard.of(event, (text, isCut) => this.#tail(text, isCut));
    const spokenHow = howSpoken(event);
    return spokenHow === undefined ? [describeEvent(event)] : spoken(spokenHow, rawTextOf(event, "text"));
  }

  /** What came out of a call: the end of a command's output below it, anything shorter beside it. */
  #ofCall(event: LogEvent): string[] {
    const summary = rawTextOf(event, "summary").trimEnd();
    if (commandTools.has(event["tool"])) return [describeEvent(event), ...this.#tail(summary)];
    const [first = "", ...rest] = toSafeLines(summary);
    return [first === "" ? describeEvent(event) : `${describeEvent(event)}: ${first}`, ...rest];
  }

  /** Of what was cut before nobody knows how many lines it had. */
  #tail(summary: string, isCut = false): string[] {
    const lines = toSafeLines(summary.trimEnd());
    const shown = lines.slice(-tailLinesMax);
    const skipped = lines.length - shown.length;
    const all = skipped > 0 ? [isCut ? "…" : `… ${skipped} lines before`, ...shown] : shown;
    return all.filter((line, at) => line !== "" || at > 0).map((line) => this.#colors.dim(`| ${line}`));
  }

  #paint(event: LogEvent, text: string): string {
    const { bold, cyan, green, red, yellow } = this.#colors;
    switch (event.type) {
      case "run.moved":
        return paintState(this.#colors, rawTextOf(event, "to"), text);
      case "run.said":
        return cyan(text);
      case "run.asked":
        return bold(yellow(text));
      case "call.finished":
      case "run.tested":
        return event["ok"] === true ? text : red(text);
      case "call.refused":
      case "claim.ended":
      case "run.conflicted":
      case "run.lost":
        return red(text);
      case "call.queued":
      case "claim.queued":
      case "paths.set-aside":
        return yellow(text);
      case "lease.granted":
      case "run.landed":
        return green(text);
      default:
        return text;
    }
  }
}

export function paintState(colors: Colors, state: string, text: string): string {
  switch (state) {
    case "done":
      return colors.green(text);
    case "failed":
    case "rejected":
    case "terminated":
      return colors.red(text);
    case "blocked":
    case "parked":
    case "paused":
    case "queued":
      return colors.yellow(text);
    case "awaiting-input":
    case "review":
      return colors.bold(colors.yellow(text));
    default:
      return colors.cyan(text);
  }
}

/** Leave is given or refused in one word. */
function howSpoken(event: LogEvent): string | undefined {
  if (event.type === "run.answered" && event["allows"] !== undefined) return undefined;
  return event.type === "run.asked" && event["leave"] !== undefined ? "asks leave:" : spokenBy[event.type];
}

const spokenBy: Readonly<Record<string, string>> = {
  "run.said": "says:",
  "run.asked": "asks:",
  "run.answered": "is answered:",
  "run.messaged": "is told:",
};

function spoken(how: string, text: string): string[] {
  const [first = "", ...rest] = toSafeLines(text.trimEnd());
  return [`${how} ${first}`, ...rest];
}

function isQuiet(event: LogEvent): boolean {
  // Every call passes through the door's queue; one that waits for units is told by its claim.
  if (event.type === "call.queued") return typeof event["other"] !== "string";
  if (event.type === "call.started") return !longTools.has(event["tool"]);
  if (event.type === "lease.granted") return Array.isArray(event["units"]) && event["units"].length === 0;
  if (event.type === "claim.queued") return Array.isArray(event["units"]) && event["units"].length === 0;
  // A look at the whole workspace; what it found has events of its own.
  if (event.type === "call.finished") return event["tool"] === "sweep" && event["ok"] === true;
  return quiet.has(event.type);
}
