import { z } from "zod";

/** What became of a step that was planned. */
export const stepStates = ["done", "running", "waiting", "pending", "failed", "skipped"] as const;
export type StepState = (typeof stepStates)[number];

export const unitStates = ["held", "waiting", "free", "given-back"] as const;

const behind = z.array(z.string()).describe("Who is in the way: holders, or the run that it waits for.");

export const planSchema = z.object({
  units: z
    .array(
      z.object({
        unit: z.string(),
        state: z
          .enum(unitStates)
          .describe(
            "held: its own now; waiting: somebody else has it; free: nobody has it, and it is claimed together with the others; given-back: the run has had it.",
          ),
        behind,
      }),
    )
    .describe("What it said beforehand that it would need."),
  steps: z
    .array(
      z.object({
        number: z.int().describe("Counted from 1."),
        do: z.string().describe("What kind of step it is, such as write or run."),
        about: z.string().describe("What it is about, in a line: a path, units, a command or words."),
        call: z.int().nullable().describe("Its call in run.log; null for a step that is none."),
        state: z.enum(stepStates).describe("skipped: the run is over, and came no further."),
        behind,
      }),
    )
    .nullable()
    .describe("The steps of a script; null for a run that decides as it goes."),
  count: z.int().describe("How many steps there are."),
});
export type Plan = z.output<typeof planSchema>;
export type PlannedStep = NonNullable<Plan["steps"]>[number];
