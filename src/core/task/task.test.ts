import { describe, expect, test } from "vitest";
import { CoreWorld, toSubmit } from "../../../test/support/core-world.ts";
import type { Input } from "../inputs.ts";
import { attachmentsMax } from "./task-decide.ts";
import type { Task } from "./task-state.ts";

type AddTask = Extract<Input, { type: "task.add" }>;

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project();
  return world;
}

function toAdd(world: CoreWorld, more: Partial<AddTask> = {}): AddTask {
  const [project = ""] = world.state.projects.keys();
  const words = { title: "limit", description: "", acceptance: null, scope: null };
  return { type: "task.add", project, ...words, attachments: [], key: null, ...more };
}

const taskOf = (world: CoreWorld, id: string): Task | undefined => world.state.tasks.get(id);
const note = (name: string, text = "n"): Task["attachments"][number] => ({ kind: "note", name, text });

describe("a task", () => {
  test("[TK1] is made, changed and removed as a thing of its own, and stays without a run", () => {
    const world = made();
    const task = world.id(toAdd(world, { scope: ["./src//api/", "docs", "docs"] }));
    expect(taskOf(world, task)).toMatchObject({ title: "limit", scope: ["docs", "src/api"], kept: true, runs: [] });
    world.ok({ type: "task.change", task, words: { title: "limits", acceptance: ["true"] } });
    expect(taskOf(world, task)).toMatchObject({ title: "limits", acceptance: ["true"], scope: ["docs", "src/api"] });
    world.ok({ type: "task.change", task, words: { title: "limits" } });
    expect(world.last).toEqual([]);
    world.ok({ type: "task.change", task, words: { acceptance: null } });
    const run = world.started({ task });
    expect(world.no({ type: "task.remove", task })).toMatchObject({ code: "in-use", by: run });
    world.complete(run);
    world.stopped(run);
    world.ok({ type: "run.remove", run });
    expect(taskOf(world, task)).toMatchObject({ runs: [] });
    world.ok({ type: "task.remove", task });
    expect(taskOf(world, task)).toBeUndefined();
    expect(world.no(toAdd(world, { scope: ["../x"] }))).toEqual({
      ...{ code: "bad-scope", path: "../x", why: "the path leaves the project" },
    });
    expect(world.no(toAdd(world, { project: "p_none" }))).toMatchObject({ code: "not-found" });
    expect(world.no({ type: "task.change", task, words: {} })).toMatchObject({ code: "not-found", kind: "task" });
  });

  test("[TK2] the same key is the same task, also after it was changed; another body is a mistake", () => {
    const world = made();
    const task = world.id(toAdd(world, { key: "k", attachments: [note("a")] }));
    world.ok({ type: "task.change", task, words: { title: "other" } });
    world.ok({ type: "task.detach", task, name: "a" });
    expect(world.id(toAdd(world, { key: "k", attachments: [note("a")] }))).toBe(task);
    expect(world.no(toAdd(world, { key: "k" }))).toEqual({ code: "key-reused", key: "k" });
  });

  test("[TK3] is run once or often, in its own words; not when it was cancelled, nor in another project", () => {
    const world = made();
    const task = world.id(toAdd(world, { acceptance: ["true"] }));
    const first = world.started({ task, title: "limit", key: "k" });
    expect(world.run(first)).toMatchObject({ task, title: "limit" });
    const second = world.started({ task });
    expect(taskOf(world, task)?.runs).toEqual([first, second]);
    world.finish(second);
    expect(world.run(second).state).toBe("validating");
    world.ok({ type: "task.change", task, words: { title: "limits" } });
    expect(world.submit({ task, title: "limit", key: "k" })).toBe(first);
    expect(world.no(toSubmit(world.state, { key: "k", title: "limit" }))).toMatchObject({ differs: ["task"] });
    const other = world.project();
    expect(world.no(toSubmit(world.state, { task, project: other }))).toMatchObject({ code: "not-found", id: task });
    world.ok({ type: "task.cancel", task });
    expect(world.no(toSubmit(world.state, { task }))).toEqual({ code: "task-cancelled", task });
  });

  test("[TK3] a run whose words came along is found by its key, also after somebody changed them", () => {
    const world = made();
    const run = world.submit({ key: "k", scope: ["src/"], description: "long" });
    expect(world.submit({ key: "k", scope: ["src"], description: "long" })).toBe(run);
    const differs = world.no(toSubmit(world.state, { key: "k", scope: ["lib"], description: "long" }));
    expect(differs).toMatchObject({ differs: ["scope"] });
    world.ok({ type: "task.change", task: world.run(run).task, words: { scope: ["lib"] } });
    expect(world.submit({ key: "k", scope: ["src"], description: "long" })).toBe(run);
  });

  test("[TK4] something comes along under a name, in the place of what had it; not without end", () => {
    const world = made();
    const task = world.id(toAdd(world, { attachments: [note("a"), note("b"), note("a", "new")] }));
    world.ok({ type: "task.attach", task, attachment: note("b", "other") });
    world.ok({ type: "task.attach", task, attachment: note("b", "other") });
    expect(world.last).toEqual([]);
    expect(taskOf(world, task)?.attachments).toEqual([note("a", "new"), note("b", "other")]);
    for (let at = 2; at < attachmentsMax; at++) world.ok({ type: "task.attach", task, attachment: note(`n${at}`) });
    const more = world.no({ type: "task.attach", task, attachment: note("x") });
    expect(more).toEqual({ code: "attachments-full", task, most: attachmentsMax });
    world.ok({ type: "task.attach", task, attachment: note("b", "again") });
    world.ok({ type: "task.detach", task, name: "b" });
    expect(world.no({ type: "task.detach", task, name: "b" })).toMatchObject({ code: "not-found", kind: "attachment" });
  });

  test("[TK10] a model makes tasks, and changes none that a person made or that a run is held to", () => {
    const world = made();
    const own = world.id(toAdd(world));
    const change = (task: string, actor: string): Parameters<CoreWorld["give"]> => [
      { type: "task.change", task, words: { scope: ["lib"] } },
      actor,
    ];
    expect(world.no(...change(own, "agent:mcp"))).toMatchObject({ code: "forbidden" });
    expect(world.no({ type: "task.attach", task: own, attachment: note("a") }, "agent:r_1")).toMatchObject({
      code: "forbidden",
    });
    for (const type of ["task.remove", "task.cancel"] as const)
      expect(world.no({ type, task: own }, "agent:mcp")).toMatchObject({ code: "forbidden" });
    const answer = world.ok(toAdd(world, { scope: ["src"] }), "agent:mcp");
    const theirs = answer.of === "id" ? answer.id : "";
    world.ok(...change(theirs, "agent:mcp"));
    world.started({ task: theirs });
    expect(world.no(...change(theirs, "agent:mcp"))).toMatchObject({ code: "forbidden" });
    const other = world.ok(toAdd(world, { scope: ["src"] }), "agent:mcp");
    world.ok({ type: "task.cancel", task: other.of === "id" ? other.id : "" }, "agent:mcp");
    // Whatever a person has said of it stays said.
    world.ok({ type: "task.change", task: theirs, words: { scope: ["docs"] } });
    expect(world.no({ type: "task.cancel", task: theirs }, "agent:mcp")).toMatchObject({ code: "forbidden" });
  });
});

describe("a scope", () => {
  test("[TK6] refuses what is planned, claimed or written outside of it, with the scope that says so", () => {
    const world = made();
    expect(world.no(toSubmit(world.state, { scope: ["src"], plan: ["dir:lib"] }))).toEqual({
      code: "outside-scope",
      path: "lib",
      scope: ["src"],
    });
    const run = world.started({ scope: ["src/api", "a.md"], plan: ["dir:src/api/v1"] });
    world.write(run, "src/api/v1/x", "a.md");
    const outside = { code: "outside-scope", scope: ["a.md", "src/api"] };
    expect(world.refused(run, "claim", ["dir:src"])).toMatchObject({ ...outside, path: "src" });
    expect(world.refused(run, "write", ["file:src/api/y", "file:src/other"])).toMatchObject({
      ...outside,
      path: "src/other",
    });
    // A driver that did not hear of it is told the same.
    expect(world.refused(run, "write", ["file:src/other"], { call: world.run(run).callsDone - 1 })).toMatchObject(
      outside,
    );
    expect(world.begin(run, "read").state).toBe("go");
    world.finishCall(run);
    expect(world.refused(run, "write", ["file:A.md"])).toMatchObject({ code: "outside-scope" });
  });

  test("[TK6] names are compared as the project compares them, and a dot is everything", () => {
    const world = new CoreWorld();
    world.project({ foldCase: true });
    const run = world.started({ scope: ["SRC"] });
    world.write(run, "src/a");
    const all = world.started({ scope: ["."] });
    world.write(all, "lib/a");
    expect(world.state.tasks.get(world.run(all).task)?.scope).toEqual([""]);
  });

  test("[TK7] what a command changed outside of it is set aside, also where a sub-run acts under wider leases", () => {
    const world = made();
    const run = world.started({ plan: ["dir:src"] });
    const sub = world.started({ parent: run, sub: true, scope: ["src/a"] });
    world.command(sub, "src/a/x", "src/b", "lib");
    expect(world.trash()).toEqual([
      "src/b (it is outside the scope of its task)",
      "lib (it is outside the scope of its task)",
    ]);
    expect([...world.run(run).workspace.dirty.keys()]).toEqual(["src/a/x"]);
  });

  test("[TK8] binds every run that a bound one starts, and whoever tries again, forks or continues", () => {
    const world = made();
    const run = world.started({ scope: ["src"] });
    const start = (more: Parameters<typeof toSubmit>[1]): Input => toSubmit(world.state, { parent: run, ...more });
    expect(world.no(start({ scope: ["lib"] }))).toEqual({ code: "outside-scope", path: "lib", scope: ["src"] });
    const wide = world.id(toAdd(world, { scope: ["src/a", "lib"] }));
    expect(world.no(start({ task: wide }))).toMatchObject({ code: "outside-scope", path: "lib" });
    const child = world.started({ parent: run });
    expect(world.refused(child, "write", ["file:lib/a"])).toMatchObject({ code: "outside-scope", scope: ["src"] });
    const narrow = world.started({ parent: run, scope: ["src/a"] });
    const grandchild = world.started({ parent: narrow });
    expect(world.refused(grandchild, "write", ["file:src/b"])).toMatchObject({ scope: ["src/a"] });
    // Whatever its own task comes to say, and when nothing is left of whoever started it.
    world.ok({ type: "task.change", task: world.run(child).task, words: { scope: ["lib"] } });
    world.ok({ type: "run.terminate", select: { by: "run", run: child }, because: "enough" });
    world.stopped(child);
    world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    world.stopped(run);
    world.ok({ type: "run.remove", run });
    const again = world.id({ type: "run.retry", run: child });
    world.driven(again);
    expect(world.refused(again, "write", ["file:lib/a"])).toMatchObject({ code: "outside-scope", scope: ["src"] });
    const works = world.works(again, ["lib/a"]);
    const forked: Input = { type: "run.fork", run: again, step: 0, runner: null, message: null, works, commit: "m0" };
    expect(world.no(forked)).toMatchObject({ code: "outside-scope" });
    const fork = world.id({ ...forked, works: [] });
    expect(world.run(fork).within).toEqual(["src"]);
  });

  test("[TK8] a run that is continued is held to what its task says then", () => {
    const world = made();
    const run = world.started({ scope: ["src"] });
    world.complete(run);
    world.stopped(run);
    world.ok({ type: "task.change", task: world.run(run).task, words: { scope: ["lib"] } });
    world.ok({ type: "run.continue", run, message: "more" });
    world.driven(run);
    expect(world.refused(run, "write", ["file:src/a"])).toMatchObject({ code: "outside-scope", scope: ["lib"] });
    world.write(run, "lib/a");
  });

  test("[TK9] a result that its task does not want any more waits for a person, and is not approved as it is", () => {
    const world = made();
    const run = world.started();
    const { task } = world.run(run);
    world.write(run, "lib/a", "src/a");
    world.ok({ type: "task.change", task, words: { scope: ["src"] } });
    world.finish(run);
    expect(world.run(run)).toMatchObject({ state: "review", because: "lib/a is outside the scope of its task" });
    const refusal = world.no({ type: "run.approve", run, approved: null });
    expect(refusal).toEqual({ code: "outside-scope", path: "lib/a", scope: ["src"] });
    world.ok({ type: "task.change", task, words: { scope: null } });
    world.ok({ type: "run.approve", run, approved: null });
    expect(world.run(run).state).toBe("landing");
  });
});
