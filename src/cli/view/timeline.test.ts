import { expect, test } from "vitest";
import pc from "picocolors";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { describeEvent } from "./describe-event.ts";
import { Timeline } from "./timeline.ts";

let seq = 0;
const event = (atMs: number, type: string, fields: Record<string, unknown> = {}): LogEvent => ({
  seq: ++seq,
  atMs,
  type,
  v: 1,
  cause: null,
  actor: "system",
  run: "r_1",
  ...fields,
});

test("a run's story", () => {
  const timeline = new Timeline(pc.createColors(false));
  const call = { call: 2, tool: "run", units: [], bytes: 0 };
  const story = [
    event(1000, "run.submitted", { title: "fix it", runner: "script", plan: ["file:a"] }),
    event(1000, "family.opened", { family: "r_1.1" }),
    event(1002, "claim.queued", {
      claim: "c_2",
      units: ["file:a"],
      behind: [{ holder: "alice" }, { holder: "alice" }],
    }),
    event(3500, "lease.granted", { claim: "c_2", units: ["file:a"], fences: [7] }),
    event(3500, "run.moved", { from: "queued", to: "starting", because: null, policy: null }),
    event(3600, "run.said", { text: "first\nsecond \u001b[2J" }),
    event(3700, "call.queued", { ...call, claim: null, other: null }),
    event(3700, "call.started", call),
    event(16_000, "call.finished", { ...call, ok: false, exit: 3, summary: "one\ntwo\n" }),
    event(16_001, "call.finished", { call: 3, tool: "write", ok: true, exit: null, summary: "wrote a (1f)" }),
    event(70_000, "run.moved", { from: "running", to: "failed", because: "step 2", policy: "careful" }),
  ];
  expect(story.flatMap((each) => timeline.toLines(each))).toEqual([
    "   0.00s  submitted: fix it (runner script, plan file:a)",
    "   0.00s  c_2 waits for file:a behind alice",
    "   2.50s  c_2 granted: file:a (fence 7)",
    "   2.50s  queued → starting",
    "   2.60s  says: first",
    "          second ",
    "   2.70s  step 2 run",
    "   15.0s  step 2 run failed with exit 3",
    "          | one",
    "          | two",
    "   15.0s  step 3 write done: wrote a (1f)",
    "    1m9s  running → failed (step 2), by policy careful",
  ]);
});

test("leave is told apart from a question, and whether it was given", () => {
  const timeline = new Timeline(pc.createColors(false));
  const leave = { tool: "execute", what: "rm x" };
  const story = [
    event(0, "run.asked", { question: "q_1", text: "Which?" }),
    event(0, "run.answered", { question: "q_1", text: "This." }),
    event(0, "run.asked", { question: "q_2", text: "May it?\n\ncommand: rm x", leave }),
    event(0, "run.answered", { question: "q_2", text: "allow", allows: true }),
    event(0, "run.answered", { question: "q_3", text: "deny", allows: false }),
  ];
  expect(story.flatMap((each) => timeline.toLines(each)).map((line) => line.trim())).toEqual([
    ...["0.00s  asks: Which?", "0.00s  is answered: This."],
    ...["0.00s  asks leave: May it?", "", "command: rm x"],
    ...["0.00s  is allowed", "0.00s  is denied"],
  ]);
});

test("of a long output the end is shown", () => {
  const timeline = new Timeline(pc.createColors(false));
  const summary = Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n");
  const lines = timeline.toLines(event(0, "call.finished", { call: 1, tool: "run", ok: true, exit: 0, summary }));
  expect(lines).toHaveLength(22);
  expect(lines[1]).toContain("… 10 lines before");
  expect(lines.at(-1)).toContain("line 29");
});

test("what comes along with a task is named", () => {
  const attached = event(0, "task.attached", { task: "t_1", attachment: { kind: "note", name: "tone.md" } });
  expect(describeEvent(attached)).toBe("task t_1: tone.md comes along");
});

test("an event that nobody has heard of is shown by its fields", () => {
  expect(describeEvent(event(0, "moon.landed", { place: "sea\n" }))).toBe(String.raw`run="r_1" place="sea\n"`);
});

test("an event whose fields are not what was expected does no harm", () => {
  for (const type of ["run.moved", "claim.queued", "lease.granted", "call.finished", "policy.set", "family.ended"]) {
    expect(typeof describeEvent(event(0, type, { units: 5, behind: "x", policy: 7, fences: null }))).toBe("string");
  }
});

test("[RN46] of calls that the door knows nothing of it is told what they ask for, how they end and what they say", () => {
  const timeline = new Timeline(pc.createColors(false));
  const told = (at: number, ...items: object[]) => timeline.toLines(event(at, "run.heard", { items }));
  const bash = { call: "t1", tool: "Bash", parent: null };
  expect(told(0, { is: "tool", ...bash, input: "npm test\nand more" })).toEqual(["   0.00s  uses Bash: npm test"]);
  const read = { call: "t2", tool: "Read", parent: null };
  expect(told(1, { is: "tool", ...read, input: '{"file_path":"a"}' })).toEqual([]);
  expect(told(1, { is: "result", ...bash, ok: false, exit: 2, text: "1 failed\n", output: "own-1-77" })).toEqual([
    "   0.00s  Bash failed (exit 2): npm test",
    "          | 1 failed",
    "          | all of it: signalbox artifacts r_1 own-1-77",
  ]);
  expect(told(1, { is: "result", ...read, ok: true, exit: null, text: "1\n2\n3\n4\n5", output: null })).toEqual([
    '   0.00s  Read done: {"file_path":"a"}',
    ...["1", "2", "3", "… 2 lines more"].map((line) => `          | ${line}`),
  ]);
  const all = {
    items: [
      { is: "tool", ...bash, input: "ls" },
      { is: "result", ...bash, ok: true, exit: 0, text: "" },
    ],
  };
  expect(describeEvent(event(0, "run.heard", all))).toBe("uses Bash: ls; Bash done");
});

test("who works for an assistant is told apart, by what the call was about that began it", () => {
  const timeline = new Timeline(pc.createColors(false));
  const told = (...items: object[]) => timeline.toLines(event(0, "run.heard", { items }));
  told({ is: "tool", call: "t1", tool: "Agent", parent: null, input: "part: Do a part of it." });
  const bash = { call: "t2", tool: "Bash", parent: "t1" };
  expect(told({ is: "message", text: "I begin.", parent: "t1" }, { is: "tool", ...bash, input: "ls" })).toEqual([
    "   0.00s  subagent part says: I begin.",
    "          subagent part uses Bash: ls",
  ]);
  expect(told({ is: "result", ...bash, ok: true, exit: 0, text: "" })).toEqual([
    "   0.00s  subagent part Bash done: ls",
  ]);
  const ofUnknown = { is: "thinking", text: "So.", parent: "t9" };
  expect(told(ofUnknown)).toEqual(["   0.00s  subagent of t9 thinks: So."]);
  expect(describeEvent(event(0, "run.heard", { items: [ofUnknown] }))).toBe("subagent of t9 thinks: So.");
});

test("[RN48] a call at the door is told as whose it is within the program, by what the program calls it", () => {
  const timeline = new Timeline(pc.createColors(false));
  const begun = [
    { is: "tool", call: "t1", tool: "Agent", parent: null, input: "part: Do a part of it." },
    { is: "tool", call: "t2", tool: "mcp__door__write_file", parent: "t1" },
    { is: "tool", call: "t3", tool: "mcp__door__write_file", parent: null },
  ];
  const at = (call: number, type: string, more: object = {}) =>
    timeline.toLines(event(0, `call.${type}`, { call, tool: "write", units: [], claim: null, other: null, ...more }));
  expect(timeline.toLines(event(0, "run.heard", { items: begun }))).toHaveLength(1);
  at(0, "queued", { use: "t2" });
  at(1, "queued", { use: "t3" });
  at(2, "queued");
  const ended = [0, 1, 2].map((call) => at(call, "finished", { ok: true, summary: "wrote a" })[0]);
  expect(ended).toEqual([
    "   0.00s  subagent part: step 0 write done: wrote a",
    "   0.00s  step 1 write done: wrote a",
    "   0.00s  step 2 write done: wrote a",
  ]);
});

test("of an assistant its words are told; what it used of the door is in the door's record", () => {
  const timeline = new Timeline(pc.createColors(false));
  const items = [
    { is: "session", session: "s-1" },
    { is: "message", text: "I begin.\nWith the tests.", parent: null },
    { is: "tool", call: "t1", tool: "mcp__door__write_file", parent: null },
    { is: "turn", ok: false, why: "rate-limit", text: "slow down" },
  ];
  expect(timeline.toLines(event(0, "run.heard", { items }))).toEqual([
    "   0.00s  says: I begin.",
    "          With the tests.",
    "          ends its turn (rate-limit): slow down",
  ]);
  expect(timeline.toLines(event(1, "run.heard", { items: items.slice(0, 1) }))).toEqual([]);
});
