// What failed in an agent, read off the log: nothing is kept for it, so it cannot disagree with what happened.

import type { Logged } from "../../core/events.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { FailureView } from "../../protocol/wire/failure.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { Context } from "../context.ts";
import { numberOfId } from "../number-of-id.ts";
import { findAgent } from "../views/agent-view.ts";

type Failed = Extract<Logged, { type: "service.failed" }>;

const types = ["agent.", "assistant.", "service.", "hook.", "run.entered"];
const pageMax = 500;
const pagesMax = 20;
const recentMax = 6;
/** What is done about a failure stands right behind it. */
const triedMax = 6;

export async function readFailures(
  context: Context,
  { agent: ref, service, limit }: ParsedInputOf<"agent.failures">,
): Promise<OutputOf<"agent.failures">> {
  const { id, name } = findAgent(context.state, ref);
  const events = await readBack(context, id, (found) => countFailed(found, service) < limit);
  const failures = events.flatMap((event, at) =>
    isFailed(event, service) ? [toView(event, events.slice(at + 1), events.slice(0, at).toReversed())] : [],
  );
  return { agent: id, name, failures: failures.slice(0, limit), nowMs: context.parts.engine.nowMs() };
}

/** The agent's events, the newest first, as far back as somebody wants. */
export async function readBack(
  { history, parts }: Context,
  agent: string,
  wantsMore: (found: readonly LogEvent[]) => boolean,
): Promise<LogEvent[]> {
  const after = (numberOfId(agent) ?? 1) - 1;
  let events: LogEvent[] = [];
  let before = parts.store.lastSeq + 1;
  for (let pages = 0; pages < pagesMax && wantsMore(events); pages++) {
    const page = await history.readBack({ after, before }, pageMax, { types, agent });
    events = [...events, ...page.events];
    before = page.next;
    if (!page.more) break;
  }
  return events;
}

function isFailed(event: LogEvent, service: string | undefined): boolean {
  if (event.type !== "service.failed") return false;
  const of = String(event["service"]);
  return service === undefined || of === service || of.startsWith(`${service}.`);
}

function countFailed(events: readonly LogEvent[], service: string | undefined): number {
  return events.filter((event) => isFailed(event, service)).length;
}

function toView(event: LogEvent, older: readonly LogEvent[], newer: readonly LogEvent[]): FailureView {
  const { seq, atMs, service, life, failure, found, what, end, limits, use, needs, changes, before } =
    event as unknown as Failed;
  return {
    ...{ seq, atMs, service, life, class: failure, found, what, end, limits, use },
    ...{ needs: [...needs], changes: [...changes], before },
    tried: triedOf(service, newer.slice(0, triedMax)),
    recent: older.slice(0, recentMax).map((each) => {
      const of = each["service"];
      return { seq: each.seq, atMs: each.atMs, type: each.type, service: typeof of === "string" ? of : null };
    }),
  };
}

const rungWords: Readonly<Record<string, string>> = {
  ...{ recreate: "everything of its agent was begun anew", respawn: "the place of its agent was made anew" },
  ...{ ask: "a person was asked", reallocate: "it was given more, or something else" },
};

/** The first thing that was done, up to the next failure of the same service. */
function triedOf(service: string, newer: readonly LogEvent[]): string | null {
  for (const event of newer) {
    if (event["service"] !== service) continue;
    if (event.type === "service.failed") return null;
    if (event.type === "agent.climbed") return rungWords[String(event["rung"])] ?? null;
    const isAgain = event.type === "service.moved" && event["to"] === "delayed" && event["failing"] === undefined;
    if (isAgain) return "it was started again";
    if (event.type === "service.moved" && event["to"] === "scheduled") return "it waits for its time";
  }
  return null;
}
