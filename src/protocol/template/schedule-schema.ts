// When a service is started, again and again.

import { z } from "zod";
import { parseCron } from "../../base/cron.ts";
import { line } from "../fields.ts";
import { isZone, utc } from "./zone.ts";

const charsMax = 200;

const cron = line(charsMax)
  .superRefine((text, context) => {
    const read = parseCron(text);
    if (!read.ok) context.addIssue({ code: "custom", message: read.refusal, input: text });
  })
  .describe("Minute, hour, day of the month, month, day of the week, as cron has them.");

export const serviceSchedule = z
  .union(
    [
      cron,
      z.strictObject({
        cron,
        zone: line(charsMax)
          .refine(isZone, "no such zone is known here; it is called like Europe/Berlin")
          .optional()
          .meta({ default: utc })
          .describe("By the clocks of which zone."),
      }),
    ],
    'a text such as "*/5 * * * *" is expected, or { cron, zone }',
  )
  .describe("When it is started, again and again; it ends by itself. Never twice at once.");
