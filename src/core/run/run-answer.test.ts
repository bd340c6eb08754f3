import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";

const leave = { tool: "execute", what: "rm -rf build" };
const text = "May it use a tool of its own (execute): rm -rf build?";

function asking(): { world: CoreWorld; run: string; question: string } {
  const world = new CoreWorld();
  world.project();
  const run = world.started();
  const { family } = world.run(run);
  world.ok({ type: "run.ask", run, family, call: 0, text, leave }, `agent:${run}`);
  return { world, run, question: world.run(run).question?.id ?? "" };
}

test("[RN26] who asks leave says so, and what for; a plain question does not", () => {
  const { world, run } = asking();
  expect(world.lastOf("run.asked")).toMatchObject([{ run, text, leave }]);
  expect(world.run(run)).toMatchObject({ state: "awaiting-input", question: { text, leave } });
  const plain = world.started();
  world.ok({ type: "run.ask", run: plain, family: world.run(plain).family, call: 0, text: "which?" });
  expect(Object.keys(world.run(plain).question ?? {})).toEqual(["id", "text"]);
});

test.each([
  ["Yes.", "allow", true],
  ["no", "deny", false],
])("[RN26] %j is leave given or refused, in a word of ours", (said, word, allows) => {
  const { world, run, question } = asking();
  world.ok({ type: "run.answer", run, text: said, question }, "person:ann");
  expect(world.lastOf("run.answered")).toMatchObject([{ run, question, text: word, allows }]);
  expect(world.run(run)).toMatchObject({ state: "running", question: null, answers: [word], messages: [] });
});

test("[RN26] what is neither yes nor no answers nothing", () => {
  const { world, run } = asking();
  const refusal = world.no({ type: "run.answer", run, text: "yes, but only a.txt" });
  expect(refusal).toEqual({ code: "unclear-answer", run, what: leave.what });
  expect(world.run(run)).toMatchObject({ state: "awaiting-input", question: { text }, answers: [] });
});

test("[RN26, RN27] a no that says why is a no, and why is told like everything that people say", () => {
  const { world, run, question } = asking();
  world.ok({ type: "run.answer", run, question, text: "deny: clean it with make" }, "person:ann");
  expect(world.last.map(({ type }) => type).slice(0, 2)).toEqual(["run.answered", "run.messaged"]);
  expect(world.run(run)).toMatchObject({ answers: ["deny"], messages: ["clean it with make"] });
});

test("[RN26] leave is for people: a model neither gives nor refuses it", () => {
  const { world, run } = asking();
  for (const said of ["allow", "deny"])
    expect(world.no({ type: "run.answer", run, text: said }, "agent:mcp")).toMatchObject({ code: "forbidden" });
  expect(world.run(run).question).not.toBeNull();
});

test("[RN11, RN26] leave is given and refused by whoever names the question that they have read", () => {
  const { world, run, question } = asking();
  for (const said of ["allow", "deny", "deny: not that one"])
    expect(world.no({ type: "run.answer", run, text: said }, "person:ann")).toEqual({
      ...{ code: "question-unnamed", run, question, what: leave.what },
    });
  expect(world.run(run)).toMatchObject({
    state: "awaiting-input",
    question: { id: question },
    answers: [],
    messages: [],
  });
});

test("[RN11] a yes to what was asked before is no leave for what is asked now", () => {
  const world = new CoreWorld();
  world.project();
  const run = world.started();
  const asks = { type: "run.ask", run, family: world.run(run).family } as const;
  world.ok({ ...asks, call: 0, text: "Shall it begin?" }, `agent:${run}`);
  const before = world.run(run).question?.id ?? "";
  world.ok({ type: "run.answer", run, text: "yes" }, "person:bob");
  world.ok({ ...asks, call: 1, text, leave }, `agent:${run}`);
  expect(world.no({ type: "run.answer", run, text: "yes" }, "person:ann")).toMatchObject({ code: "question-unnamed" });
  const late = world.no({ type: "run.answer", run, text: "yes", question: before }, "person:ann");
  expect(late).toMatchObject({ code: "asks-another" });
  expect(world.run(run)).toMatchObject({ state: "awaiting-input", answers: ["yes"] });
});

test("[RN11] who says which question they answer answers no other", () => {
  const { world, run, question } = asking();
  expect(world.no({ type: "run.answer", run, text: "allow", question: "q_0" })).toEqual({
    ...{ code: "asks-another", run, question },
  });
  world.ok({ type: "run.answer", run, text: "allow", question });
  expect(world.run(run).state).toBe("running");
});

test("[RN36] leave that nobody gives for an hour is escalated as what it is", () => {
  const { world, run } = asking();
  world.passWithBeats(60 * 60_000);
  const told = world.log.filter(({ type }) => type === "run.escalated");
  expect(told).toMatchObject([{ run, kind: "permission" }]);
});
