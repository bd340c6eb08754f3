import { describe, expect, test } from "vitest";
import { CoreWorld, toRefreshed } from "../../test/support/core-world.ts";

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project();
  return world;
}

const names = (acts: readonly { readonly id: string }[]): string[] => acts.map((act) => act.id);

describe("acts", () => {
  test("[RN24] what follows from events is what is pending after a restart, under the same names", () => {
    const world = made();
    const run = world.submit({ plan: ["file:a"], acceptance: ["true"] });
    const claim = world.lastOf("lease.granted")[0]?.claim ?? "";
    expect(names(world.acts())).toEqual([`refresh:${claim}`, `drive:${run}:${run}.1@0`]);
    expect(names(world.pending())).toEqual(names(world.acts()));
    world.refresh();
    world.driven(run);
    expect(names(world.pending())).toEqual([`drive:${run}:${run}.1@0`]);
    world.write(run, "a");
    world.finish(run);
    expect(names(world.acts())).toEqual([`validate:${run}@${world.run(run).sinceSeq}`]);
    expect(names(world.pending())).toEqual(names(world.acts()));
    world.ok({ type: "run.validated", run, ok: true, message: "" }, "system");
    expect(names(world.pending())).toEqual([`land:${run}@${world.run(run).sinceSeq}`]);
    world.landed(run);
    expect(names(world.pending())).toEqual([`stop:${run}@${world.run(run).sinceSeq}`]);
    expect(names(world.acts())).toEqual(names(world.pending()));
    world.stopped(run);
    expect(world.pending()).toEqual([]);
  });

  test("[RN24] a run and its sub-run are driven each under its own name", () => {
    const world = made();
    const run = world.started();
    const sub = world.submit({ parent: run, sub: true });
    expect(names(world.pending())).toEqual([`drive:${run}:${run}.1@0`, `drive:${sub}:${run}.1@0`]);
  });

  test("[RN24] nothing is to be done for who waits, is lost, or was never started", () => {
    const world = made();
    world.claim("A", "file:a");
    world.submit({ plan: ["file:a"] });
    expect(world.pending()).toEqual([]);
    const run = world.started();
    world.pass(30_000);
    expect(world.run(run).lost).toBe(true);
    expect(world.pending()).toEqual([]);
  });

  test("[RN25] an outcome that names its act counts for no later one", () => {
    const world = made();
    const run = world.started({ acceptance: ["true"] });
    world.write(run, "a");
    world.finish(run);
    const old = world.pending()[0]?.id;
    world.ok({ type: "run.validated", run, ok: false, message: "no" }, "system");
    world.finish(run);
    world.ok({ type: "run.validated", run, ok: true, message: "", act: old }, "system");
    expect(world.run(run).state).toBe("validating");
    world.ok({ type: "run.validated", run, ok: true, message: "", act: world.pending()[0]?.id }, "system");
    expect(world.run(run).state).toBe("landing");
  });

  test("[RN25] a proof that is late says nothing about a second end", () => {
    const world = made();
    const run = world.started();
    world.complete(run);
    const act = world.pending()[0]?.id;
    world.ok({ type: "run.continue", run, message: "more" });
    world.finish(run, false, "broke");
    world.ok({ type: "run.stopped", run, act, works: [] }, "system");
    expect(world.run(run).stopped).toBe(false);
  });

  test("[RN25] reports for a run that went elsewhere change nothing", () => {
    const world = made();
    const run = world.started();
    const { family } = world.run(run);
    for (const input of [
      { type: "run.driven", run, family } as const,
      { type: "run.back", run } as const,
      { type: "run.validated", run, ok: true, message: "" } as const,
      { type: "run.landed", run, how: "back", message: "" } as const,
      { type: "run.stopped", run, works: [] } as const,
    ]) {
      world.ok(input, "system");
      expect(world.last).toEqual([]);
      expect(world.no({ ...input, run: "r_none" }, "system")).toMatchObject({ code: "not-found" });
    }
    expect(world.no(toRefreshed("c_none"))).toMatchObject({ code: "not-found" });
  });
});
