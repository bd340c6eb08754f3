// The event stream. A reader subscribes once per connection and gets every event after a number, in order, exactly once.
// It resumes after a break by subscribing again with the last `at` that it saw.

import { z } from "zod";
import { seq } from "./fields.ts";
import { eventFilter } from "./operations/system.ts";
import type { WireError } from "./errors.ts";
import type { LogEvent } from "./wire/log-event.ts";

export const streamPath = "/stream";

export const subscribeSchema = z.strictObject({
  subscribe: z.strictObject({
    after: seq.optional().describe("Left out: only what happens from now on."),
    saying: z.boolean().optional().describe("Also what assistants are just saying, which is in no log."),
    ...eventFilter,
  }),
});
export type Subscribe = z.input<typeof subscribeSchema>["subscribe"];
export type ParsedSubscribe = z.output<typeof subscribeSchema>["subscribe"];

/**
 * What the server sends. `events` may be empty: `at` says how far the reader has got nevertheless, which is also the
 * heartbeat. After an error the server closes.
 */
export type StreamMessage =
  | { readonly events: readonly LogEvent[]; readonly at: number }
  | { readonly saying: Saying }
  | { readonly error: WireError };

/**
 * What a run's assistant has begun to say and not said to its end, each time all of it: the end of each text, which begins at `from`.
 * It comes now and then, for those who keep up; what is said to its end comes as an event.
 */
export type Saying = {
  readonly run: string;
  readonly words: readonly {
    readonly of: "message" | "thinking";
    readonly text: string;
    readonly from: number;
    readonly parent: string | null;
  }[];
};

/** How often a silent stream says that it is alive. A client that hears nothing for three of these connects anew. */
export const heartbeatMs = 10_000;
