import { expect, test } from "vitest";
import type { Client } from "../../client/client.ts";
import type { HeldBy } from "../../protocol/held-by.ts";
import type { Policy } from "../../protocol/wire/policy.ts";
import { changeLimit } from "./policy-limit.ts";

const held: HeldBy = { of: "policy", name: "thrift", rule: "maxRunCostMicros" };

function openPolicy(rules: Policy["rules"]): { readonly client: Pick<Client, "call">; readonly said: () => Policy } {
  let policy: Policy = { name: "thrift", priority: 0, enabled: true, scope: {}, rules };
  const call = (async (name: string, input: Policy) => {
    if (name === "policy.set") policy = input;
    return { policy };
  }) as Client["call"];
  return { client: { call }, said: () => policy };
}

test("what somebody else has added to the policy meanwhile stays, when the limit is raised and when it is taken back", async () => {
  const { client, said } = openPolicy({ maxRunCostMicros: 20, deniedPaths: ["secrets/**"] });
  await changeLimit(client, held, { from: 20, to: 40 });
  expect(said().rules).toEqual({ maxRunCostMicros: 40, deniedPaths: ["secrets/**"] });
  await changeLimit(client, held, { from: 40, to: 20 });
  expect(said().rules).toEqual({ maxRunCostMicros: 20, deniedPaths: ["secrets/**"] });
});

test.each([
  [{ maxRunCostMicros: 100_000_000 }, "has $100.00 by now, where it had $20.00"],
  [{ maxFiles: 3 }, "has no such limit by now, where it had $20.00"],
])("a limit that is another one by now is left as it is: %j", async (rules, sentence) => {
  const { client, said } = openPolicy(rules);
  await expect(changeLimit(client, held, { from: 20_000_000, to: 40_000_000 })).rejects.toThrow(sentence);
  expect(said().rules).toEqual(rules);
});
