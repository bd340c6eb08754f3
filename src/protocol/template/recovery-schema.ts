// How far an agent is mended by itself, and when a person is told before everything was tried.

import { z } from "zod";
import { recoveryDefaults, recoveryRungs } from "./agent-spec.ts";
import { spellMs } from "./duration.ts";
import { duration, form } from "./schema-parts.ts";

export const recoveryLimits = {
  triesMax: 10,
  delayMsMax: 3_600_000,
  resetMsMin: 60_000,
  resetMsMax: 24 * 3_600_000,
  alertRestartsMax: 1000,
  unwellMsMin: 1000,
  unwellMsMax: 24 * 3_600_000,
} as const;

const rung = z.enum(recoveryRungs, `it is one of ${recoveryRungs.join(", ")}`);
const delayRange = { minMs: 0, maxMs: recoveryLimits.delayMsMax };

export const recoverySection = z
  .strictObject(
    {
      rungs: z
        .array(rung, form(`it is a list of ${recoveryRungs.join(", ")}; an empty one asks a person at once`))
        .max(recoveryRungs.length)
        .optional()
        .meta({ uniqueItems: true })
        .describe(
          "What is tried when starting a service again did not help, always from the least to the most: recreate, reallocate, respawn. Then a person is asked.",
        ),
      tries: z
        .int()
        .min(1, "each is tried once at least; leave out of rungs what is not to be tried")
        .max(recoveryLimits.triesMax)
        .optional()
        .meta({ default: recoveryDefaults.tries })
        .describe("How often each of them is tried before the next."),
      delay: duration("The first of them waits so long, each further one twice as long.", delayRange)
        .optional()
        .meta({ default: spellMs(recoveryDefaults.delayMs) }),
      max_delay: duration("The longest that one waits.", delayRange)
        .optional()
        .meta({ default: spellMs(recoveryDefaults.delayMsMax) }),
      reset: duration("After so long without a restart it begins with the least again.", {
        minMs: recoveryLimits.resetMsMin,
        maxMs: recoveryLimits.resetMsMax,
      })
        .optional()
        .meta({ default: spellMs(recoveryDefaults.resetMs) }),
    },
    form("it is an object such as { rungs: [recreate], tries: 2 }"),
  )
  .describe("How far the agent is mended by itself.");

export const alertsSection = z
  .strictObject(
    {
      rung: rung.optional().describe("A person is told from this rung on."),
      restarts: z
        .int()
        .min(1)
        .max(recoveryLimits.alertRestartsMax)
        .optional()
        .describe("A person is told when a service was started again so often within an hour."),
      unwell: duration("A person is told when a service was not well for so long.", {
        minMs: recoveryLimits.unwellMsMin,
        maxMs: recoveryLimits.unwellMsMax,
      }).optional(),
    },
    form("it is an object such as { rung: respawn, unwell: 5m }"),
  )
  .describe("When a person is told in the inbox, although not everything was tried.");

export type SaidRecovery = z.output<typeof recoverySection>;
export type SaidAlerts = z.output<typeof alertsSection>;
