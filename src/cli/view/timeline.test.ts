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
    "   2.70s  call 2 run",
    "   15.0s  call 2 run failed with exit 3",
    "          | one",
    "          | two",
    "   15.0s  call 3 write done: wrote a (1f)",
    "    1m9s  running → failed (step 2), by policy careful",
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

test("of an assistant its words are told; what it used is in the door's record", () => {
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
