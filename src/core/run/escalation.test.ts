import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";

const minuteMs = 60_000;

function asking(): { world: CoreWorld; run: string } {
  const world = new CoreWorld();
  world.project();
  const run = world.started();
  const { family } = world.run(run);
  world.ok({ type: "run.ask", run, family, call: 0, text: "which colour?" }, `agent:${run}`);
  return { world, run };
}

const toldIn = (world: CoreWorld): string[] =>
  world.log.flatMap((event) => (event.type === "run.escalated" ? [`${event.kind} ${event.policy}`] : []));

test("[RN36] a question that nobody answers for an hour is escalated, once; the next one anew", () => {
  const { world, run } = asking();
  world.passWithBeats(60 * minuteMs - 1);
  expect(toldIn(world)).toEqual([]);
  world.pass(1);
  expect(toldIn(world)).toEqual(["question built-in"]);
  world.passWithBeats(120 * minuteMs);
  expect(toldIn(world)).toHaveLength(1);
  world.ok({ type: "run.answer", run, text: "blue" });
  const { family } = world.run(run);
  world.ok({ type: "run.ask", run, family, call: 1, text: "and the door?" }, `agent:${run}`);
  world.passWithBeats(60 * minuteMs);
  expect(toldIn(world)).toEqual(["question built-in", "question built-in"]);
  expect(world.run(run).state).toBe("awaiting-input");
});

test("[RN36] a failure is escalated after the run is over, unless somebody has seen it or tries again", () => {
  const fail = (world: CoreWorld): string => {
    const run = world.started();
    const { family } = world.run(run);
    world.ok({ type: "run.finish", run, family, ok: false, message: "no" }, `agent:${run}`);
    return run;
  };
  const world = new CoreWorld();
  world.project();
  const [left, seen, retried] = [fail(world), fail(world), fail(world)];
  world.ok({ type: "run.see", run: seen, undo: false });
  world.ok({ type: "run.retry", run: retried });
  world.passWithBeats(60 * minuteMs);
  const told = world.log.filter((event) => event.type === "run.escalated");
  expect(told).toMatchObject([{ run: left, kind: "failure" }]);
});

test("[RN36] a failure counts again when whoever tried again is removed", () => {
  const world = new CoreWorld();
  world.project();
  const run = world.started();
  const { family } = world.run(run);
  world.ok({ type: "run.finish", run, family, ok: false, message: "no" }, `agent:${run}`);
  const again = world.id({ type: "run.retry", run });
  world.ok({ type: "run.terminate", select: { by: "run", run: again }, because: "enough" });
  world.stopped(again);
  world.passWithBeats(60 * minuteMs);
  expect(toldIn(world)).toEqual([]);
  world.ok({ type: "run.remove", run: again });
  world.pass(1);
  expect(toldIn(world)).toEqual(["failure built-in"]);
});

test("[RN36, SC13] policies say after how long, or never, from the moment on in which they change", () => {
  const { world } = asking();
  world.policy("calm", { escalateAfterMs: null });
  world.passWithBeats(180 * minuteMs);
  expect(toldIn(world)).toEqual([]);
  world.policy("calm", { escalateAfterMs: 5 * minuteMs });
  world.pass(1);
  expect(toldIn(world)).toEqual(["question calm"]);
});

test("[RN36] what is stuck is escalated like everything else; who waits for its model is not", () => {
  const world = new CoreWorld();
  world.project();
  world.policy("strict", { stuckAfterMs: minuteMs, escalateAfterMs: 2 * minuteMs });
  const [silent, waiting] = [world.started({ runner: "claude" }), world.started({ runner: "claude" })];
  const { family } = world.run(waiting);
  const failure = { class: "rate-limit", runner: "claude", life: 1, retryAfterMs: 3_600_000, said: "" } as const;
  world.ok({ type: "run.finish", run: waiting, family, ok: false, message: "wait", failure }, `agent:${waiting}`);
  world.passWithBeats(4 * minuteMs);
  const told = world.log.filter((event) => event.type === "run.escalated");
  expect(told).toMatchObject([{ run: silent, kind: "stuck", policy: "strict" }]);
});
