import { describe, expect, test } from "vitest";
import type { PolicyRules } from "../core/policy/policy.ts";
import { findGlobFlaw } from "./glob-flaw.ts";
import { type OperationName, operationNames, operations } from "./operations.ts";
import { parseInput } from "./parse-input.ts";

const complaint = (op: OperationName, input: unknown): string => {
  const parsed = parseInput(operations[op].input, input);
  return parsed.ok ? "fine" : `${parsed.refusal.where}: ${parsed.refusal.why}`;
};
const policy = (rules: unknown): string => complaint("policy.set", { name: "x", rules });

describe("what does not fit is said in our own words: where, what is expected, what was given", () => {
  test.each([
    ["claim.make", { units: ["file:a"] }, "project: it is missing"],
    ["claim.make", { project: "p", units: [] }, "units: the list is empty"],
    ["claim.make", { project: "p", units: "file:a" }, 'units: a list is expected; given was "file:a"'],
    ["claim.make", { project: "p", units: [7] }, "units[0]: a text is expected; given was 7"],
    ["claim.make", { project: "p", units: [""] }, "units[0]: it is empty"],
    ["claim.make", { project: "p", units: ["file:a"], ttlMs: 1.5 }, "ttlMs: a whole number is expected; given was 1.5"],
    ["claim.make", { project: "p", units: ["file:a"], ttlMs: 5 }, "ttlMs: the least is 100; given was 5"],
    [
      "claim.make",
      { project: "p", units: ["file:a"], ttlMs: 1e9 },
      "ttlMs: the most is 86400000; given was 1000000000",
    ],
    [
      "claim.make",
      { project: "p", units: ["file:a"], mode: "maybe" },
      'mode: one of wait, try is expected; given was "maybe"',
    ],
    ["claim.make", { project: "p", units: ["file:a"], colour: 1 }, 'the top: there is no field "colour"'],
    ["run.get", { run: "x" }, 'run: the id of a run looks like r_1a; given was "x"'],
    [
      "run.submit",
      { project: "p", title: "add a limit\nto all routes" },
      String.raw`title: a title is one line without control characters; what is more goes into the description (--description); given was "add a limit\nto all routes"`,
    ],
    ["run.get", [], "the top: an object with fields is expected; given was a list"],
    ["project.add", { root: "/a", name: "n".repeat(65) }, "name: it is too long: at most 64 characters; given were 65"],
    [
      "project.add",
      { root: "/a", processes: { "a b": { argv: ["x"] } } },
      "processes.a b: a name in it is not right: a process name has letters, digits, dots, dashes or underscores",
    ],
    ["run.submit", { project: "p", sub: "yes" }, 'sub: true or false is expected; given was "yes"'],
  ] as const)("%s %j", (op, input, wanted) => {
    expect(complaint(op, input)).toBe(wanted);
  });

  test("no field of any operation answers with the library's texts", () => {
    const theirs = /invalid (input|option|string|key)|too (small|big):|expected (string|number|array|object)|received/i;
    const wrong = [undefined, null, 0, -1, 1.5, 1e300, "", "\0", "x".repeat(300_000), [], [[]], {}, { a: {} }, true];
    for (const op of operationNames) {
      for (const field of Object.keys(operations[op].input.shape)) {
        for (const value of wrong) expect(complaint(op, { [field]: value })).not.toMatch(theirs);
      }
    }
  });
});

describe("a policy that cannot be meant", () => {
  test.each([
    [{}, "rules: a policy states at least one rule: maxConcurrent"],
    [{ maxTimeMs: 0 }, "rules.maxTimeMs: a run needs some time"],
    [{ deniedPaths: ["/etc/**"] }, "rules.deniedPaths[0]: a glob is relative to the project"],
    [{ allowedPaths: ["src/**", "a["] }, "rules.allowedPaths[1]: a bracket in it has no other half"],
    [{ autoApprove: ["docs/**.md"] }, "rules.autoApprove[0]: ** stands alone between slashes"],
    [{ allowedPaths: [] }, "rules.allowedPaths: an empty list would allow nothing at all"],
    [{ allowedRunners: [] }, "rules.allowedRunners: an empty list would allow nothing at all"],
    [{ allowedPaths: ["a", "b"], deniedPaths: ["b"] }, 'rules.deniedPaths: "b" is allowed and denied at once'],
    [{ allowedRunners: ["a"], deniedRunners: ["a"] }, 'rules.deniedRunners: "a" is allowed and denied at once'],
    [{ approvalRequired: false, autoApprove: ["a"] }, "rules.autoApprove: it makes exceptions from an approval"],
  ])("%j", (rules, wanted) => {
    expect(policy(rules)).toContain(wanted);
  });

  test.each([
    [{ maxConcurrent: 0 }],
    [{ maxFiles: 0, maxBytes: 0 }],
    [{ maxSwept: 0 }],
    [{ holdPatienceMs: 0 }],
    [{ holdPatienceMs: null }],
    [{ deniedPaths: [], deniedRunners: [], autoApprove: [] }],
    [{ allowedPaths: ["src/**"], deniedPaths: ["src/secret/**"] }],
    [{ approvalRequired: true, autoApprove: ["docs/"] }],
  ])("%j can be meant", (rules) => {
    expect(policy(rules)).toBe("fine");
  });

  const every: { readonly [K in keyof Required<PolicyRules>]: NonNullable<PolicyRules[K]> } = {
    ...{ maxConcurrent: 1, maxFiles: 1, maxBytes: 1, maxDisk: 1, maxTimeMs: 1, maxSwept: 1, holdPatienceMs: 1 },
    ...{ allowedRunners: ["a"], deniedRunners: ["a"], allowedPaths: ["a"], deniedPaths: ["a"], autoApprove: ["a"] },
    ...{ approvalRequired: true, claiming: "explicit", allowedEgress: "none" },
    ...{ stuckAfterMs: 1000, stuckAfterRepeats: 2, stuckAfterErrors: 1, stuckAfterToolErrors: 2 },
    ...{ onSilent: "stop", onLoop: "tell", onErrors: "nudge", onToolErrors: "pause", escalateAfterMs: 60_000 },
    ...{ reuse: ["shop-*"] },
    ...{ maxRetries: 0, retryWaitMs: 1000, maxDepth: 0, maxTreeRuns: 1, maxAgents: 0, maxRestarts: 1 },
    ...{ terminalClipboard: "allow", terminalTitles: "deny", terminalLinks: "deny" },
    ...{ outputDays: 1, outputBytes: 1 },
    ...{ recordingDays: 1, recordingBytes: 1, maxMemory: 2 ** 30, maxCpu: 0.5, maxProcesses: 100, maxOpenFiles: 64 },
    ...{
      maxOutputRate: 2 ** 20,
      autoApproveMaxBytes: 1,
      autoApproveBinary: false,
      maxFileBytes: 1,
      deniedBinary: true,
    },
    ...{ maxRunCostMicros: 1, maxTreeCostMicros: 1, maxDayCostMicros: 1, maxTotalCostMicros: 1 },
  };

  test.each(Object.entries(every))("%s, which runs are decided by, can be stated", (name, value) => {
    expect(policy({ [name]: value })).toBe("fine");
  });

  test.each(["**", "src/**", "**/*.ts", "docs/", "app/[id]/page.tsx", "a?c", "{a}", ".github/**", "a b/ü.md"])(
    "[SC9] the glob %s has a meaning",
    (glob) => expect(findGlobFlaw(glob)).toBeUndefined(),
  );

  test.each(["/a", "!a", "a\\b", "a//b", "/", "./a", "a/../b", "a**", "**.ts", "{a,b}", "[a", "a]", "[a}"])(
    "[SC9] the glob %s has none",
    (glob) => expect(findGlobFlaw(glob)).toMatch(/^[a-z*].{20,}$/),
  );
});
