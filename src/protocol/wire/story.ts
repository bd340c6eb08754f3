// What a run did from its beginning to its end, in an answer of bounded size however long it was.

import { z } from "zod";
import { atMs } from "../fields.ts";
import { runStateSchema } from "./run.ts";

/** One call at the door. */
export const runStepSchema = z.object({
  call: z.number().describe("Its number, by which it is diffed, rewound to and forked from."),
  tool: z.string(),
  units: z.array(z.string()),
  fromMs: atMs,
  startedMs: z.number().nullable().describe("When the door opened; null while it waits, or when it was refused."),
  endMs: z.number().nullable(),
  ok: z.boolean().nullable().describe("Null while it is under way."),
  exit: z.union([z.number(), z.literal("unknown")]).nullable(),
  summary: z.string(),
  hasOutput: z.boolean(),
  paths: z.array(z.string()).describe("Paths that are other than before."),
});
export type RunStep = z.output<typeof runStepSchema>;
/** The summary of one that never came to its end: its run was ended, or lost, in the middle of it. */
export const brokenOff = "broken off";

/** What happened so near to each other that no drawing could tell it apart. */
export const markSchema = z.object({
  fromMs: atMs,
  toMs: z.number().nullable().describe("Null while it lasts."),
  count: z.number().describe("How many are drawn as this one."),
  bad: z.number().describe("How many of them failed."),
  step: z.number().nullable().describe("The first of them that is a step."),
  kind: z.string().describe("Of the first: its tool, its model or who speaks."),
  text: z.string().describe("What the first one was about."),
  micros: z.number().describe("What they cost, in micro-dollars."),
});
export type Mark = z.output<typeof markSchema>;

const stretch = { fromMs: atMs, toMs: z.number().nullable().describe("Null while it lasts.") };

export const drawnStorySchema = z.object({
  busy: z.array(z.object({ fromMs: atMs, toMs: z.number() })).describe("When anything happened at all."),
  said: z.array(markSchema),
  calls: z.array(markSchema),
  commands: z.array(markSchema).describe("From the first one's beginning to the last one's end."),
  paid: z.array(markSchema),
  changed: z.array(markSchema).describe("Steps after which files were other than before."),
  states: z.array(z.object({ of: runStateSchema, ...stretch, count: z.number() })),
  units: z
    .array(
      z.object({
        unit: z.string(),
        stretches: z.array(z.object({ waits: z.boolean(), ...stretch, count: z.number() })),
      }),
    )
    .describe("What it held and waited for, in the order in which it first did."),
});

export const storySchema = z.object({
  seq: z.number().describe("The last event that it takes into account."),
  more: z.boolean().describe("Whether the log goes on after that: ask again for the rest."),
  at: z.number().describe("The newest event's number when this was read."),
  fromMs: z.number().nullable().describe("When it was submitted; null where that was not yet."),
  lastMs: z.number().nullable().describe("When something last happened to it."),
  counts: z.object({
    events: z.number(),
    steps: z.number(),
    own: z.number().describe("Calls that its assistant made with tools of its own."),
    said: z.number(),
    commands: z.number(),
    changed: z.number(),
    units: z.number(),
    states: z.number(),
  }),
  spend: z
    .object({ requests: z.number(), unpriced: z.number(), costMicros: z.number() })
    .describe("Of its model requests."),
  plan: z
    .object({ seq: z.number(), atMs, text: z.string() })
    .nullable()
    .describe("What it said last that it would do."),
  lastSaid: z.object({ seq: z.number(), atMs, text: z.string() }).nullable().describe("By the run, not by a person."),
  lastStep: runStepSchema.nullable(),
  lastCommand: runStepSchema.nullable(),
  steps: z
    .object({
      from: z.number().describe("The place of the first one here, counted from 0."),
      rows: z.array(runStepSchema),
    })
    .describe("Those that were asked for."),
  drawn: drawnStorySchema.nullable().describe("What a timeline is drawn from, where that was asked for."),
});
export type RunStory = z.output<typeof storySchema>;
export type DrawnStory = z.output<typeof drawnStorySchema>;
