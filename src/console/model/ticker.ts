// The ticker's lines: events that repeat the one before become one line with a count.

import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { Locks } from "../../protocol/wire/claim.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { CallNames } from "../../protocol/call-names.ts";
import { textIn } from "../live/event-fields.ts";
import { subjectOf, toSentence } from "./event-sentence.ts";

export type TickerLine = {
  readonly seq: number;
  readonly atMs: number;
  readonly type: string;
  /** The run or holder that it is about. */
  readonly subject: string | undefined;
  /** The agent that it is about, by its id. */
  readonly agent: string | undefined;
  readonly sentence: string;
  readonly actor: string;
  readonly times: number;
};

/** Events come the newest first, and so do the lines, at most `max` of them. */
export function toTickerLines(
  events: readonly LogEvent[],
  holders: ReadonlyMap<string, string>,
  isWanted: (event: LogEvent) => boolean,
  max: number,
): TickerLine[] {
  const lines: TickerLine[] = [];
  const names = new CallNames();
  for (const event of events) names.learn(event);
  for (const event of events) {
    if (!isWanted(event) || names.isAtDoor(event)) continue;
    const subject = subjectOf(event, holders);
    const newer = lines.at(-1);
    if (newer?.type === "lease.renewed" && event.type === "lease.renewed") {
      lines[lines.length - 1] = { ...newer, times: newer.times + 1 };
      continue;
    }
    if (lines.length === max) break;
    const { seq, atMs, type, actor } = event;
    lines.push({
      seq,
      atMs,
      type,
      subject,
      agent: textIn(event, "agent"),
      sentence: toWho(event, names) + toSentence(event, names),
      actor,
      times: 1,
    });
  }
  return lines;
}

/** A call at the door is told as whose it is within the assistant's program. */
function toWho(event: LogEvent, names: CallNames): string {
  const who = event.type.startsWith("call.") ? names.whoMade(event) : null;
  return who === null ? "" : `${who}: `;
}

/** Who is behind each family that the page has heard of. */
export function holdersByFamily(
  runs: Iterable<Run>,
  locks: Locks,
  events: readonly LogEvent[],
): ReadonlyMap<string, string> {
  const holders = new Map<string, string>();
  for (const event of events) {
    const [family, holder] = [textIn(event, "family"), textIn(event, "holder")];
    if (family !== undefined && holder !== undefined) holders.set(family, holder);
  }
  for (const { family, holder } of [...locks.leases, ...locks.queue]) holders.set(family, holder);
  for (const run of runs) if (!run.sub) holders.set(run.family, run.id);
  return holders;
}

/** The project of an event, where the page can tell. */
export function projectOf(
  event: LogEvent,
  runs: ReadonlyMap<string, Run>,
  holders: ReadonlyMap<string, string>,
): string | undefined {
  const project = textIn(event, "project");
  if (project !== undefined) return project;
  return runs.get(subjectOf(event, holders) ?? "")?.project;
}

/** Renewals, keys that change hands and the small steps around a call: the log has them, and nobody acts on them. */
const small =
  /^(?:lease\.(?:renewed|ready)|call\.(?:queued|started)|family\.(?:opened|moved)|terminal\.keyboard|run\.claimed)$/;

export function isSmall({ type }: Pick<LogEvent, "type">): boolean {
  return small.test(type);
}
