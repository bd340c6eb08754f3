import { makeJob } from "../../../test/support/runner-job.ts";
import { describe, expect, test } from "vitest";
import type { Door, DoorAnswer, RunnerJob } from "../../ports/runner.ts";
import { ScriptRunner } from "./script-runner.ts";

type Called = readonly [name: string, ...given: unknown[]];

const names = [
  "claim",
  "release",
  "read",
  "list",
  "search",
  "change",
  "patch",
  "run",
  "start",
  "input",
  "output",
  "stop",
  "publish",
  "process",
  "sleep",
  "waitRun",
  "say",
  "ask",
  "finish",
] as const;

/** A door that says yes to everything but what it is told to refuse, and takes note. */
function doorThat(
  answers: Partial<Record<string, DoorAnswer>> = {},
  onCall: (name: string) => void = () => undefined,
): { door: Door; called: Called[] } {
  const called: Called[] = [];
  const open =
    (name: string) =>
    async (...given: unknown[]): Promise<DoorAnswer> => {
      called.push([name, ...given]);
      onCall(name);
      return answers[name] ?? { ok: true, text: "", exit: null };
    };
  const door = Object.fromEntries(names.map((name) => [name, open(name)])) as unknown as Door;
  return { door, called };
}

function jobOf(script: string | null, more: Partial<RunnerJob> = {}): RunnerJob {
  return makeJob({ script, ...more });
}

async function drive(script: string | null, more: Partial<RunnerJob> = {}, door = doorThat()): Promise<Called[]> {
  await new ScriptRunner().drive(jobOf(script, more), door.door, new AbortController().signal);
  return door.called;
}

const text = (steps: string, more = ""): string => `task: t\nsteps: [${steps}]\n${more}`;

describe("the script runner", () => {
  test("takes every step to the door, in order, repetitions written out", async () => {
    const steps = `{claim: "file:a"}, {read: a}, {read: {path: a, from: 2, count: 3}}, {list: {path: src, depth: 2}},
      {search: x}, {write: {path: a, content: 1}}, {edit: {path: a, find: x, replace: y}}, {delete: a},
      {move: {path: a, to: b}}, {patch: [{write: {path: c, content: 2, seen: none}}, {delete: d}]}, {run: ls},
      {run: {command: [ls, -l], cwd: src, timeout: 2s}}, {start: {name: dev, command: [dev]}},
      {input: {name: dev, text: hi}}, {output: dev}, {stop: dev}, {publish: {name: n, path: p}}, {process: test}, {sleep: 2s}, {say: hi}, {ask: ok?}, {repeat: {times: 2, steps: [{say: again}]}},
      {release: "file:a"}, {release: all}, {release: {units: "file:b", setAside: true}}`;
    expect(await drive(text(steps))).toEqual([
      ["claim", ["file:a"]],
      ["read", "a", undefined],
      ["read", "a", { from: 2, count: 3 }],
      ["list", "src", 2],
      ["search", { text: "x", regex: false, under: "" }],
      ["change", { do: "write", path: "a", content: "1" }],
      ["change", { do: "edit", path: "a", find: "x", replace: "y" }],
      ["change", { do: "delete", path: "a" }],
      ["change", { do: "move", path: "a", to: "b" }],
      [
        "patch",
        [
          { do: "write", path: "c", content: "2", seen: "none" },
          { do: "delete", path: "d" },
        ],
      ],
      ["run", { argv: ["/bin/sh", "-c", "ls"] }],
      ["run", { argv: ["ls", "-l"], cwd: "src", timeoutMs: 2000 }],
      ["start", "dev", { argv: ["dev"] }],
      ["input", "dev", "hi", false],
      ["output", "dev", 0],
      ["stop", "dev"],
      ["publish", "n", "p"],
      ["process", "test"],
      ["sleep", 2000],
      ["say", "hi"],
      ["ask", "ok?"],
      ["say", "again"],
      ["say", "again"],
      ["release", ["file:a"], false],
      ["release", null, false],
      ["release", ["file:b"], true],
      ["finish", true, ""],
    ]);
  });

  test("stops at the first no, and says at which step, by the number of its call", async () => {
    const no = { ok: false, code: "no-file", message: "a does not exist" } as const;
    const steps = "{say: one}, {release: all}, {read: a}, {say: two}";
    expect(await drive(text(steps), {}, doorThat({ read: no }))).toEqual([
      ["say", "one"],
      ["release", null, false],
      ["read", "a", undefined],
      ["finish", false, "step 1 (read): no-file: a does not exist"],
    ]);
    const kept = { ok: false, code: "not-held", message: "file:a is not yours" } as const;
    expect((await drive(text("{release: [file:a]}"), {}, doorThat({ release: kept }))).at(-1)).toEqual([
      "finish",
      false,
      "release: not-held: file:a is not yours",
    ]);
  });

  test("fails when the script says so", async () => {
    expect(await drive(text("{fail: enough}, {say: never}"))).toEqual([["finish", false, "enough"]]);
  });

  test.each([
    [null, "the top: a script is a mapping with task and steps"],
    ["- a\n- b\n", "the top: a script is a mapping with task and steps"],
    ["task: t\nsteps: [{dance: 1}]\n", 'steps[0]: there is no step "dance"'],
    ["task: t\nsteps: [}\n", "the text: "],
  ])("fails with the place of the mistake: %j", async (script, reason) => {
    const called = await drive(script);
    expect(called).toHaveLength(1);
    expect(called[0]?.slice(0, 2)).toEqual(["finish", false]);
    expect(called[0]?.[2]).toContain(reason);
  });

  test("answers each message, and cannot mend what was sent back to it", async () => {
    const script = text("{say: one}", "onMessage: [{say: again}]\n");
    expect(await drive(script, { messages: ["a", "b"] })).toEqual([
      ["say", "one"],
      ["say", "again"],
      ["say", "again"],
      ["finish", true, ""],
    ]);
    expect((await drive(script, { sentBack: "it failed" })).at(-1)).toEqual(["finish", false, "it failed"]);
  });

  test("lets go when it is told to", async () => {
    const abort = new AbortController();
    const { door, called } = doorThat({}, () => abort.abort());
    await new ScriptRunner().drive(jobOf(text("{say: one}, {say: two}")), door, abort.signal);
    expect(called).toEqual([["say", "one"]]);
  });
});
