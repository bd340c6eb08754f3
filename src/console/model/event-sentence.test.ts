import { expect, test } from "vitest";
import { makeEvent, makeRun, makeLocks } from "../../../test/support/wire-samples.ts";
import { eventVersions } from "../../core/events.ts";
import { toSentence } from "./event-sentence.ts";
import { holdersByFamily, isSmall, projectOf, toTickerLines } from "./ticker.ts";

test.each(Object.keys(eventVersions))("%s has a sentence, whatever is missing in it", (type) => {
  const sentence = toSentence(makeEvent(1, type));
  expect(sentence).not.toBe("");
  expect(sentence).not.toContain("undefined");
  expect(sentence, "a sentence of its own").not.toBe(type.replaceAll(/[.-]/g, " "));
});

test("a type of a later release is shown by its name", () => {
  expect(toSentence(makeEvent(1, "moon.landed-softly"))).toBe("moon landed softly");
});

test.each([
  ["run.moved", { to: "awaiting-input", because: "it asks" }, "is awaiting input: it asks"],
  ["outputs.forgotten", { because: "age", files: 1, bytes: 2 }, "what it said is gone: it was kept long enough"],
  ["run.seen", { actor: "person:eva" }, "is off the inbox, seen by eva"],
  [
    "run.raised",
    { actor: "person:eva", limit: "maxCostMicros", was: 1_000_000, value: 2_000_000 },
    "may use $2.00 from now on: raised from $1.00 by eva",
  ],
  ["warning.seen", { actor: "person:eva", warning: "disk", undone: true }, "warning disk is back in the inbox, by eva"],
  [
    "room.made",
    {
      spares: [
        { what: "images", count: 1 },
        { what: "scratch", count: 2 },
      ],
      freeBytes: 1,
      freedBytes: 1,
      runs: ["r_1"],
    },
    "1 image, 2 dependency folders of workspaces went, because the disk ran low",
  ],
  ["run.moved", { to: "paused", because: "paused by person:eva" }, "is paused by eva"],
  ["run.moved", { to: "landing", because: "approved by person:eva" }, "is landing: approved by eva"],
  ["call.queued", { tool: "edit", claim: "c_1", units: ["file:src/a.ts"] }, "edit a.ts waits at the door"],
  ["lease.granted", { units: [], fences: [], slot: "r_15" }, "was let in"],
  ["lease.granted", { units: ["file:src/a.ts", "dir:docs"], fences: [3, 4] }, "holds a.ts, docs/, fence 4"],
  ["claim.queued", { units: ["file:a"], behind: [{ holder: "r_1" }, { holder: "r_1" }] }, "waits for a, behind r_1"],
  ["run.heard", { items: [{ is: "thinking", text: "First the tests." }] }, "thinks: First the tests."],
  ["run.heard", { items: [{ is: "turn", ok: true, why: "ended", text: "Done." }] }, "ends its turn"],
  [
    "run.heard",
    {
      items: [
        { is: "message", text: "I go." },
        { is: "turn", ok: false, why: "rate-limit", text: "slow down" },
      ],
    },
    "says: I go.; ends its turn (rate-limit): slow down",
  ],
  [
    "run.heard",
    {
      items: [
        { is: "tool", tool: "Bash", input: "npm test" },
        { is: "result", tool: "Bash", ok: false, exit: 2, text: "1 failed\n" },
      ],
    },
    "uses Bash: npm test; Bash failed (exit 2): 1 failed",
  ],
  ["run.heard", { items: [{ is: "other", kind: "new", text: "x" }] }, "is at work"],
  ["call.finished", { tool: "write", ok: false, summary: "no room" }, "write failed: no room"],
  ["call.finished", { tool: "edit", ok: true, summary: "edited docs/a.md (9b264ba90500)" }, "edited docs/a.md"],
  [
    "call.finished",
    { tool: "claim", ok: true, summary: "yours: file:src/a.ts, dir:b" },
    "got what it claimed: a.ts, b/",
  ],
  ["call.finished", { tool: "run", ok: true, summary: "12 passed" }, "run done: 12 passed"],
  [
    "paths.set-aside",
    { works: [{ path: "src/a.ts" }], why: "somebody else holds it" },
    "set aside a.ts: somebody else holds it",
  ],
  [
    "run.landed",
    { entries: [{ path: "a" }, { path: "b" }, { path: "c" }], tested: "passed" },
    "landed a +2, its test passed",
  ],
  ["run.landed", { entries: [{ path: "a" }], tested: "untested" }, "landed a, untested"],
  ["task.attached", { attachment: { kind: "note", name: "tone.md" } }, "tone.md comes along with a task"],
  ["mainline.published", { not: null }, "mainline was brought to its branch"],
  [
    "mainline.published",
    { not: { why: "main is being edited", how: "x" } },
    "landed, not published: main is being edited",
  ],
  ["lease.shrunk", { gone: ["file:a", "file:b", "file:c"], kept: [] }, "gave back a +2: nothing there waits to land"],
])("%s %j", (type, fields, sentence) => {
  expect(toSentence(makeEvent(1, type, fields))).toBe(sentence);
});

test("renewals in a row become one line, and the newest stays on top", () => {
  const events = [
    makeEvent(9, "run.said", { run: "r_1", text: "hi" }),
    makeEvent(8, "lease.renewed", { families: ["r_1.1"] }),
    makeEvent(7, "lease.renewed", { families: ["r_1.1"] }),
    makeEvent(6, "family.ended", { family: "r_1.1", why: "finished" }),
  ];
  const holders = holdersByFamily([makeRun("r_1")], makeLocks([], []), events);
  const lines = toTickerLines(events, holders, () => true, 10);
  expect(lines.map(({ seq, times, subject }) => [seq, times, subject])).toEqual([
    [9, 1, "r_1"],
    [8, 2, undefined],
    [6, 1, "r_1"],
  ]);
  expect(toTickerLines(events, holders, () => true, 2)).toHaveLength(2);
});

test("who works for an assistant is told apart, by what the call was about that began it", () => {
  const begun = { items: [{ is: "tool", call: "t1", tool: "Agent", parent: null, input: "part: Do a part of it." }] };
  const said = { items: [{ is: "message", text: "I begin.", parent: "t1" }] };
  const events = [makeEvent(2, "run.heard", said), makeEvent(1, "run.heard", begun)];
  const lines = toTickerLines(events, new Map(), () => true, 10);
  expect(lines.map(({ sentence }) => sentence)).toEqual([
    "subagent part says: I begin.",
    "uses Agent: part: Do a part of it.",
  ]);
});

test("[RN48] what the door has a record of is told once, as whose it is", () => {
  const items = [{ is: "tool", call: "t2", tool: "mcp__door__write_file", parent: "t1" }];
  const begun = [{ is: "tool", call: "t1", tool: "Agent", parent: null, input: "part: Do it." }];
  const about = { run: "r_1", call: 0, tool: "write" };
  const events = [
    makeEvent(4, "call.finished", { ...about, ok: true, summary: "wrote a" }),
    makeEvent(3, "call.queued", { ...about, use: "t2" }),
    makeEvent(2, "run.heard", { run: "r_1", items }),
    makeEvent(1, "run.heard", { run: "r_1", items: begun }),
  ];
  const told = (given: typeof events) =>
    toTickerLines(given, new Map(), () => true, 10).map(({ sentence }) => sentence);
  expect(told(events)).toEqual(["subagent part: wrote a", "subagent part: wants to write", "uses Agent: part: Do it."]);
  // Of what the door has no record its program's word is all there is.
  expect(told(events.slice(2))).toEqual(["subagent part uses mcp__door__write_file", "uses Agent: part: Do it."]);
});

test("an event belongs to the project that it or its run names", () => {
  const runs = new Map([["r_1", makeRun("r_1")]]);
  const holders = new Map([["r_1.1", "r_1"]]);
  expect(projectOf(makeEvent(1, "claim.queued", { project: "p_7" }), runs, holders)).toBe("p_7");
  expect(projectOf(makeEvent(1, "lease.ready", { family: "r_1.1" }), runs, holders)).toBe("p_1");
  expect(projectOf(makeEvent(1, "engine.opened"), runs, holders)).toBeUndefined();
});

test("what nobody acts on is left to the log", () => {
  expect(["lease.renewed", "call.started", "terminal.keyboard"].map((type) => isSmall({ type }))).not.toContain(false);
  expect(["lease.granted", "call.finished", "run.landed", "run.moved"].map((type) => isSmall({ type }))).not.toContain(
    true,
  );
});
