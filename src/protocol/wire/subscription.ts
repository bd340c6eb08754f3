import { z } from "zod";

/** Runners that a login of a subscription can pay for. */
export const subscriptionRunner = z.enum(["claude", "codex"]);

const fileCharsMin = 8;
const fileCharsMax = 65_536;
const aText = "a login is the text of a file; it is not repeated here";

export const setSubscriptionSchema = z.strictObject({
  runner: subscriptionRunner,
  file: z
    .string({ error: aText })
    .min(fileCharsMin, `a login has at least ${fileCharsMin} characters`)
    .max(fileCharsMax, `a login has at most ${fileCharsMax} characters`)
    .describe("What is in the file in which its program keeps a login. Nothing ever answers with it."),
});

export const subscriptionSchema = z.object({
  runner: subscriptionRunner,
  setAt: z.string().describe("When somebody gave it."),
  renewedAt: z.string().nullable().describe("When the daemon last renewed it."),
  expiresAt: z.string().nullable().describe("Until when it is good as it is; null where it does not say."),
  renews: z.boolean().describe("Whether the daemon can renew it."),
  refused: z.string().nullable().describe("Why its provider would not renew it."),
  usedAtMs: z.number().nullable().describe("Engine time at which a model request last used it."),
});
export type Subscription = z.output<typeof subscriptionSchema>;
