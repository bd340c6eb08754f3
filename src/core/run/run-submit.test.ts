import { describe, expect, test } from "vitest";
import { defaultRules } from "../policy/policy.ts";
import { CoreWorld, toProject, toSubmit } from "../../../test/support/core-world.ts";

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project();
  return world;
}

describe("submitting", () => {
  test("[RN1] adds a task and its first run, which starts when nothing is in the way", () => {
    const world = made();
    const run = world.submit({ title: "add rate limiting", tags: ["api"] });
    expect(world.last.map((event) => event.type)).toEqual([
      "task.added",
      "run.submitted",
      "family.opened",
      "run.claimed",
      "lease.granted",
      "run.moved",
    ]);
    expect(world.run(run)).toMatchObject({
      title: "add rate limiting",
      state: "starting",
      incarnation: 1,
      callsDone: 0,
    });
    expect(world.state.tasks.get(world.run(run).task)).toMatchObject({ runs: [run], cancelled: false });
    // The second event of this step added it.
    expect(run).toBe(`r_${world.last[1]?.seq.toString(36)}`);
  });

  test("[RN1] whatever is wrong is found before anything is recorded", () => {
    const world = made();
    world.policy("no", { deniedRunners: ["codex"], deniedPaths: ["secret/**"] });
    const refused = (more: Parameters<typeof toSubmit>[1]) => world.no(toSubmit(world.state, more));
    expect(refused({ project: "p_none" })).toMatchObject({ code: "not-found", kind: "project" });
    expect(refused({ parent: "r_none" })).toMatchObject({ code: "not-found", kind: "run", id: "r_none" });
    expect(refused({ sub: true })).toMatchObject({ code: "not-found", kind: "run" });
    expect(refused({ dependsOn: ["r_none"] })).toMatchObject({ code: "not-found", kind: "run" });
    expect(refused({ runner: "codex" })).toMatchObject({ code: "policy-denied", policy: "no", rule: "deniedRunners" });
    expect(refused({ plan: ["file:../a"] })).toMatchObject({ code: "bad-unit" });
    expect(refused({ plan: ["dir:secret"] })).toMatchObject({ code: "policy-denied", rule: "deniedPaths" });
    expect(world.state.tasks.size).toBe(0);
  });

  test("[RN2] the same key is the same run, also when it is over; another body is a mistake", () => {
    const world = made();
    const first = world.submit({ key: "k", title: "a" });
    expect(world.submit({ key: "k", title: "a" })).toBe(first);
    expect(world.last).toEqual([]);
    world.driven(first);
    world.complete(first);
    expect(world.submit({ key: "k", title: "a" })).toBe(first);
    expect(world.no(toSubmit(world.state, { key: "k", title: "b" }))).toEqual({
      code: "key-reused",
      key: "k",
      run: first,
      differs: ["title"],
    });
    const other = world.project();
    expect(world.submit({ key: "k", title: "a", project: other })).not.toBe(first);
    world.stopped(first);
    world.ok({ type: "run.remove", run: first });
    expect(world.submit({ key: "k", title: "b" })).not.toBe(first);
  });
});

describe("[RN2] a key that is known", () => {
  const whole = {
    key: "k",
    description: "long",
    acceptance: ["true"],
    tags: ["b", "a"],
    plan: ["file:b", "file:a"],
    script: "s",
    egress: "none",
    image: { name: "alpine" },
  } as const;

  test("stands for everything that was said, in whatever order", () => {
    const world = made();
    const first = world.submit(whole);
    expect(world.submit({ ...whole, tags: ["a", "b"], plan: ["file:a", "file:b"] })).toBe(first);
  });

  test.each([
    ["title", { title: "other" }],
    ["description", { description: "short" }],
    ["acceptance", { acceptance: null }],
    ["runner", { runner: "mcp" }],
    ["profile", { profile: "fast" }],
    ["node", { node: "blue" }],
    ["priority", { priority: 1 }],
    ["tags", { tags: ["a"] }],
    ["plan", { plan: ["file:a"] }],
    ["dependsOn", { dependsOn: ["r_none"] }],
    ["script", { script: "t" }],
    ["command", { command: ["true"] }],
    ["parent", { parent: "r_none" }],
    ["noCage", { noCage: true }],
    ["egress", { egress: null }],
    ["image", { image: "none" }],
    ["agent", { agent: "ag_none" }],
  ] as const)("is refused with another %s, which is named", (field, more) => {
    const world = made();
    const run = world.submit(whole);
    const refused = world.no(toSubmit(world.state, { ...whole, ...more }));
    expect(refused).toEqual({ code: "key-reused", key: "k", run, differs: [field] });
  });

  test("is that of its run also when another assistant has taken over", () => {
    const world = made();
    const profile = { name: "two", settings: { runner: "claude", fallbacks: ["codex"] } };
    world.ok({ type: "profile.set", profile, ensure: false });
    const said = { key: "k", runner: "claude", profile: "two" } as const;
    const run = world.started(said);
    const failure = { class: "auth", runner: "claude", life: 1, retryAfterMs: null, said: "" } as const;
    world.ok({ type: "run.finish", run, family: world.run(run).family, ok: false, message: "no key", failure });
    expect(world.run(run).runner).toBe("codex");
    expect(world.submit(said)).toBe(run);
    expect(world.no(toSubmit(world.state, { ...said, runner: "mcp" }))).toMatchObject({ differs: ["runner"] });
  });
});

describe("what runs start in turn", () => {
  const child = (world: CoreWorld, parent: string, more: object = {}): ReturnType<typeof toSubmit> =>
    toSubmit(world.state, { parent, ...more });

  test("[SC21] goes so many generations deep, sub-runs or not, and no further", () => {
    const world = new CoreWorld();
    world.project();
    world.policy("shallow", { maxDepth: 2 });
    const first = world.started();
    const second = world.id(child(world, first, { sub: true }));
    world.ok({ type: "run.driven", run: second, family: world.run(second).family });
    const third = world.id(child(world, second));
    expect(world.no(child(world, third))).toMatchObject({ code: "policy-denied", policy: "shallow", rule: "maxDepth" });
    expect(world.no(child(world, third, { sub: true, key: "k" }))).toMatchObject({ rule: "maxDepth" });
    world.id(child(world, first));
  });

  test("[SC21] is so many runs, those that are over too, until they are removed", () => {
    const world = new CoreWorld();
    world.project();
    world.policy("few", { maxTreeRuns: 2 });
    const first = world.started();
    const second = world.id(child(world, first));
    expect(world.no(child(world, second))).toMatchObject({ policy: "few", rule: "maxTreeRuns" });
    world.ok({ type: "run.terminate", select: { by: "run", run: second }, because: "enough" });
    expect(world.no(child(world, first))).toMatchObject({ rule: "maxTreeRuns" });
    world.started();
    world.ok({ type: "run.stopped", run: second, works: [] });
    world.ok({ type: "run.remove", run: second });
    world.id(child(world, first));
  });

  test("[SC21] has an end where nobody states one", () => {
    const world = new CoreWorld();
    world.project();
    let last = world.submit();
    for (let depth = 1; depth <= 8; depth++) last = world.id(child(world, last));
    expect(world.no(child(world, last))).toMatchObject({ policy: "built-in", rule: "maxDepth" });
    expect(defaultRules.maxTreeRuns).toBe(128);
  });
});

describe("projects", () => {
  test("a name and a root stand for one project", () => {
    const world = made();
    const again = toProject("x");
    expect(world.no({ ...again, name: "p0", root: "/x" })).toMatchObject({ code: "already-there", as: "/p0" });
    expect(world.no({ ...again, name: "x", root: "/p0/sub" })).toMatchObject({ code: "overlaps", name: "p0" });
    expect(world.no({ ...again, name: "x", root: "/" })).toMatchObject({ code: "overlaps" });
    expect(world.no({ ...again, name: "x", root: "/p0" })).toMatchObject({ code: "already-there", as: "p0" });
  });

  test("a project is removed when nobody works on it or holds a unit, and may come again", () => {
    const world = made();
    const [project = ""] = world.state.projects.keys();
    const run = world.started();
    expect(world.no({ type: "project.remove", project })).toMatchObject({ code: "in-use", by: run });
    world.complete(run);
    const claim = world.claim("A", "file:a");
    expect(world.no({ type: "project.remove", project })).toMatchObject({ code: "in-use", by: "A" });
    world.release(claim);
    world.ok({ type: "project.remove", project });
    expect(world.no({ type: "project.remove", project })).toMatchObject({ code: "not-found" });
    expect(world.no({ type: "project.change", project, foldCase: true })).toMatchObject({ code: "not-found" });
    expect(world.no(toSubmit(world.state))).toMatchObject({ code: "not-found" });
    expect(world.no({ type: "run.continue", run, message: "more" })).toMatchObject({
      code: "not-found",
      kind: "project",
    });
    world.ok({ ...toProject("p0"), foldCase: true });
  });
});
