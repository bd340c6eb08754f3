import { z } from "zod";
import { nothing } from "../fields.ts";
import { operation } from "../operation.ts";
import { setSubscriptionSchema, subscriptionRunner, subscriptionSchema } from "../wire/subscription.ts";

export const subscriptionOperations = {
  "subscription.set": operation({
    summary: "Gives the daemon a login that pays for a runner's models, in place of an earlier one. For people.",
    effect: "write",
    input: setSubscriptionSchema,
    output: nothing,
    http: { method: "PUT", path: "/api/v1/subscriptions/{runner}" },
    mcp: null,
  }),
  "subscription.list": operation({
    summary: "Lists the logins that pay for runners' models: until when they are good, and whether they are renewed.",
    effect: "read",
    input: z.strictObject({}),
    output: z.object({ subscriptions: z.array(subscriptionSchema) }),
    http: { method: "GET", path: "/api/v1/subscriptions" },
    mcp: null,
  }),
  "subscription.remove": operation({
    summary: "Forgets a login. For people.",
    effect: "write",
    input: z.strictObject({ runner: subscriptionRunner }),
    output: nothing,
    http: { method: "DELETE", path: "/api/v1/subscriptions/{runner}" },
    mcp: null,
  }),
};
