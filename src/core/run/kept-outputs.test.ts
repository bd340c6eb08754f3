import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { fromPlain, toPlain } from "../snapshot.ts";
import { outputsToForget } from "./kept-outputs.ts";

const dayMs = 86_400_000;
const giga = 1024 ** 3;

/** Three runs that ended a day apart, and one that has not. */
function made(): { world: CoreWorld; project: string; runs: string[]; toForget: (bytes: number) => string[] } {
  const world = new CoreWorld({ checkEvery: 20 });
  const project = world.project();
  const runs = [3, 2, 1, 0].map((days) => {
    const run = world.started({ project });
    if (days === 0) return run;
    world.finish(run);
    world.stopped(run);
    world.pass(dayMs);
    return run;
  });
  const toForget = (bytes: number): string[] =>
    outputsToForget(world.state, new Map(runs.map((id) => [id, bytes] as const)), world.nowMs).map(
      ({ run, because }) => `${runs.indexOf(run)} ${because}`,
    );
  return { world, project, runs, toForget };
}

describe("what is kept of what runs have said", () => {
  test("[RN50] where nobody says anything else, thirty days and eight gibibytes", () => {
    const { world, toForget } = made();
    expect(toForget(giga)).toEqual([]);
    expect(toForget(3 * giga)).toEqual(["0 size", "1 size"]);
    world.pass(28 * dayMs);
    expect(toForget(1)).toEqual(["0 age"]);
  });

  test("[RN50] as policies of its project say, and not as one that a model may set", () => {
    const { world, project, toForget } = made();
    world.policy("elsewhere", { outputDays: 0 }, { project: world.project() });
    world.policy("of a model", { outputDays: 0 }, {}, -1);
    expect(toForget(1)).toEqual([]);
    world.policy("short", { outputDays: 2 }, { project });
    expect(toForget(1)).toEqual(["0 age"]);
    world.policy("small", { outputBytes: 20 }, { project });
    expect(toForget(10)).toEqual(["0 age", "1 size"]);
    // Nothing is won by what takes nothing, and what is at work stays, whatever it takes.
    world.policy("nothing", { outputDays: 0, outputBytes: 0 }, { project }, 5);
    expect([toForget(0), toForget(10)]).toEqual([[], ["0 age", "1 age", "2 age"]]);
  });

  /** Each ends a second after the one before, unless it is at work, and takes so much. */
  function sized(world: CoreWorld, sizes: readonly number[], atWork: readonly number[] = []) {
    const runs = sizes.map((_, at) => {
      const run = world.started();
      world.pass(1000);
      if (atWork.includes(at)) return run;
      world.finish(run);
      world.stopped(run);
      return run;
    });
    const bytesOf = new Map(runs.map((run, at) => [run, sizes[at] ?? 0] as const));
    const toForget = (): number[] =>
      outputsToForget(world.state, bytesOf, world.nowMs).map(({ run }) => runs.indexOf(run));
    return { runs, bytesOf, toForget };
  }

  test("[RN50] whoever has most of it makes room, and nobody else for what cannot go", () => {
    const world = new CoreWorld({ checkEvery: 20 });
    world.project();
    world.policy("hundred", { outputBytes: 100 });
    const { runs, bytesOf, toForget } = sized(world, [10, 10, 90, 10, 0], [4]);
    expect(toForget()).toEqual([2]);
    const [, , , , noisy = ""] = runs;
    bytesOf.set(runs[2] ?? "", 10);
    bytesOf.set(noisy, 500);
    expect(toForget()).toEqual([]);
    // What it has begun is charged to it, too, and stays while it may ask for it.
    const within = world.started({ parent: noisy });
    bytesOf.set(within, 500);
    world.finish(within);
    world.stopped(within);
    expect(toForget()).toEqual([]);
    world.pass(1000);
    world.finish(noisy);
    world.stopped(noisy);
    expect(outputsToForget(world.state, bytesOf, world.nowMs).map(({ run }) => run)).toEqual([within, noisy]);
  });

  test("[RN50] of a failure that nobody has seen it goes last, unless that takes a quarter of it all", () => {
    const world = new CoreWorld({ checkEvery: 20 });
    world.project();
    world.policy("hundred", { outputBytes: 100 });
    const failed = [20, 90].map((bytes) => {
      const run = world.started();
      world.finish(run, false, "it broke");
      world.stopped(run);
      return [run, bytes] as const;
    });
    const { bytesOf } = sized(world, [10, 10, 10]);
    const toForget = (): string[] =>
      outputsToForget(world.state, new Map([...failed, ...bytesOf]), world.nowMs).map(({ run }) => run);
    const [[small], [flood]] = failed as [readonly [string, number], readonly [string, number]];
    expect(toForget()).toEqual([flood]);
    world.policy("eighty", { outputBytes: 40 }, {}, 5);
    world.ok({ type: "run.see", run: flood, undo: false });
    const three = [...bytesOf.keys()];
    expect(toForget()).toEqual([small, flood]);
    world.policy("eighty", { outputBytes: 80 }, {}, 5);
    for (const run of three) bytesOf.set(run, 25);
    expect(toForget()).toEqual([flood, three[0]]);
    world.ok({ type: "run.see", run: small, undo: false });
    for (const run of three) bytesOf.set(run, 20);
    bytesOf.set(three[2] ?? "", 25);
    expect(toForget()).toEqual([flood, three[2]]);
  });

  test("[RN50] what others may still ask for stays: of a review, of all that stem from one run, and of whom one waits for", () => {
    const { world, project, runs, toForget } = made();
    const [first = "", second = "", third = "", living = ""] = runs;
    world.policy("nothing", { outputDays: 0, outputBytes: 0 });
    const waiting = world.submit({ project, dependsOn: [second], units: ["file:held"] } as never);
    expect(toForget(10)).toEqual(["0 age", "2 age"]);
    expect(world.no({ type: "outputs.forget", run: second, because: "age", files: 1, bytes: 1 }, "system")).toEqual({
      ...{ code: "in-use", kind: "outputs of", id: second, by: "runs that are not over" },
    });
    expect(world.no({ type: "outputs.forget", run: living, because: "age", files: 1, bytes: 1 })).toMatchObject({
      code: "in-use",
    });
    expect(world.no({ type: "outputs.forget", run: "r_none", because: "age", files: 1, bytes: 1 })).toMatchObject({
      code: "not-found",
    });
    expect([first, third, waiting].every((id) => world.state.runs.has(id))).toBe(true);
  });

  test("[RN50] what went is in the log, is known of its run, and again when it has said more", () => {
    const { world, runs } = made();
    const [run = ""] = runs;
    expect(world.run(run).outputsGone).toBeNull();
    world.ok({ type: "outputs.forget", run, because: "size", files: 2, bytes: 30 }, "system");
    expect(world.last).toMatchObject([{ type: "outputs.forgotten", v: 1, run, because: "size", files: 2, bytes: 30 }]);
    const gone = { atMs: world.nowMs, because: "size", sinceSeq: world.run(run).sinceSeq };
    expect(world.run(run).outputsGone).toEqual(gone);
    expect(fromPlain(toPlain(world.state)).runs.get(run)?.outputsGone).toEqual(gone);
  });
});
