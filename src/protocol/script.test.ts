import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { search } from "../../test/support/search.ts";
import { parseScript } from "./script.ts";

const read = (text: string): unknown => {
  const script = parseScript(text);
  return script.ok ? script.value : script.refusal;
};

describe("a script", () => {
  test("has a task, a plan and steps of every kind", () => {
    const text = `
task: try everything
plan: [file:a.txt, dir:src, process:test]
steps:
  - claim: file:a.txt
  - claim: [file:b.txt, dir:c]
  - read: a.txt
  - write: { path: a.txt, content: hello }
  - edit: { path: a.txt, find: hello, replace: "" }
  - run: [echo, hi]
  - run: echo hi && true
  - process: test
  - sleep: 250ms
  - sleep: 1.5
  - say: 42
  - ask: which colour?
  - release: file:a.txt
  - release: all
  - release: { units: [dir:c], setAside: true }
  - repeat: { times: 2, steps: [{ say: again }, { repeat: { times: 2, steps: [{ say: and again }] } }] }
  - fail: enough
`;
    expect(read(text)).toMatchObject({
      task: "try everything",
      plan: ["file:a.txt", "dir:src", "process:test"],
      steps: [
        { do: "claim", units: ["file:a.txt"] },
        { do: "claim", units: ["file:b.txt", "dir:c"] },
        { do: "read", path: "a.txt" },
        { do: "write", path: "a.txt", content: "hello" },
        { do: "edit", path: "a.txt", find: "hello", replace: "" },
        { do: "run", command: { argv: ["echo", "hi"] } },
        { do: "run", command: { argv: ["/bin/sh", "-c", "echo hi && true"] } },
        { do: "process", name: "test" },
        { do: "sleep", ms: 250 },
        { do: "sleep", ms: 1500 },
        { do: "say", text: "42" },
        { do: "ask", text: "which colour?" },
        { do: "release", units: ["file:a.txt"], setAside: false },
        { do: "release", units: null, setAside: false },
        { do: "release", units: ["dir:c"], setAside: true },
        ...[1, 2].flatMap(() => [
          { do: "say", text: "again" },
          { do: "say", text: "and again" },
          { do: "say", text: "and again" },
        ]),
        { do: "fail", text: "enough" },
      ],
    });
  });

  test.each([
    ["not a mapping", "- a", "the top"],
    ["no task", "steps: []", "task"],
    ["an unknown field", "task: x\nsteps: []\nmodel: big", "model"],
    ["steps that are no list", "task: x\nsteps: 7", "steps"],
    ["a step without a verb", "task: x\nsteps: [{}]", "steps[0]"],
    ["a step with two verbs", "task: x\nsteps: [{ say: a, ask: b }]", "steps[0]"],
    ["a step that is a word", "task: x\nsteps: [hello]", "steps[0]"],
    ["an unknown verb", "task: x\nsteps: [{ say: a }, { fly: 1 }]", "steps[1]"],
    ["a verb from the prototype", "task: x\nsteps: [{ constructor: 1 }]", "steps[0]"],
    ["a unit of no kind", "task: x\nsteps: [{ claim: src/a.ts }]", "steps[0].claim"],
    ["a missing path", "task: x\nsteps: [{ write: { content: a } }]", "steps[0].write.path"],
    ["a hash that is none", "task: x\nsteps: [{ delete: { path: a, seen: zz } }]", "steps[0].delete.seen"],
    ["a patch of nothing", "task: x\nsteps: [{ patch: [] }]", "steps[0].patch"],
    ["a field too much", "task: x\nsteps: [{ write: { path: a, content: a, mode: 1 } }]", "steps[0].write"],
    ["an absolute path", "task: x\nsteps: [{ read: /etc/passwd }]", "steps[0].read"],
    ["a path that leaves", "task: x\nsteps: [{ read: a/../../b }]", "steps[0].read"],
    ["a time that is none", "task: x\nsteps: [{ sleep: soon }]", "steps[0].sleep"],
    ["a time of days", "task: x\nsteps: [{ sleep: 9000m }]", "steps[0].sleep"],
    [
      "a mistake inside a repetition",
      "task: x\nsteps: [{ repeat: { times: 2, steps: [{ say: a }, { read: 7 }] } }]",
      "steps[0].repeat.steps[1].read",
    ],
    [
      "a repetition that never ends",
      "task: x\nsteps: [{ repeat: { times: 1000000, steps: [{ say: a }] } }]",
      "steps[0].repeat.times",
    ],
    [
      "repetitions that multiply",
      "task: x\nsteps: [{ repeat: { times: 200, steps: [{ repeat: { times: 200, steps: [{ say: a }] } }] } }]",
      "steps",
    ],
    ["the same field twice", "task: x\ntask: y\nsteps: []", "the text"],
    ["YAML that breaks off", "task: [", "the text"],
    ["a second document", "task: x\nsteps: []\n---\ntask: y", "the text"],
    ["a tag that would build something", "task: !!js/function 'x'\nsteps: []", "the text"],
  ])("%s is refused by its place", (_, text, where) => {
    const refusal = read(text) as { code: string; where: string; why: string };
    expect(refusal.code).toBe("bad-script");
    expect(refusal.where).toBe(where);
    expect(refusal.why.length).toBeGreaterThan(5);
  });

  test.each([
    [
      "very many fields",
      (size: number) => `task: x\n${Array.from({ length: size / 12 }, (_, at) => `k${at}: 1`).join("\n")}`,
    ],
    [
      "very many anchors",
      (size: number) => `a: [${Array.from({ length: size / 20 }, (_, at) => `&a${at} x, *a${at}`).join(", ")}]`,
    ],
    ["very deep lists", (size: number) => `task: x\nsteps: ${"[".repeat(size - 20)}`],
    ["very many steps", (size: number) => `task: x\nsteps:\n${"- say: x\n".repeat(size / 10)}`],
    ["very many mistakes", (size: number) => `a: [${",".repeat(size)}]`],
    ["the same field very often", (size: number) => "a: 1\n".repeat(size / 6)],
  ])("%s are read or refused soon", (_, make) => {
    const text = make(256_000);
    const before = process.cpuUsage();
    parseScript(text);
    const { user } = process.cpuUsage(before);
    // Half a second. The library's own checks take quadratic time: they would need ten and more, and everybody else
    // would wait.
    expect(user).toBeLessThan(4_000_000);
  });

  test("a mistake of the YAML is named by its line", () => {
    expect(read("task: x\nsteps: [,]")).toMatchObject({ why: "Unexpected , in flow sequence (line 2, column 9)" });
  });

  test("nothing that anybody writes makes the reader fall over", () => {
    const wild = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json().map((text) => `task: x\nsteps: ${text}`),
      fc.integer({ min: 1, max: 3000 }).map((depth) => `task: x\nsteps: ${"[".repeat(depth)}`),
      fc
        .array(fc.constantFrom("a: &a [x]", "b: *a", "- ", "? ", "<<: *a", "%YAML 1.2", "---", "\t", "{", "'"), {
          maxLength: 20,
        })
        .map((lines) => lines.join("\n")),
    );
    fc.assert(
      fc.property(wild, (text) => {
        const script = parseScript(text);
        expect(script.ok ? "bad-script" : script.refusal.code).toBe("bad-script");
      }),
      search(100),
    );
  });
});
