import { z } from "zod";
import { name, nothing } from "../fields.ts";
import { operation } from "../operation.ts";
import { policySchema, setPolicySchema } from "../wire/policy.ts";

const one = z.strictObject({ name: name("policy's name") });

export const policyOperations = {
  "policy.set": operation({
    summary: "Makes a policy, or replaces the one of the same name.",
    effect: "write",
    input: setPolicySchema,
    output: nothing,
    http: { method: "PUT", path: "/api/v1/policies/{name}" },
    mcp: {
      tool: "policy_set",
      description:
        "Makes or replaces a policy: limits on concurrency, files, bytes, time and cost, allowed runners and paths, whether a person must approve. It decides from now on. Give it a priority below 0: what people have set stands above yours, and you cannot replace it.",
    },
  }),
  "policy.list": operation({
    summary: "Lists the policies, the most important first.",
    effect: "read",
    input: z.strictObject({}),
    output: z.object({ policies: z.array(policySchema) }),
    http: { method: "GET", path: "/api/v1/policies" },
    mcp: {
      tool: "policy_list",
      description:
        "Lists all policies, the most important first. Use it when a call was refused as policy-denied, to see the rule that decided.",
    },
  }),
  "policy.get": operation({
    summary: "Shows a policy.",
    effect: "read",
    input: one,
    output: z.object({ policy: policySchema }),
    http: { method: "GET", path: "/api/v1/policies/{name}" },
    mcp: {
      tool: "policy_get",
      description:
        "Shows one policy by name: whom it speaks of and what it rules. Next: policy_set with the same name to change it.",
    },
  }),
  "policy.remove": operation({
    summary: "Removes a policy.",
    effect: "write",
    input: one,
    output: nothing,
    http: { method: "DELETE", path: "/api/v1/policies/{name}" },
    mcp: { tool: "policy_remove", description: "Removes a policy by name. What it decided so far stays decided." },
  }),
};
