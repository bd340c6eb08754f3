import { describe, expect, test, vi } from "vitest";
import type { Logged } from "../core/events.ts";
import { isOver } from "../core/run/run-states.ts";
import { isStopped } from "../keeper/os/processes.ts";
import type { DoorAnswer, Runner } from "../ports/runner.ts";
import { runsOf } from "../../test/support/search.ts";
import { makeGround, NodeRig, type Ground } from "../../test/support/node-rig.ts";
import { processesWith } from "../../test/support/processes-with.ts";
import { isRunning, pidOf, sayWho } from "../../test/support/processes.ts";

const everyStep = `
  claim: [file:a.txt, file:spare]
  write: {path: a.txt, content: "1"}
  edit: {path: a.txt, find: "1", replace: "11"}
  read: a.txt
  run: echo ran >> ran
  process: test
  sleep: 0ms
  say: half way
  release: [file:spare]
  run: echo aside > aside
  release: {units: [file:aside], setAside: true}
  patch: [{edit: {path: a.txt, find: "11", replace: "1111"}}, {write: {path: d/x, content: x}}]
  move: {path: d, to: e}
  delete: e/x
  ask: shall I?
  run: echo last >> ran`;

type Death = { readonly at: number; readonly how: "lost" | "kept" };

/** Runs every kind of step, dies once at the given append, starts again and goes on to the end. */
async function expectTwoLives(death: Death | undefined): Promise<number> {
  const ground = await makeGround();
  let appends = 0;
  let armed = false;
  const dieAt = (_events: readonly Logged[]): Death["how"] | undefined =>
    armed && appends++ === death?.at ? death.how : undefined;
  const rig = await NodeRig.open({ ground, dieAt });
  const project = await rig.project({ test: ["/bin/sh", "-c", "echo tested >> ran"] });
  const run = await rig.submit(project, everyStep);
  armed = true;
  answerAll(rig, run);
  // What comes together is appended together: the run may be over before so many appends were made.
  const isDead = await Promise.race([rig.died.then(() => true), rig.ended(run).then(() => false)]);
  const last = isDead ? await NodeRig.open({ ground }) : rig;
  answerAll(last, run);
  expect(await last.ended(run), `death at ${death?.at} (${death?.how})`).toBe("done");
  expect(await last.file("a.txt")).toBe("1111");
  expect(await last.file("ran")).toBe("ran\ntested\nlast\n");
  expect(last.said(run)).toEqual(["half way"]);
  expect(await last.files()).toEqual(["a.txt", "ran"]);
  expect(await last.trash(run)).toEqual({ aside: "aside\n" });
  expect(last.kept).toEqual([]);
  expect([...last.state.table.families.values()].flatMap((family) => [...family.leases.keys()])).toEqual([]);
  await last.close();
  await ground.end();
  return appends;
}

const hows = ["lost", "kept"] as const;

/**
 * Tries deaths at appends all along the way, a few at a time: each takes a keeper and waits for the disk most of the time.
 * A third of the places each time the daemon could die; `SIGNALBOX_PROP_RUNS=3` tries them all.
 */
async function dieAtEach(
  appends: number,
  ways: readonly Death["how"][],
  live: (death: Death) => Promise<unknown>,
): Promise<void> {
  const all = Array.from({ length: appends }, (_, at) => ways.map((how) => ({ at, how }))).flat();
  const stride = Math.max(1, Math.round(3 / runsOf(1)));
  const deaths = all.filter(({ at, how }) => (at + (how === "kept" ? 1 : 0)) % stride === 0);
  const work = async (): Promise<void> => {
    for (let next = deaths.shift(); next !== undefined; next = deaths.shift()) await live(next);
  };
  await Promise.all([work(), work(), work()]);
}

/** Answers the run's question, whenever it has one. */
function answerAll(rig: NodeRig, run: string): void {
  const look = (): void => {
    if (rig.run(run).question !== null) void rig.give({ type: "run.answer", run, text: "do" });
  };
  look();
  rig.engine.subscribe(look);
}

/** Lives until `at` appends after the submission, dies, and lives again; says how the run ended. */
async function endAfterDeath(steps: string, death: Death): Promise<{ end: string; said: string[]; appends: number }> {
  const ground = await makeGround();
  let appends = 0;
  let armed = false;
  const dieAt = (): Death["how"] | undefined => (armed && appends++ === death.at ? death.how : undefined);
  const rig = await NodeRig.open({ ground, dieAt });
  const run = await rig.submit(await rig.project(), steps, { plan: ["file:planned"] });
  armed = true;
  const survived = await Promise.race([rig.died.then(() => false), rig.ended(run).then(() => true)]);
  const last = survived ? rig : await NodeRig.open({ ground });
  const end = await last.ended(run);
  await last.close();
  await ground.end();
  return { end, said: last.said(run), appends };
}

const noSteps = [
  ["a command that fails", "run: exit 3", /^failed: step 0 \(run\): exit-nonzero/],
  ["a file that is not there", "read: none", /^failed: step 0 \(read\): no-file/],
  ["a policy that denies", "write: {path: .signalbox-x, content: x}", /^failed: step 0 \(write\): policy-denied/],
  ["a bad unit", "claim: ['file:../out']", /^failed: step 0 \(claim\): bad-unit/],
] as const;

describe("a daemon that dies at any append", () => {
  test(
    "[EN18] repeats nothing and finishes, when what it was about to record is lost",
    { timeout: 300_000 },
    async () => {
      const appends = await expectTwoLives(undefined);
      expect(appends).toBeGreaterThan(20);
      await dieAtEach(appends, ["lost"], expectTwoLives);
    },
  );

  test("[EN18] repeats nothing and finishes, when it was recorded and nobody heard", { timeout: 300_000 }, async () => {
    const appends = await expectTwoLives(undefined);
    await dieAtEach(appends, ["kept"], expectTwoLives);
  });

  test.each(noSteps)("[EN18] takes no no for a yes: %s", { timeout: 60_000 }, async (_what, step, reason) => {
    const { appends } = await endAfterDeath(`${step}\nsay: never`, { at: -1, how: "lost" });
    await dieAtEach(appends, hows, async (death) => {
      const { end, said } = await endAfterDeath(`${step}\nsay: never`, death);
      expect(end, `death at ${death.at} (${death.how})`).toMatch(reason);
      expect(said).toEqual([]);
    });
  });

  test("[EN18] gives back once what is given back first of all", { timeout: 60_000 }, async () => {
    const steps = "release: [file:planned]\nsay: given back";
    const { appends } = await endAfterDeath(steps, { at: -1, how: "lost" });
    await dieAtEach(appends, hows, async (death) => {
      const given = { end: "done", said: ["given back"] };
      expect(await endAfterDeath(steps, death), `death at ${death.at} (${death.how})`).toMatchObject(given);
    });
  });
});

describe("a daemon that is closed in the middle", () => {
  test("[EN23] of a command lets it run, and the next one gets its end", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const [started, go] = [rig.pipe(), rig.pipe()];
    const run = await rig.submit(
      project,
      `run: ${sayWho} > ${started.path}; read line < ${go.path}; echo "$line" >> ran\nsay: after`,
    );
    const pid = pidOf(await started.heard());
    const next = await rig.reopen();
    expect(isRunning(pid)).toBe(true);
    await go.say("once");
    expect(await next.ended(run)).toBe("done");
    expect(await next.file("ran")).toBe("once\n");
    expect(next.said(run)).toEqual(["after"]);
  });

  test("[EN23] of a command that ends meanwhile finds its end", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const [started, go] = [rig.pipe(), rig.pipe()];
    const run = await rig.submit(project, `run: ${sayWho} > ${started.path}; read line < ${go.path}; exit 7`);
    const pid = pidOf(await started.heard());
    await rig.close();
    await go.say("go");
    await expect.poll(() => isRunning(pid)).toBe(false);
    const next = await NodeRig.open({ ground: rig.ground });
    expect(await next.ended(run)).toMatch(/ended with 7$/);
  });

  test("[EN18] of a process keeps its unit closed until it is over", async () => {
    const rig = await NodeRig.open();
    const [started, go] = [rig.pipe(), rig.pipe()];
    const project = await rig.project({
      test: ["/bin/sh", "-c", `${sayWho} > ${started.path}; read line < ${go.path}`],
    });
    const run = await rig.submit(project, "process: test");
    await started.heard();
    const next = await rig.reopen();
    const waiting = await next.submit(project, "claim: [process:test]\nsay: mine");
    await next.untilState(waiting, "blocked");
    await go.say("go");
    expect(await next.ended(waiting)).toBe("done");
    expect(await next.ended(run)).toBe("done");
  });

  test("[EN18] of a wait for a unit waits on, in its place", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const first = await rig.submit(project, "claim: [file:a]\nask: ready?");
    await rig.untilState(first, "awaiting-input");
    const second = await rig.submit(project, "claim: [file:a]\nsay: mine");
    await rig.untilState(second, "blocked");
    const next = await rig.reopen();
    expect(next.run(second).state).toBe("blocked");
    await next.ok({ type: "run.answer", run: first, text: "yes" });
    expect(await next.ended(first)).toBe("done");
    expect(await next.ended(second)).toBe("done");
  });

  test("[EN18] of a sleep sleeps what is left of it, on engine time", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const run = await rig.submit(project, "sleep: 10s\nsay: awake");
    await rig.until(() => rig.run(run).call?.started === true);
    await rig.until(() => rig.run(run).state === "running");
    rig.clock.advance(4000);
    await rig.submit(project, "say: hello");
    const next = await rig.reopen();
    next.clock.advance(5000);
    await next.until(() => next.run(run).state === "running");
    expect(next.said(run)).toEqual([]);
    await expect.poll(() => next.clock.nextMs).toBeLessThanOrEqual(1000);
    next.clock.advance(1000);
    expect(await next.ended(run)).toBe("done");
    expect(next.said(run)).toEqual(["awake"]);
  });

  test("[EN17] of a question hears the answer, even one that comes with its driver", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const run = await rig.submit(project, "ask: one?\nask: two?\nrun: echo $SIGNALBOX_COMMAND > /dev/null\nsay: both");
    await rig.untilState(run, "awaiting-input");
    await rig.ok({ type: "run.answer", run, text: "1" });
    await rig.until(() => rig.run(run).question?.text === "two?");
    const next = await rig.reopen();
    // In the same breath as the driver's first word, before it can have asked anything.
    await next.ok({ type: "run.answer", run, text: "2" });
    expect(await next.ended(run)).toBe("done");
    expect(next.said(run)).toEqual(["both"]);
  });

  test("[EN18] of a pause stays paused", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const go = rig.pipe();
    const run = await rig.submit(project, `run: read line < ${go.path}\nsay: after`);
    await rig.until(() => rig.run(run).call?.started === true);
    await rig.ok({ type: "run.pause", run });
    const next = await rig.reopen();
    expect(next.run(run).state).toBe("paused");
    expect(next.said(run)).toEqual([]);
    await next.ok({ type: "run.resume", run });
    // What is halted hears nothing before it goes on.
    await go.say("go");
    expect(await next.ended(run)).toBe("done");
    expect(next.said(run)).toEqual(["after"]);
  });

  test("[EN17] of a pause goes on where it was resumed before, and got its slot only after the restart", async () => {
    const rig = await NodeRig.open();
    const [own, other] = [rig.pipe(), rig.pipe()];
    const project = await rig.project();
    const rules = { maxConcurrent: 1 };
    await rig.ok({ type: "policy.set", policy: { name: "one", priority: 0, enabled: true, scope: {}, rules } });
    const run = await rig.submit(project, `run: read line < ${own.path}\nsay: after`);
    await vi.waitFor(() => expect(processesWith(own.path)).not.toEqual([]), 20_000);
    await rig.ok({ type: "run.pause", run });
    await vi.waitFor(() => expect(processesWith(own.path).map(isStopped)).toContain(true), 20_000);
    const second = await rig.submit(project, `run: read line < ${other.path}`);
    await rig.untilState(second, "running");
    await rig.ok({ type: "run.resume", run });
    expect(rig.run(run).state).toBe("parked");
    const next = await rig.reopen();
    await other.say("go");
    expect(await next.ended(second)).toBe("done");
    await own.say("go");
    expect(await next.ended(run)).toBe("done");
    expect(next.said(run)).toEqual(["after"]);
  });

  test("[EN18] of an acceptance command waits for that one, and starts no other", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const [started, go] = [rig.pipe(), rig.pipe()];
    const script = `echo tried; ${sayWho} > ${started.path}; read line < ${go.path}`;
    const run = await rig.submit(project, "say: done", { acceptance: ["/bin/sh", "-c", script] });
    await started.heard();
    expect(rig.run(run).state).toBe("validating");
    const next = await rig.reopen();
    await go.say("go");
    expect(await next.ended(run)).toBe("done");
    const tried = next.log.filter((event) => event.type === "run.tested");
    expect(tried).toMatchObject([{ ok: true, summary: "tried\n" }]);
  });

  test("[EN29] of a stop stops it all the same", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const started = rig.pipe();
    const run = await rig.submit(
      project,
      `run: trap "" TERM; ${sayWho} > ${started.path}; while :; do sleep 1000; done`,
    );
    const pid = pidOf(await started.heard());
    await rig.terminate(run);
    const next = await rig.reopen();
    expect(isOver(next.run(run).state) && !next.run(run).stopped).toBe(true);
    expect(await next.ended(run)).toBe("terminated: enough");
    expect(isRunning(pid)).toBe(false);
  });
});

test("[EN22] an edit that was done and not recorded is not done again", async () => {
  const ground: Ground = await makeGround();
  const isFinish = (events: readonly Logged[]): "lost" | undefined =>
    events.some((event) => event.type === "call.finished" && event.tool === "edit") ? "lost" : undefined;
  const rig = await NodeRig.open({ ground, dieAt: isFinish });
  const project = await rig.project();
  const run = await rig.submit(project, `write: {path: a, content: x}\nedit: {path: a, find: x, replace: yx}\nread: a`);
  await rig.died;
  expect(await rig.inside(run, "a")).toBe("yx");
  const next = await NodeRig.open({ ground });
  expect(await next.ended(run)).toBe("done");
  expect(await next.file("a")).toBe("yx");
});

test("[EN27, EN36] a call of which nobody knows any more what it was is ended, and what it left is found", async () => {
  const ground = await makeGround();
  let ended: DoorAnswer | undefined;
  const own: Runner = {
    name: "own",
    drive: async ({ callsDone, callBegun }, door) => {
      if (callBegun) {
        door.skipTo(callsDone);
        ended = await door.endLost();
        await door.finish(true, "");
      } else await door.run({ argv: ["/bin/sh", "-c", script] });
    },
  };
  const rig = await NodeRig.open({ ground, runners: [own] });
  const pipe = rig.pipe();
  const script = `echo half > left; ${sayWho} > ${pipe.path}; while :; do sleep 1000; done`;
  const run = await rig.submit(await rig.project(), "say: hello", { runner: "own" });
  const pid = pidOf(await pipe.heard());
  const next = await rig.reopen({ runners: [own] });
  expect(await next.ended(run)).toBe("done");
  expect(ended).toMatchObject({ ok: false, code: "exit-unknown" });
  expect(isRunning(pid)).toBe(false);
  expect(next.log.find((event) => event.type === "call.finished")).toMatchObject({ exit: "unknown", ok: false });
  expect(await next.file("left")).toBe("half\n");
});

test("[EN18] a no that was given and not recorded is given again, whatever has changed since", async () => {
  const ground = await makeGround();
  const isFinish = (events: readonly Logged[]): "lost" | undefined =>
    events.some((event) => event.type === "call.finished") ? "lost" : undefined;
  const rig = await NodeRig.open({ ground, dieAt: isFinish });
  const project = await rig.project();
  const run = await rig.submit(project, "read: late\nsay: never");
  await rig.died;
  await rig.meddle(run, "echo now it is there > late");
  const next = await NodeRig.open({ ground });
  expect(await next.ended(run)).toBe("failed: step 0 (read): no-file: late does not exist");
});
