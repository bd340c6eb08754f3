import { describe, expect, test } from "vitest";
import { CoreWorld, toSubmit } from "../../../test/support/core-world.ts";
import { matchesGlob } from "../../base/glob.ts";
import { applicable, ruleFor, type Policy } from "./policy.ts";

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project();
  return world;
}

describe("which policy decides", () => {
  test("[SC6] the most important that states the rule and applies; then by name", () => {
    const policy = (
      name: string,
      priority: number,
      rules: Policy["rules"],
      scope: Policy["scope"] = {},
    ): [string, Policy] => [name, { name, priority, enabled: name !== "off", scope, rules }];
    const policies = new Map([
      policy("b", 1, { maxFiles: 2 }),
      policy("a", 1, { maxFiles: 1, maxBytes: 10 }),
      policy("high", 5, { maxTimeMs: 7 }),
      policy("off", 9, { maxFiles: 0 }),
      policy("elsewhere", 9, { maxFiles: 0 }, { project: "p_2" }),
    ]);
    const found = applicable(policies, { project: "p_1", profile: null, runner: "script", node: "local" });
    expect(found.map(({ name }) => name)).toEqual(["high", "a", "b"]);
    expect(ruleFor(found, "maxFiles")).toEqual({ value: 1, policy: "a" });
    expect(ruleFor(found, "maxTimeMs")).toEqual({ value: 7, policy: "high" });
    expect(ruleFor(found, "claiming")).toBeUndefined();
  });

  test("[SC6] setting a policy again replaces it", () => {
    const world = made();
    world.policy("rule", { deniedRunners: ["script"] });
    expect(world.no(toSubmit(world.state))).toMatchObject({ code: "policy-denied" });
    world.policy("rule", {});
    world.submit();
    expect(world.state.policies.size).toBe(1);
  });
});

describe("runners and paths", () => {
  test("[SC7] runners are allowed or denied, and denied is stronger", () => {
    const world = made();
    world.policy("some", { allowedRunners: ["script", "claude"], deniedRunners: ["claude"] });
    expect(world.no(toSubmit(world.state, { runner: "codex" }))).toMatchObject({
      policy: "some",
      rule: "allowedRunners",
      what: "codex",
    });
    expect(world.no(toSubmit(world.state, { runner: "claude" }))).toMatchObject({ rule: "deniedRunners" });
    world.submit();
    expect(world.lastOf("run.submitted")).toMatchObject([{ policy: "some" }]);
  });

  test("[SC8] paths are asked for in a plan, a claim and a write", () => {
    const world = made();
    world.policy("src only", { allowedPaths: ["src/**", "docs/"], deniedPaths: ["src/secret/**"] });
    const run = world.started({ plan: ["dir:src"] });
    expect(world.refused(run, "write", ["file:other"])).toMatchObject({
      code: "policy-denied",
      rule: "allowedPaths",
      what: "other",
    });
    expect(world.refused(run, "write", ["file:src/secret/key"])).toMatchObject({ rule: "deniedPaths" });
    expect(world.refused(run, "claim", ["dir:src/secret"])).toMatchObject({ rule: "deniedPaths" });
    expect(world.refused(run, "claim", ["dir:"])).toMatchObject({ rule: "allowedPaths" });
    expect(world.begin(run, "write", ["file:src/a"]).state).toBe("go");
    expect(world.no(toSubmit(world.state, { plan: ["file:x"] }))).toMatchObject({ rule: "allowedPaths" });
  });

  test("[SC8] another spelling of a denied name does not pass", () => {
    const world = new CoreWorld();
    world.project({ foldCase: true });
    world.policy("no", { deniedPaths: ["Secret/**", "caf\u00e9"] });
    const run = world.started();
    expect(world.refused(run, "write", ["file:SECRET/x"]).code).toBe("policy-denied");
    expect(world.refused(run, "write", ["file:secret/./x"]).code).toBe("policy-denied");
    expect(world.refused(run, "write", ["file:CAFE\u0301"]).code).toBe("policy-denied");
  });

  test.each([
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/b/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/b/c/a.ts", true],
    ["src/", "src/b/c", true],
    ["src/", "src", true],
    ["src/", "srcs", false],
    ["**", "", true],
    ["*", "", false],
    ["*", "a/b", false],
    ["a?c", "abc", true],
    ["a?c", "a/c", false],
    ["?", "🔒", true],
    ["🔒/*", "🔒/a", true],
    ["a.b", "axb", false],
    ["[ab]", "a", false],
    ["{a,b}", "a", false],
    ["!a", "b", false],
  ])("[SC9] %s names %s: %s", (pattern, path, expected) => {
    expect(matchesGlob(pattern, path)).toBe(expected);
  });
});

describe("amounts, approval and the rest", () => {
  test("[SC10] a write that would go beyond the bounds is refused before it happens", () => {
    const world = made();
    world.policy("small", { maxFiles: 2, maxBytes: 25 });
    const run = world.started();
    world.write(run, "a", "b");
    expect(world.refused(run, "write", ["file:c"])).toMatchObject({ rule: "maxFiles", what: "3 files of at most 2" });
    expect(world.refused(run, "write", ["file:a"], { bytes: 6 })).toMatchObject({
      rule: "maxBytes",
      what: "26 bytes of at most 25",
    });
    expect(world.begin(run, "write", ["file:a"], { bytes: 5 }).state).toBe("go");
  });

  test("[SC10] what a command changes beyond the bounds is set aside whole, and counts no more", () => {
    const world = made();
    world.policy("small", { maxFiles: 3, maxBytes: 50 });
    const run = world.started();
    world.write(run, "a");
    world.commandOf(run, 5_000, "a", "big");
    expect(world.trash()).toEqual([
      "a (policy small bounds what a run changes: 10000 bytes of at most 50)",
      "big (policy small bounds what a run changes: 10000 bytes of at most 50)",
    ]);
    expect(world.run(run)).toMatchObject({ bytesWritten: 0, changed: new Map() });
    world.refresh();
    world.commandOf(run, 1, "b", "c", "d", "e");
    expect(world.trash().slice(2)).toEqual(
      ["b", "c", "d", "e"].map((path) => `${path} (policy small bounds what a run changes: 4 files of at most 3)`),
    );
    world.refresh();
    world.commandOf(run, 25, "b", "c");
    expect(world.trash()).toHaveLength(6);
    expect(world.run(run)).toMatchObject({ bytesWritten: 50 });
    // What counts already counts again with what it has grown by alone.
    world.refresh();
    world.commandOf(run, 25, "b");
    expect([...world.run(run).workspace.dirty.keys()]).toEqual(["b", "c"]);
    world.commandOf(run, 26, "b");
    expect([...world.run(run).workspace.dirty.keys()]).toEqual(["c"]);
  });

  test("[SC10] what a command changed and somebody else holds counts no more once it is set aside", () => {
    const world = made();
    world.policy("small", { maxBytes: 50 });
    world.claim("B", "file:taken");
    const run = world.started();
    world.commandOf(run, 30, "taken");
    expect(world.trash()).toEqual(["taken (somebody else holds it)"]);
    expect(world.begin(run, "write", ["file:mine"], { bytes: 50 })).toMatchObject({ state: "waiting" });
  });

  test("[SC10] what the door itself wrote was judged before, and stays where something else goes beyond the bounds", () => {
    const world = made();
    world.policy("small", { maxBytes: 50 });
    const run = world.started();
    world.begin(run, "write", ["file:a"], { bytes: 10 });
    world.refresh();
    const works = world.works(run, ["a", "in the background"]);
    world.finishCall(run, ["a"], works, { swept: [{ path: "in the background", bytes: 100 }] });
    expect(world.trash()).toEqual([
      "in the background (policy small bounds what a run changes: 110 bytes of at most 50)",
    ]);
    expect(world.run(run)).toMatchObject({ bytesWritten: 10 });
  });

  test("[SC10] what a sub-run that was cut off has left counts for its root, and is set aside where it goes beyond", () => {
    const world = made();
    world.policy("small", { maxBytes: 50 });
    const root = world.started();
    const leave = (bytes: number): void => {
      const sub = world.submit({ parent: root, sub: true });
      world.driven(sub);
      world.ok({ type: "run.terminate", select: { by: "run", run: sub }, because: "enough" });
      const swept = [{ path: "left", bytes }];
      world.ok({ type: "run.stopped", run: sub, works: world.works(root, ["left"]), swept }, "system");
      world.refresh();
    };
    leave(51);
    expect(world.trash()).toEqual(["left (policy small bounds what a run changes: 51 bytes of at most 50)"]);
    leave(50);
    expect(world.trash()).toHaveLength(1);
    expect(world.run(root)).toMatchObject({ bytesWritten: 50 });
  });

  test("[SC11] every decision names its policy, or says that it is built in", () => {
    const world = made();
    world.submit();
    expect(world.lastOf("run.submitted")).toMatchObject([{ policy: "built-in" }]);
    world.policy("rules", { deniedPaths: ["x"], approvalRequired: true, maxTimeMs: 60_000 });
    const run = world.started();
    world.refused(run, "write", ["file:x"]);
    expect(world.lastOf("call.refused")).toMatchObject([
      { code: "policy-denied", policy: "rules", what: "deniedPaths: x" },
    ]);
    world.write(run, "y");
    world.finish(run);
    expect(world.lastOf("run.moved").at(-1)).toMatchObject({ to: "review", policy: "rules" });
    expect(world.log.findLast((event) => event.type === "run.limited")).toMatchObject({ policy: "rules" });
  });

  test("[SC12] approval is asked for unless everything that changed is approved by itself", () => {
    const world = made();
    world.policy("look", { approvalRequired: true });
    world.policy("docs are fine", { autoApprove: ["docs/**", "*.md"] });
    const finish = (...paths: string[]): string => {
      const run = world.started();
      world.write(run, ...paths);
      world.finish(run);
      return run;
    };
    const fine = finish("docs/a/b", "README.md");
    expect(world.run(fine).state).toBe("landing");
    expect(world.lastOf("run.moved").at(-1)).toMatchObject({ policy: "docs are fine" });
    expect(world.run(finish("docs/c", "src/a")).state).toBe("review");
  });

  test("[RN14] a run that changed nothing is done, and nobody is asked, whatever the policies say", () => {
    const world = made();
    world.policy("look", { approvalRequired: true });
    const run = world.started();
    world.write(run, "a");
    world.begin(run, "write", ["file:a"]);
    world.finishCall(run, ["a"], [{ path: "a", base: null, work: null }]);
    world.finish(run);
    expect(world.run(run)).toMatchObject({ state: "done", because: "it changed nothing", approvedBy: null });
    expect(world.holdings()).toEqual([]);
  });

  test("[SC12] what sub-runs changed counts as well", () => {
    const world = made();
    world.policy("look", { approvalRequired: true, autoApprove: ["docs/**"] });
    const run = world.started();
    const sub = world.submit({ parent: run, sub: true });
    world.driven(sub);
    world.write(sub, "src/a");
    world.finish(sub);
    world.write(run, "docs/a");
    world.finish(run);
    expect(world.run(run).state).toBe("review");
  });

  test("[SC13] rules are read when they are needed", () => {
    const world = made();
    const run = world.started();
    world.policy("late", { claiming: "explicit", maxTimeMs: 1, approvalRequired: true, holdPatienceMs: null });
    expect(world.refused(run, "write", ["file:a"]).code).toBe("outside-lease");
    world.begin(run, "claim", ["file:a"]);
    world.refresh();
    world.finishCall(run);
    world.write(run, "a");
    // A limit is set at the start; this run had started.
    world.pass(1000);
    world.finish(run);
    expect(world.run(run).state).toBe("review");
    expect(world.state.table.families.get(`${run}.1`)).toMatchObject({ life: "hold", patienceMs: null });
  });

  test("[SC13] without a policy nothing is bounded, claiming is automatic and patience ten minutes", () => {
    const world = made();
    world.policy("look", { approvalRequired: true });
    const run = world.started();
    world.write(run, "a");
    expect(world.run(run)).toMatchObject({ limitAtMs: null, limitLeftMs: null });
    world.finish(run);
    expect(world.state.table.families.get(`${run}.1`)).toMatchObject({ patienceMs: 600_000 });
  });
});
