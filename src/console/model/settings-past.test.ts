import { expect, test } from "vitest";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { toSettingPast } from "./settings-past.ts";

let seq = 0;
const at = (type: string, actor: string, more: object): LogEvent => {
  seq += 1;
  return { seq, atMs: seq, type, v: 1, cause: null, actor, ...more };
};

test("who changed what when, the newest first", () => {
  const events = [
    at("policy.set", "person:mara", {
      policy: { name: "ask", priority: 0, rules: { maxFiles: 3, deniedPaths: ["a"] } },
    }),
    at("policy.set", "person:mara", { policy: { name: "other", priority: 9, rules: {} } }),
    at("policy.set", "agent:r_1", { policy: { name: "ask", priority: 0, rules: { maxFiles: 4, maxBytes: 1 } } }),
    at("policy.removed", "person:jo", { name: "ask" }),
    at("policy.set", "person:jo", { policy: { name: "ask", priority: 0, rules: { maxFiles: 4 } } }),
  ];
  const past = toSettingPast(events, "policy", "ask");
  expect(past.map(({ what, actor, changes }) => [what, actor, changes])).toEqual([
    ["made", "person:jo", []],
    ["removed", "person:jo", []],
    ["changed", "agent:r_1", ["rules.maxFiles: 3 → 4", "rules.deniedPaths is left out", "rules.maxBytes: 1"]],
    ["made", "person:mara", []],
  ]);
});

test("of a project only what an event says has changed", () => {
  const past = toSettingPast(
    [
      at("project.added", "person:mara", { project: "p_1", name: "shop", foldCase: false, landingTest: null }),
      at("project.changed", "person:mara", { project: "p_1", landingTest: ["npm", "test"], foldCase: false }),
    ],
    "project",
    "p_1",
  );
  expect(past[0]?.changes).toEqual(['landingTest: null → ["npm","test"]']);
});

test("where older events were not read, nobody is said to have made it", () => {
  const set = (maxFiles: number) => at("policy.set", "person:jo", { policy: { name: "ask", rules: { maxFiles } } });
  const past = toSettingPast([set(1), set(2)], "policy", "ask", false);
  expect(past.map(({ what, changes }) => [what, changes])).toEqual([
    ["changed", ["rules.maxFiles: 1 → 2"]],
    ["changed", []],
  ]);
});
