// Events that are plain enough to be told apart by their number alone.

import type { Logged } from "../../src/core/events.ts";

export function makeEvent(seq: number, text = `event ${seq}`): Logged {
  const body = { type: "run.said", v: 1, run: "r_1", text } as const;
  return { seq, atMs: 1000 + seq, cause: seq > 1 ? seq - 1 : null, actor: "agent:r_1", ...body };
}

export function eventsFrom(first: number, count: number): Logged[] {
  return Array.from({ length: count }, (_, at) => makeEvent(first + at));
}
