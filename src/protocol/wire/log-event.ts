import { z } from "zod";

/** An event of the log: the envelope that all share. What else it says depends on its type: docs/reference/events.md. */
export const logEventSchema = z.looseObject({
  seq: z.number().describe("Its number: gapless from 1."),
  atMs: z.number().describe("Engine time."),
  type: z.string(),
  v: z.number(),
  cause: z.number().nullable().describe("The event that led to it; null when somebody's request did."),
  actor: z.string().describe("person:NAME, agent:RUN or system."),
});
export type LogEvent = z.output<typeof logEventSchema>;

export const eventPageSchema = z.object({
  events: z.array(logEventSchema),
  next: z.number().describe("Ask again with `after` set to this; with `before` when that was asked for."),
  more: z.boolean().describe("Whether there is more to read now."),
  at: z.number().describe("The newest event's number when this was read."),
});
export type EventPage = z.output<typeof eventPageSchema>;
