import { expect, test } from "vitest";
import { OwnPlan } from "./own-plan.ts";

const entries = [
  { content: "Read  the\nmiddleware", status: "completed" },
  { content: "Wire it in", status: "in_progress" },
  { content: "Test bursts", status: "pending" },
  { content: "Say so", status: "new-word" },
];

test("[RN44] the plan that a program keeps for itself is a line for each step, with how far it is", () => {
  const text = "[x] Read the middleware\n[>] Wire it in\n[ ] Test bursts\n[ ] Say so";
  expect(new OwnPlan().take(entries, "content", "status")).toEqual([{ is: "other", kind: "plan", text }]);
  const steps = [{ step: "Look.", status: "inProgress" }, { step: "Go." }];
  expect(new OwnPlan().take(steps, "step", "status")).toMatchObject([{ text: "[>] Look.\n[ ] Go." }]);
  const items = [{ text: "a", completed: true }, { text: "b", completed: false }, {}];
  expect(new OwnPlan().take(items, "text", "completed")).toMatchObject([{ text: "[x] a\n[ ] b\n[ ] " }]);
});

test("[RN44] it is written down when it is another one, and not without end", () => {
  const plan = new OwnPlan();
  expect(plan.take(entries, "content", "status")).toHaveLength(1);
  expect(plan.take(entries, "content", "status")).toEqual([]);
  expect(plan.take([], "content", "status")).toHaveLength(1);
  const times = Array.from({ length: 500 }, (_, at) => plan.take([{ content: `${at}` }], "content", "status")).flat();
  expect(times).toHaveLength(198);
  const many = Array.from({ length: 100 }, () => ({ content: "x".repeat(9999) }));
  const [first] = new OwnPlan().take(many, "content", "status");
  const lines = first?.is === "other" ? first.text.split("\n") : [];
  expect([lines.length, lines[0]?.length, lines.at(-1)]).toEqual([61, 204, "and 40 more"]);
});
