import { z } from "zod";
import { nothing, projectRef, runId } from "../fields.ts";
import { operation } from "../operation.ts";
import {
  costBys,
  costSchema,
  modelName,
  priceSchema,
  secretName,
  secretSchema,
  setPriceSchema,
  setSecretSchema,
} from "../wire/model.ts";

export const modelOperations = {
  cost: operation({
    summary: "Says what model requests have cost.",
    effect: "read",
    input: z.strictObject({
      run: runId.optional().describe("Also what this run, and everything that stems from the same one, has spent."),
      project: projectRef.optional(),
      by: z.enum(costBys).default("project").describe("What to tell apart."),
      days: z.int().min(1).max(400).optional().describe("Only the last so many days, in UTC; not of runs and tasks."),
    }),
    output: costSchema,
    http: { method: "GET", path: "/api/v1/cost" },
    mcp: {
      tool: "cost",
      description:
        "Shows what model requests have cost, in micro-dollars and tokens: told apart as asked; with run also what a run has spent and what is left of its budgets. Use it when a request was refused as budget-spent. Next: policy_get of the policy that it names.",
    },
  }),
  "price.list": operation({
    summary: "Lists what models cost.",
    effect: "read",
    input: z.strictObject({}),
    output: z.object({ prices: z.array(priceSchema) }),
    http: { method: "GET", path: "/api/v1/prices" },
    mcp: {
      tool: "price_list",
      description:
        "Lists what models cost for a million tokens, in micro-dollars, by how their names begin: what people set, and what is built in. Use it when a request was refused as price-unknown.",
    },
  }),
  "price.set": operation({
    summary: "Says what models cost whose names begin so.",
    effect: "write",
    input: setPriceSchema,
    output: nothing,
    http: { method: "PUT", path: "/api/v1/prices/{model}" },
    mcp: null,
  }),
  "price.remove": operation({
    summary: "Removes a price that a person set.",
    effect: "write",
    input: z.strictObject({ model: modelName }),
    output: nothing,
    http: { method: "DELETE", path: "/api/v1/prices/{model}" },
    mcp: null,
  }),
  "secret.set": operation({
    summary: "Keeps a secret, in place of an earlier one of that name. Nothing ever answers with its value.",
    effect: "write",
    input: setSecretSchema,
    output: nothing,
    http: { method: "PUT", path: "/api/v1/secrets/{name}" },
    mcp: null,
  }),
  "secret.list": operation({
    summary: "Lists the names of secrets, where they come from and when they were last used; never their values.",
    effect: "read",
    input: z.strictObject({}),
    output: z.object({ secrets: z.array(secretSchema) }),
    http: { method: "GET", path: "/api/v1/secrets" },
    mcp: null,
  }),
  "secret.remove": operation({
    summary: "Removes a secret.",
    effect: "write",
    input: z.strictObject({ name: secretName }),
    output: nothing,
    http: { method: "DELETE", path: "/api/v1/secrets/{name}" },
    mcp: null,
  }),
};
