// What the log tells of one agent: its recipe, and what the ladder did and why.

import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { numberIn, textIn } from "../live/event-fields.ts";

/** From the least to the most. The first is each service's own rule; the others are of the whole agent. */
export const ladder = [
  { rung: "restart", title: "Start the service again" },
  { rung: "recreate", title: "Begin everything anew" },
  { rung: "reallocate", title: "Give it more, or something else" },
  { rung: "respawn", title: "Make its place anew around the same files" },
  { rung: "ask", title: "Ask a person" },
] as const;
export type LadderRung = (typeof ladder)[number]["rung"];

export type LadderStep = {
  readonly rung: LadderRung;
  readonly title: string;
  /** How often it was tried since the agent was last well. */
  readonly times: number;
  /** The newest try: when, and why. */
  readonly last: { readonly seq: number; readonly atMs: number; readonly why: string } | null;
};

/** Events come the newest first. What lies before it was well is another story. */
export function toLadder(events: readonly LogEvent[]): LadderStep[] {
  const wellAt = events.findIndex(({ type }) => type === "agent.recovered");
  const since = wellAt < 0 ? events : events.slice(0, wellAt);
  return ladder.map(({ rung, title }) => {
    const tries = since.filter((event) => rungOf(event) === rung);
    const [newest] = tries;
    const last = newest === undefined ? null : { seq: newest.seq, atMs: newest.atMs, why: whyOf(newest) };
    return { rung, title, times: tries.length, last };
  });
}

/** What the agent was made from, as its first event has it; null where that is not among them. */
export function specIn(events: readonly LogEvent[]): Readonly<Record<string, unknown>> | null {
  const made = events.find(({ type }) => type === "agent.created");
  const spec = made?.["spec"];
  return isRecord(spec) ? spec : null;
}

export type Judgement = { readonly atMs: number; readonly is: "well" | "ill" | "off" };

/** How a service was over time, the oldest first: a strip is drawn from it. */
export function healthOf(events: readonly LogEvent[], service: string): Judgement[] {
  const found: Judgement[] = [];
  for (const event of events.toReversed()) {
    if (textIn(event, "service") !== service) continue;
    const is = healthAfter(event);
    if (is !== undefined && found.at(-1)?.is !== is) found.push({ atMs: event.atMs, is });
  }
  return found;
}

/** The number of the event that made an id: ids are spelled from it. */
export function firstEventOf(id: string): number {
  const number = Number.parseInt(id.slice(id.indexOf("_") + 1), 36);
  return Number.isSafeInteger(number) && number > 0 ? number : 1;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function rungOf(event: LogEvent): string | undefined {
  if (event.type === "agent.climbed") return textIn(event, "rung");
  return event.type === "service.moved" && numberIn(event, "dueAtMs") !== undefined ? "restart" : undefined;
}

function whyOf(event: LogEvent): string {
  const service = textIn(event, "service");
  const why = textIn(event, "what") ?? textIn(event, "because") ?? "";
  return service === undefined ? why : `${service}: ${why}`;
}

function healthAfter(event: LogEvent): Judgement["is"] | undefined {
  if (event.type === "service.judged") return event["healthy"] === true ? "well" : "ill";
  if (event.type !== "service.moved") return undefined;
  const to = textIn(event, "to");
  if (to === "up" || to === "completed" || to === "scheduled") return "well";
  return to === "failed" || to === "delayed" ? "ill" : "off";
}
