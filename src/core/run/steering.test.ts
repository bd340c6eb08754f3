import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project({ processes: { test: { argv: ["t"], scope: "project" } } });
  return world;
}

const only = (run: string) => ({ by: "run", run }) as const;

describe("pause and resume", () => {
  test("[RN8] pausing returns the slot, keeps the leases and takes the sub-runs along", () => {
    const world = made();
    world.claim("A", "file:x");
    const run = world.started({ plan: ["file:a"] });
    const sub = world.submit({ parent: run, sub: true });
    world.driven(sub);
    world.begin(sub, "write", ["file:x"]);
    world.ok({ type: "run.pause", run });
    expect([world.run(run).state, world.run(sub).state]).toEqual(["paused", "paused"]);
    expect(world.state.slots.size).toBe(0);
    expect(world.holdings()).toContain(`${run}: file:a`);
    expect(world.run(sub).call).toMatchObject({ claim: null, started: false });
    world.ok({ type: "run.pause", run });
    expect(world.last).toEqual([]);
    world.pass(1e7);
    world.ok({ type: "engine.open", version: "2", wallMs: 0 }, "system");
    expect(world.run(run).state).toBe("paused");
    world.ok({ type: "run.resume", run });
    expect([world.run(run).state, world.run(sub).state]).toEqual(["running", "running"]);
  });

  test("[RN8] a call that was started goes on, and its outcome is taken while paused", () => {
    const world = made();
    const run = world.started();
    world.begin(run, "process", ["process:test"]);
    world.ok({ type: "run.pause", run });
    expect(world.holdings()).toEqual([`${run}: process:test`]);
    world.finishCall(run);
    expect(world.run(run)).toMatchObject({ state: "paused", call: null, callsDone: 1 });
    expect(world.holdings()).toEqual([]);
  });

  test("[RN8] a sub-run is paused alone, and the family stays live", () => {
    const world = made();
    world.claim("A", "file:x");
    const run = world.started();
    const sub = world.submit({ parent: run, sub: true });
    world.driven(sub);
    world.begin(sub, "write", ["file:x"]);
    const claim = world.run(sub).call?.claim ?? "";
    world.ok({ type: "run.pause", run: sub });
    expect(world.stateOf(claim)).toBe("paused");
    expect([world.run(run).state, world.run(sub).state]).toEqual(["running", "paused"]);
    world.ok({ type: "run.resume", run: sub });
    expect(world.run(sub).state).toBe("parked");
  });

  test("[RN8] what is being judged, landed or over is not paused", () => {
    const world = made();
    world.policy("look", { approvalRequired: true });
    const run = world.started();
    world.write(run, "a");
    world.finish(run);
    expect(world.no({ type: "run.pause", run })).toMatchObject({ code: "wrong-state", state: "review" });
    world.ok({ type: "run.approve", run, approved: null });
    expect(world.no({ type: "run.pause", run })).toMatchObject({ code: "wrong-state", state: "landing" });
    expect(world.no({ type: "run.pause", run: "r_none" })).toMatchObject({ code: "not-found" });
  });

  test("[RN9] resuming leads back to where the run was", () => {
    const world = made();
    const first = world.started();
    const queued = world.submit({ dependsOn: [first] });
    world.ok({ type: "run.pause", run: queued });
    world.ok({ type: "run.resume", run: queued });
    expect(world.run(queued).state).toBe("queued");
    const { family, callsDone: call } = world.run(first);
    world.ok({ type: "run.ask", run: first, family, call, text: "which?" });
    world.ok({ type: "run.pause", run: first });
    world.ok({ type: "run.resume", run: first });
    expect(world.run(first)).toMatchObject({ state: "awaiting-input", because: "which?" });
    expect(world.no({ type: "run.resume", run: first })).toMatchObject({ code: "wrong-state" });
    const starting = world.submit();
    world.ok({ type: "run.pause", run: starting });
    world.ok({ type: "run.resume", run: starting });
    expect(world.run(starting).state).toBe("running");
    const told = world.log.length;
    world.ok({ type: "run.resume", run: starting });
    expect(world.log).toHaveLength(told);
  });

  test("[RN9] a sub-run is not resumed before its parent", () => {
    const world = made();
    const run = world.started();
    const sub = world.submit({ parent: run, sub: true });
    world.ok({ type: "run.pause", run });
    expect(world.no({ type: "run.resume", run: sub })).toMatchObject({
      code: "wrong-state",
      run,
      wanted: "resumed first",
    });
  });

  test("[RN9] a call that would close a circle by now is refused, and the run goes on", () => {
    const world = made();
    world.claim("B", "file:b");
    const run = world.started({ plan: ["file:a"] });
    world.begin(run, "write", ["file:b"]);
    world.ok({ type: "run.pause", run });
    world.claim("B", "file:a");
    world.ok({ type: "run.resume", run });
    expect(world.run(run)).toMatchObject({ state: "running", call: null, refused: { code: "deadlock" } });
    expect(world.lastOf("call.refused")).toMatchObject([{ what: expect.stringContaining("waits for") as string }]);
  });

  test("[RN9] a process that waited when its run was paused is still taken for its call alone", () => {
    const world = made();
    const a = world.claim("A", "process:test");
    const run = world.started();
    world.begin(run, "process", ["process:test"]);
    world.ok({ type: "run.pause", run });
    world.ok({ type: "run.resume", run });
    world.release(a);
    expect(world.run(run).call).toMatchObject({ started: true, taken: "process:test" });
    world.finishCall(run);
    expect(world.holdings()).toEqual([]);
  });
});

describe("ending", () => {
  test("[RN10] terminating one, a tag, or all; of one project or every one", () => {
    const world = made();
    const other = world.project();
    const runs = [
      world.submit({ tags: ["x"] }),
      world.submit({ tags: ["y"] }),
      world.submit({ tags: ["x"], project: other }),
      world.submit(),
    ] as const;
    const end = (select: Parameters<CoreWorld["ok"]>[0] & { type: "run.terminate" }) => world.ok(select);
    const terminate = (select: Extract<Parameters<CoreWorld["ok"]>[0], { type: "run.terminate" }>["select"]) =>
      end({ type: "run.terminate", select, because: "enough" });
    expect(terminate({ by: "tag", tag: "x", project: other })).toEqual({ of: "ids", ids: [runs[2]] });
    expect(terminate({ by: "tag", tag: "x", project: null })).toEqual({ of: "ids", ids: [runs[0]] });
    expect(terminate(only(runs[1]))).toEqual({ of: "ids", ids: [runs[1]] });
    expect(terminate({ by: "all", project: null })).toEqual({ of: "ids", ids: [runs[3]] });
    expect(terminate({ by: "all", project: null })).toEqual({ of: "ids", ids: [] });
    const again = { type: "run.terminate", because: "" } as const;
    expect(world.no({ ...again, select: only(runs[0]) })).toMatchObject({ code: "wrong-state", state: "terminated" });
    expect(world.no({ ...again, select: only("r_none") })).toMatchObject({ code: "not-found" });
  });

  test("[RN10] it ends waiting claims and leases at once, and asks the node to stop everything", () => {
    const world = made();
    world.claim("A", "file:x");
    const run = world.started({ plan: ["file:a"] });
    world.begin(run, "write", ["file:x"]);
    const waiting = world.run(run).call?.claim ?? "";
    world.ok({ type: "run.terminate", select: only(run), because: "enough" });
    expect(world.stateOf(waiting)).toBe("holder-gone");
    expect(world.holdings()).toEqual(["A: file:x"]);
    expect(world.acts()).toMatchObject([{ type: "stop", run }]);
    world.stopped(run);
    expect(world.pending()).toEqual([]);
    const never = world.submit({ plan: ["file:x"] });
    world.ok({ type: "run.terminate", select: only(never), because: "enough" });
    expect(world.acts()).toEqual([]);
  });

  test("[RN10] ending by force leaves its processes no time, also after a restart", () => {
    const world = made();
    const run = world.started();
    world.ok({ type: "run.terminate", select: only(run), because: "enough", force: true });
    expect(world.acts()).toMatchObject([{ type: "stop", run, force: true }]);
    expect(world.pending()).toMatchObject([{ type: "stop", run, force: true }]);
  });

  test("[RN11] a question waits without a slot until it is answered", () => {
    const world = made();
    const run = world.started();
    const { family } = world.run(run);
    expect(world.no({ type: "run.answer", run, text: "?" })).toMatchObject({ code: "wrong-state" });
    world.ok({ type: "run.ask", run, family, call: 0, text: "which?" });
    expect(world.run(run)).toMatchObject({ state: "awaiting-input", question: { text: "which?" } });
    expect(world.state.slots.size).toBe(0);
    world.ok({ type: "run.answer", run, text: "this" });
    expect(world.run(run)).toMatchObject({ state: "running", question: null, answers: ["this"] });
  });

  test("[RN11] an answer that comes while paused or lost is kept", () => {
    const world = made();
    const [paused, lost] = [world.started(), world.started()];
    for (const run of [paused, lost])
      world.ok({ type: "run.ask", run, family: world.run(run).family, call: 0, text: "?" });
    world.ok({ type: "run.pause", run: paused });
    world.pass(30_000);
    expect(world.run(lost)).toMatchObject({ state: "awaiting-input", lost: true });
    world.ok({ type: "run.answer", run: paused, text: "yes" });
    world.ok({ type: "run.answer", run: lost, text: "no" });
    expect([world.run(paused).state, world.run(lost).state]).toEqual(["paused", "parked"]);
    world.ok({ type: "run.resume", run: paused });
    world.ok({ type: "run.back", run: lost }, "system");
    expect([world.run(paused).state, world.run(lost).state]).toEqual(["running", "running"]);
  });

  test("[RN12] a run finishes while running, with nothing left open", () => {
    const world = made();
    const run = world.started();
    const finish = { type: "run.finish", run, family: world.run(run).family, ok: true, message: "" } as const;
    world.begin(run, "run");
    expect(world.no(finish)).toMatchObject({ code: "out-of-order" });
    world.finishCall(run, [], world.works(run, ["a"]));
    // What its command changed was claimed, and is still being brought in step.
    expect(world.no(finish)).toMatchObject({ code: "in-use", kind: "lease" });
    world.refresh();
    const sub = world.submit({ parent: run, sub: true });
    expect(world.no(finish)).toEqual({ code: "in-use", kind: "run", id: run, by: sub });
    world.driven(sub);
    world.begin(sub, "process", ["process:test"]);
    world.ok({ type: "run.terminate", select: only(sub), because: "enough" });
    // Its process may still be there, and what is tested must not change.
    expect(world.no(finish)).toMatchObject({ code: "in-use", by: sub });
    world.stopped(sub);
    world.ok({ type: "run.pause", run });
    expect(world.no(finish)).toMatchObject({ code: "wrong-state", state: "paused" });
    world.ok({ type: "run.resume", run });
    world.ok(finish);
    expect(world.run(run).state).toBe("landing");
    world.ok(finish);
    expect(world.last).toEqual([]);
    world.ok({ ...finish, ok: false });
    expect(world.run(run).state).toBe("landing");
  });

  test("[LD33, RN27] whoever finishes in a runner's stead does not where something was said that it has not heard", () => {
    const world = made();
    const run = world.started();
    const finish = { type: "run.finish", run, family: world.run(run).family, ok: true, message: "" } as const;
    world.ok({ type: "run.steer", run, message: "rather not", interrupt: false });
    expect(world.no({ ...finish, unlessSaid: 0 })).toEqual({ code: "unheard", run });
    world.ok({ ...finish, unlessSaid: 1 });
    expect(world.run(run).state).toBe("done");
  });

  test.each(["starting", "parked", "paused", "awaiting-input"] as const)(
    "[RN12] a driver may give up while %s",
    (state) => {
      const world = made();
      world.claim("A", "file:a", { ttlMs: 1e9 });
      const run = state === "starting" ? world.submit() : world.started();
      const { family } = world.run(run);
      if (state === "parked") {
        world.begin(run, "write", ["file:a"]);
        world.live(20_000, run);
      }
      if (state === "paused") world.ok({ type: "run.pause", run });
      if (state === "awaiting-input") world.ok({ type: "run.ask", run, family, call: 0, text: "?" });
      expect(world.run(run).state).toBe(state);
      world.finish(run, false, "it broke");
      expect(world.run(run)).toMatchObject({ state: "failed", because: "it broke" });
    },
  );

  test("[RN13] a result is tried where the task says how, and goes back with the reason when it fails", () => {
    const world = made();
    const run = world.started({ acceptance: ["npm", "test"] });
    world.write(run, "a");
    world.finish(run);
    expect(world.run(run).state).toBe("validating");
    expect(world.acts()).toMatchObject([{ type: "validate", argv: ["npm", "test"] }]);
    world.ok({ type: "run.validated", run, ok: false, message: "2 tests failed" }, "system");
    expect(world.run(run)).toMatchObject({ state: "running", sentBack: "2 tests failed" });
    expect(world.acts()).toMatchObject([{ type: "drive", run }]);
    world.finish(run);
    world.ok({ type: "run.validated", run, ok: true, message: "" }, "system");
    expect(world.run(run)).toMatchObject({ state: "landing", sentBack: null });
    world.ok({ type: "run.validated", run, ok: false, message: "late" }, "system");
    expect(world.run(run).state).toBe("landing");
  });

  test("[RN13] how its command ended is recorded once, before what follows from it", () => {
    const world = made();
    const run = world.started({ acceptance: ["npm", "test"] });
    world.finish(run);
    const tested = { exit: 1, summary: "2 tests failed", output: "x/output" };
    const report = { type: "run.validated", run, ok: false, message: "no", tested } as const;
    const before = world.log.length;
    world.ok(report, "system");
    world.ok(report, "system");
    expect(world.log.slice(before).filter(({ type }) => type.startsWith("run."))).toMatchObject([
      { type: "run.tested", run, ok: false, ...tested },
      { type: "run.moved", run, from: "validating", to: "running" },
    ]);
    expect(world.run(run).tested).toMatchObject({ ok: false, exit: 1, seq: before + 1 });
  });

  test("[RN14] a person approves, rejects or returns what is in review", () => {
    const world = made();
    world.policy("look", { approvalRequired: true });
    const [good, bad, odd] = [world.started(), world.started(), world.started()];
    for (const run of [good, bad, odd]) {
      world.write(run, run);
      world.finish(run);
    }
    world.ok({ type: "run.approve", run: good, approved: null }, "person:ann");
    expect(world.run(good)).toMatchObject({ state: "landing", approvedBy: "person:ann" });
    expect(world.no({ type: "run.approve", run: good, approved: null })).toMatchObject({ code: "wrong-state" });
    world.ok({ type: "run.reject", run: bad, message: "no" });
    expect(world.run(bad)).toMatchObject({ state: "rejected", because: "no" });
    world.ok({ type: "run.return", run: odd, message: "shorter" });
    expect(world.run(odd)).toMatchObject({ state: "running", messages: ["shorter"] });
    expect(world.state.table.families.get(`${odd}.1`)).toMatchObject({ life: "live" });
    expect(world.no({ type: "run.reject", run: odd, message: "" })).toMatchObject({ code: "wrong-state" });
    expect(world.no({ type: "run.return", run: odd, message: "" })).toMatchObject({ code: "wrong-state" });
  });

  test("[RN15] a landing ends the run, or sends it back with the reason", () => {
    const world = made();
    const run = world.started();
    world.write(run, "a");
    world.finish(run);
    const conflicts = [{ path: "a", theirs: "100644:theirs" }];
    world.ok({ type: "run.landed", run, how: "conflict", conflicts }, "system");
    const sentBack =
      "somebody else has changed a in the same place: look at their side, make one of both, and say that it is resolved";
    expect(world.run(run)).toMatchObject({ state: "running", sentBack });
    expect(world.holdings()).toEqual([`${run}: file:a`]);
    world.begin(run, "write", ["file:a"]);
    world.finishCall(run, ["a"], [{ path: "a", base: "100644:theirs", work: "100644:both" }]);
    world.complete(run);
    expect(world.holdings()).toEqual([]);
    world.ok({ type: "run.landed", run, how: "back", message: "late" }, "system");
    expect(world.run(run).state).toBe("done");
  });

  test("[RN16] a run that is done goes on with a message, in a new family", () => {
    const world = made();
    world.policy("hour", { maxTimeMs: 3_600_000 });
    const run = world.started({ plan: ["file:a"] });
    expect(world.no({ type: "run.continue", run, message: "more" })).toMatchObject({ code: "wrong-state" });
    world.live(60_000, run);
    world.complete(run);
    world.ok({ type: "run.continue", run, message: "more" });
    expect(world.run(run)).toMatchObject({ state: "running", messages: ["more"], family: `${run}.2`, endedAtMs: null });
    expect(world.run(run).limitAtMs).toBe(world.nowMs + 3_600_000);
    expect(world.acts()).toMatchObject([{ type: "drive", family: `${run}.2` }]);
    world.stopped(run);
    expect(world.run(run).stopped).toBe(false);
    expect(world.begin(run, "write", ["file:b"]).state).toBe("waiting");
  });

  test("[RN16] says in which workspace it goes on, once; what nobody had seen there is set aside", () => {
    const world = made();
    const run = world.started({ plan: ["file:a"] });
    const work = { path: "b", base: null, work: "100644 b1" };
    const place = (more: { works?: (typeof work)[]; commit?: string; fresh?: boolean }): void =>
      void world.ok({ type: "run.place", run, works: [], commit: null, fresh: false, ...more }, "system");
    place({ works: [work], commit: "m1" });
    expect(world.run(run).placed).toBeNull();
    world.complete(run);
    world.ok({ type: "run.continue", run, message: "more" });
    expect(world.run(run).placed).toBe("not-yet");
    place({ works: [work] });
    expect([...world.state.trash.values()]).toMatchObject([{ run, path: "b" }]);
    expect(world.run(run).placed).toBe("not-yet");
    place({ commit: "m1" });
    expect(world.run(run)).toMatchObject({ placed: "again", workspace: { commit: "m1" } });
    place({ works: [{ ...work, path: "c" }], commit: "m2", fresh: true });
    expect(world.run(run).workspace.commit).toBe("m1");
    expect(world.state.trash.size).toBe(1);
    world.complete(run);
    world.stopped(run);
    world.ok({ type: "run.continue", run, message: "and more" });
    place({ commit: "m3", fresh: true });
    expect(world.run(run).placed).toBe("fresh");
    // One that comes back to its node has it still.
    world.ok({ type: "run.place", run, works: [], commit: "m4", fresh: true }, "system");
    expect(world.run(run).workspace.commit).toBe("m3");
  });

  test("[RN17] a failed run is tried again as a new run of its task", () => {
    const world = made();
    const first = world.started();
    const run = world.submit({ dependsOn: [first], tags: ["x"], key: "k", plan: ["file:a"] });
    expect(world.no({ type: "run.retry", run })).toMatchObject({ code: "wrong-state" });
    world.finish(first, false, "broke");
    expect(world.run(run).state).toBe("failed");
    const again = world.id({ type: "run.retry", run });
    expect(world.run(again)).toMatchObject({
      state: "starting",
      task: world.run(run).task,
      retryOf: run,
      key: null,
      tags: ["x"],
      dependsOn: [],
    });
    world.driven(again);
    world.refresh();
    world.complete(again);
    expect(world.no({ type: "run.retry", run: again })).toMatchObject({ code: "wrong-state" });
    world.policy("no more scripts", { deniedRunners: ["script"] });
    expect(world.no({ type: "run.retry", run })).toMatchObject({ code: "policy-denied" });
    expect(world.no({ type: "run.continue", run: again, message: "" })).toMatchObject({ code: "policy-denied" });
  });

  test("[RN18] a cancelled task has no further runs", () => {
    const world = made();
    const run = world.started();
    const { task } = world.run(run);
    world.ok({ type: "task.cancel", task });
    expect(world.run(run)).toMatchObject({ state: "terminated", because: "its task was cancelled" });
    expect(world.no({ type: "run.retry", run })).toEqual({ code: "cancelled", run });
    world.ok({ type: "task.cancel", task });
    expect(world.last).toEqual([]);
    expect(world.no({ type: "task.cancel", task: "t_none" })).toMatchObject({ code: "not-found" });
    const landing = world.started();
    world.write(landing, "a");
    world.finish(landing);
    world.intend(landing);
    world.ok({ type: "task.cancel", task: world.run(landing).task });
    expect(world.run(landing).state).toBe("landing");
    world.landed(landing);
    expect(world.no({ type: "run.continue", run: landing, message: "" })).toMatchObject({ code: "cancelled" });
  });
});

describe("an assistant's program", () => {
  const heard = { is: "message", text: "I begin.", parent: null } as const;

  test("[RN26] is heard once, up to a place in one of its lives", () => {
    const world = made();
    const run = world.started();
    const session = { is: "session", session: "s-1", model: null } as const;
    world.ok({ type: "run.hear", run, life: 1, upTo: 100, told: 0, owes: 1, items: [session, heard] });
    expect(world.run(run)).toMatchObject({ heard: { life: 1, upTo: 100, owes: 1 }, session: "s-1" });
    for (const upTo of [60, 100]) {
      world.ok({ type: "run.hear", run, life: 1, upTo, told: 0, owes: 1, items: [heard] });
      expect(world.last).toEqual([]);
    }
    world.ok({ type: "run.hear", run, life: 2, upTo: 10, told: 0, owes: 1, items: [heard] });
    expect(world.run(run)).toMatchObject({ heard: { life: 2, upTo: 10, owes: 1 }, session: "s-1" });
    world.ok({ type: "run.hear", run, life: 1, upTo: 900, told: 0, owes: 1, items: [heard] });
    expect(world.last).toEqual([]);
  });

  test("[RN27] is told what people say while its run is at work, and how much of it it has", () => {
    const world = made();
    const run = world.started();
    world.ok({ type: "run.steer", run, message: "leave the API", interrupt: false });
    world.ok({ type: "run.steer", run, message: "stop", interrupt: true });
    expect(world.last).toMatchObject([{ type: "run.messaged", text: "stop", interrupts: true }]);
    expect(world.run(run)).toMatchObject({ messages: ["leave the API", "stop"], told: 0 });
    world.ok({ type: "run.hear", run, life: 1, upTo: 0, told: 2, owes: 1, items: [] });
    expect(world.run(run).told).toBe(2);
    world.finish(run);
    expect(world.no({ type: "run.steer", run, message: "late", interrupt: false })).toMatchObject({
      code: "wrong-state",
    });
  });
});
