import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import type { Work } from "../workspace/workspace-state.ts";

function world(): CoreWorld {
  const made = new CoreWorld();
  made.project();
  made.policy("look", { approvalRequired: true });
  return made;
}

/** A run that wrote `a`, early `b`, and what was changed after the first of these. */
function twoSteps(of: CoreWorld): { readonly run: string; readonly early: readonly Work[] } {
  const run = of.started();
  of.write(run, "a");
  const early = [...of.run(run).workspace.dirty.values()];
  of.write(run, "b");
  return { run, early };
}

function begin(of: CoreWorld, run: string, works: readonly Work[]): string {
  of.ok({ type: "run.rewind", run, step: 0, works });
  const act = of.pending().find((each) => each.type === "rewind");
  if (act === undefined) throw new Error("nobody is asked to take it back");
  return act.id;
}

const back = (works: Iterable<Work>): Work[] => [...works].map(({ path, base }) => ({ path, base, work: base }));

describe("rewind", () => {
  test("[LD34] what is given up goes to the trash, the run is told, and its leases stay", () => {
    const of = world();
    const { run, early } = twoSteps(of);
    of.ok({ type: "run.pause", run });
    const act = begin(of, run, early);
    const later = [...of.run(run).workspace.dirty.values()].filter(({ path }) => path === "b");
    of.ok({ type: "run.rewound", run, act, works: back(later), stayed: [], refused: null }, "system");
    expect(of.trash()).toEqual(["b (rewound to step 0)"]);
    expect([...of.run(run).workspace.dirty.values()]).toEqual(early);
    expect(of.run(run).messages.at(-1)).toContain("after step 0");
    expect(of.run(run)).toMatchObject({ state: "paused", rewinding: null });
    expect(of.holdings()).toEqual([`${run}: file:a file:b`]);
    expect(of.pending().filter(({ type }) => type === "rewind")).toEqual([]);
  });

  test("[LD12] what nobody had looked at is recorded before anything replaces it", () => {
    const of = world();
    const { run, early } = twoSteps(of);
    of.ok({ type: "run.pause", run });
    const act = begin(of, run, early);
    const works = [...of.run(run).workspace.dirty.values(), { path: "a", base: null, work: "100644:newer" }];
    of.ok({ type: "works.find", run, act, works }, "system");
    of.ok({ type: "run.rewound", run, act, works: early, stayed: [], refused: null }, "system");
    expect([...of.state.trash.values()].map(({ work }) => work)).toEqual(["100644:newer"]);
  });

  test("[LD35] it is refused at work, with a sub-run at work, and while one is under way", () => {
    const of = world();
    const { run, early } = twoSteps(of);
    const ask = { type: "run.rewind", run, step: 0, works: early } as const;
    expect(of.no(ask)).toMatchObject({ code: "wrong-state", wanted: "paused, waiting or in review" });
    const sub = of.submit({ parent: run, sub: true });
    of.driven(sub);
    const { family, callsDone: call } = of.run(run);
    of.ok({ type: "run.ask", run, family, call, text: "which?" });
    expect(of.no(ask)).toMatchObject({ code: "in-use", by: sub });
    of.finish(sub);
    of.ok(ask);
    expect(of.no(ask)).toMatchObject({ code: "in-use", by: "its rewind to step 0" });
  });

  test("[LD35] nothing acts in a workspace while it goes back, and nobody judges it", () => {
    const of = world();
    const { run, early } = twoSteps(of);
    of.finish(run);
    const act = begin(of, run, early);
    expect(of.no({ type: "run.approve", run, approved: null })).toMatchObject({ code: "in-use" });
    expect(of.no({ type: "run.return", run, message: "again" })).toMatchObject({ code: "in-use" });
    of.ok({ type: "run.rewound", run, act, works: [], stayed: [], refused: "no tree" }, "system");
    of.ok({ type: "run.return", run, message: "again" });
    of.begin(run, "read", []);
    expect(of.run(run).call?.started).toBe(true);
  });

  test("[LD35] a call that comes while a workspace goes back waits until it has", () => {
    const of = world();
    const { run, early } = twoSteps(of);
    of.ok({ type: "run.pause", run });
    const act = begin(of, run, early);
    of.ok({ type: "run.resume", run });
    expect(of.begin(run, "read", [])).toMatchObject({ state: "waiting" });
    of.ok({ type: "run.rewound", run, act, works: [], stayed: [], refused: null }, "system");
    expect(of.run(run).call?.started).toBe(true);
  });

  test("a report of a rewind that is over says nothing any more", () => {
    const of = world();
    const { run, early } = twoSteps(of);
    of.ok({ type: "run.pause", run });
    const act = begin(of, run, early);
    of.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    expect(of.trash()).toEqual(["a (its run is terminated)", "b (its run is terminated)"]);
    of.ok({ type: "run.rewound", run, act, works: back(early), stayed: [], refused: null }, "system");
    expect(of.last).toEqual([]);
    expect(of.no({ type: "works.find", run, act, works: [] }, "system").code).toBe("wrong-state");
  });
});

describe("fork", () => {
  test("[LD36] a fork begins with what was changed, carries it, and claims it as its plan", () => {
    const of = world();
    const { run, early } = twoSteps(of);
    const id = of.id({
      type: "run.fork",
      run,
      step: 0,
      runner: null,
      message: "without b",
      works: early,
      commit: "m0",
    });
    expect(of.run(id)).toMatchObject({
      task: of.run(run).task,
      plan: ["file:a"],
      fork: { run, step: 0, commit: "m0" },
    });
    expect([...of.run(id).workspace.dirty.values()]).toEqual(early);
    expect(of.run(id).messages).toEqual(["without b"]);
    expect(of.run(id).state).toBe("queued");
    of.ok({ type: "run.terminate", select: { by: "run", run }, because: "the other one goes on" });
    expect(of.run(id).state).toBe("starting");
    expect(of.holdings()).toEqual([`${id}: file:a`]);
  });

  test("[LD36] a script goes on after the step; another runner begins anew", () => {
    const of = world();
    const { run, early } = twoSteps(of);
    const fork = { type: "run.fork", run, step: 0, message: null, works: early, commit: "m0" } as const;
    const same = of.id({ ...fork, runner: null });
    const other = of.id({ ...fork, runner: "other" });
    expect(of.run(same).callsDone).toBe(of.run(run).script === null ? 0 : 1);
    expect(of.run(other)).toMatchObject({ runner: "other", callsDone: 0 });
  });

  test("[LD36] a policy that denies what is changed there denies the fork", () => {
    const of = world();
    const { run, early } = twoSteps(of);
    of.policy("closed", { deniedPaths: ["a"] });
    const fork = { type: "run.fork", run, step: 0, runner: null, message: null, works: early, commit: "m0" } as const;
    expect(of.no(fork)).toMatchObject({ code: "policy-denied", policy: "closed" });
  });
});
