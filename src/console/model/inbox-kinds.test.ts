import { expect, test } from "vitest";
import { type InboxItem, inboxKinds } from "../../protocol/wire/inbox.ts";
import { makeRun } from "../../../test/support/wire-samples.ts";
import { actsOf } from "./run-acts.ts";
import { countKinds, inboxLooks, isInboxKind, keyOfItem, toInboxCommand } from "./inbox-kinds.ts";

const makeItem = (given: Partial<InboxItem>): InboxItem => ({
  kind: "failure",
  id: "r_1",
  canBeSeen: true,
  run: "r_1",
  project: "p_1",
  projectName: "track",
  title: "Fix it",
  what: "it failed",
  sinceMs: 0,
  ageMs: 0,
  escalated: false,
  command: "signalbox retry r_1",
  others: [],
  ...given,
});

test("every kind has a look, and no two the same shape", () => {
  expect(Object.keys(inboxLooks).toSorted()).toEqual([...inboxKinds].toSorted());
  expect(new Set(Object.values(inboxLooks).map(({ icon }) => icon)).size).toBe(inboxKinds.length);
  expect(isInboxKind("toString")).toBe(false);
});

test("what one run needs for several reasons is told apart, and so are agents of one project", () => {
  const items = [
    makeItem({}),
    makeItem({ kind: "stuck" }),
    makeItem({ kind: "agent", id: "ag_1", run: null, title: "shop-1" }),
    makeItem({ kind: "agent", id: "ag_2", run: null, title: "shop-2" }),
  ];
  expect(new Set(items.map(keyOfItem)).size).toBe(4);
  expect(countKinds(items).get("agent")).toBe(2);
});

test("the command lists the same", () => {
  expect(toInboxCommand(null, null)).toBe("signalbox inbox");
  expect(toInboxCommand("track", "review")).toBe("signalbox inbox --project track --kind review");
  // The name stands in the address, where anything may be written.
  expect(toInboxCommand("a; rm -rf b", null)).toBe("signalbox inbox --project 'a; rm -rf b'");
});

test.each([
  ["running", "claude", ["steer", "interrupt", "pause", "stop"]],
  ["paused", "claude", ["steer", "interrupt", "resume", "stop"]],
  ["running", "script", ["pause", "stop"]],
  ["paused", "script", ["resume", "stop"]],
] as const)("a stuck run that is %s and of %s has what fits it", (state, runner, names) => {
  const acts = actsOf(makeRun("r_1", { state, runner }));
  const offered = acts.map(({ name }) => name).filter((name) => inboxLooks.stuck.acts.includes(name));
  expect(offered).toEqual(names);
});
