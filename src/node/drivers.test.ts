import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { ScriptRunner } from "../adapters/runner/script-runner.ts";
import { actsPending } from "../core/acts.ts";
import { isStopped } from "../keeper/os/processes.ts";
import type { Door, Runner, RunnerJob, RunnerNews } from "../ports/runner.ts";
import type { CageOrder } from "../protocol/keeper/keeper-wire.ts";
import { settle } from "../../test/support/engine-rig.ts";
import { makeGround, NodeRig } from "../../test/support/node-rig.ts";
import { processesWith } from "../../test/support/processes-with.ts";
import { makeTempFolder } from "../../test/support/temp-folder.ts";

function runner(drive: (door: Door, job: RunnerJob) => Promise<void>): Runner {
  return { name: "own", drive: (job, door) => drive(door, job) };
}

async function endOf(own: Runner): Promise<string> {
  const rig = await NodeRig.open({ runners: [own] });
  const run = await rig.submit(await rig.project(), "say: hello", { runner: "own" });
  const end = await rig.ended(run);
  await rig.close();
  return end;
}

describe("a runner", () => {
  // What is to be shown in the cage is not there: so there can be none.
  const withoutCage = (order: CageOrder): CageOrder => ({
    ...order,
    git: order.git === null ? null : { ...order.git, objects: join(makeTempFolder(), "gone") },
  });

  test("[EN45, EN46] where no cage was made yet waits for its own, and fails before it does anything when there can be none", async () => {
    let tries = 0;
    const rig = await NodeRig.open({ cage: (order) => (tries++, withoutCage(order)) });
    const project = await rig.project({}, { files: { "a.txt": "old" } });
    const run = await rig.submit(project, "write: { path: a.txt, content: new }");
    const passTime = (): string => {
      rig.clock.advance(1000);
      return rig.run(run).state;
    };
    await expect.poll(passTime).not.toBe("starting");
    expect(tries).toBe(3);
    expect(await rig.ended(run)).toMatch(/^failed: the cage could not be made: .*doctor tries each part of a cage/);
    expect([await rig.file("a.txt"), await rig.trash(run)]).toEqual(["old", {}]);
    await rig.close();
  });

  test("[EN45] whose cage cannot be made any more has failed: nothing of it lands, and what it wrote is kept", async () => {
    // Where there was one before, a script begins with files.
    let made = 0;
    const rig = await NodeRig.open({ cage: (order) => (made++ === 0 ? order : withoutCage(order)) });
    const project = await rig.project({}, { files: { "a.txt": "old" } });
    expect(await rig.ended(await rig.submit(project, "say: hello"))).toBe("done");
    const run = await rig.submit(project, "write: { path: a.txt, content: new }");
    expect(await rig.ended(run)).toMatch(/^failed: the cage could not be made: .*; nothing of the run lands/);
    expect([await rig.file("a.txt"), await rig.trash(run)]).toEqual(["old", { "a.txt": "new" }]);
    await rig.close();
  });

  test("[EN17] that ends without a result has failed", async () => {
    expect(await endOf(runner(async () => undefined))).toBe("failed: its runner ended without a result");
  });

  test("[EN17] that breaks has failed, with its reason, and nobody else is hurt", async () => {
    const broken = runner(async (door) => {
      await door.say("so far so good");
      throw new Error("out of words");
    });
    expect(await endOf(broken)).toBe("failed: out of words");
  });

  test("[EN17] that goes on after a no may still do well", async () => {
    const patient = runner(async (door) => {
      const answer = await door.run({ argv: ["false"] });
      await door.finish(!answer.ok && answer.code === "exit-nonzero", "");
    });
    expect(await endOf(patient)).toBe("done");
  });

  test("[EN17] is told to stop when its run is ended, and its last words count for nothing", async () => {
    const stopped = Promise.withResolvers<void>();
    const own = runner(async (door) => {
      await door.ask("anybody?").catch(() => undefined);
      await door.say("wait!").catch(() => undefined);
      stopped.resolve();
    });
    const rig = await NodeRig.open({ runners: [own] });
    const run = await rig.submit(await rig.project(), "say: hello", { runner: "own" });
    await rig.untilState(run, "awaiting-input");
    await rig.terminate(run);
    await stopped.promise;
    expect(await rig.ended(run)).toBe("terminated: enough");
    expect(rig.said(run)).toEqual([]);
    expect(rig.defects).toEqual([]);
  });

  test("[RN27] hears what happened since it drives, also while it made itself ready to listen", async () => {
    const [begun, ready] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const [news, heard]: [RunnerNews[], PromiseWithResolvers<void>] = [[], Promise.withResolvers<void>()];
    const own = runner(async (door, { messages, listen }) => {
      expect(messages).toEqual([]);
      begun.resolve();
      await ready.promise;
      listen((each) => {
        news.push(each);
        if (each.is === "message" && each.text === "and mind the step") heard.resolve();
      });
      await heard.promise;
      await door.finish(true, "");
    });
    const rig = await NodeRig.open({ runners: [own] });
    const run = await rig.submit(await rig.project(), "say: hello", { runner: "own" });
    await begun.promise;
    await rig.ok({ type: "run.steer", run, message: "mind the gap", interrupt: false });
    await rig.ok({ type: "run.pause", run });
    await rig.ok({ type: "run.resume", run });
    await rig.untilState(run, "running");
    ready.resolve();
    await rig.ok({ type: "run.steer", run, message: "and mind the step", interrupt: false });
    expect(await rig.ended(run)).toBe("done");
    expect(news.filter((each) => each.is === "message").map(({ text }) => text)).toEqual([
      "mind the gap",
      "and mind the step",
    ]);
    expect(news.filter(({ is }) => is !== "message").slice(0, 1)).toEqual([{ is: "away", why: "paused" }]);
    expect(news.filter(({ is }) => is !== "message").at(-1)).toEqual({ is: "back" });
  });

  test("[EN17] may wait for another run", async () => {
    const own = runner(async (door, job) => {
      const answer = await door.waitRun(job.title);
      await door.say(answer.ok ? answer.text : answer.message);
      await door.finish(true, "");
    });
    const rig = await NodeRig.open({ runners: [own, new ScriptRunner()] });
    const project = await rig.project();
    const other = await rig.submit(project, "ask: ready?");
    await rig.untilState(other, "awaiting-input");
    const run = await rig.submit(project, "say: hello", { runner: "own", title: other });
    await rig.untilState(run, "blocked");
    await rig.ok({ type: "run.answer", run: other, text: "yes" });
    expect(await rig.ended(run)).toBe("done");
    expect(rig.said(run)).toEqual([`${other} is over`]);
    const lost = await rig.submit(project, "say: hello", { runner: "own", title: "r_none" });
    expect(await rig.ended(lost)).toBe("done");
    expect(rig.said(lost)[0]).toContain("r_none");
  });
});

describe("a pause", () => {
  test("[EN17] halts what the call in flight has started, and resuming lets it go on", async () => {
    const rig = await NodeRig.open();
    const go = rig.pipe();
    const run = await rig.submit(
      await rig.project(),
      `run: read line < ${go.path}\nwrite: {path: a, content: x}\nsay: after`,
    );
    await rig.until(() => rig.run(run).call?.started === true);
    // A call has begun before its command has: one that is paused in between waits to be started.
    await vi.waitFor(() => expect(processesWith(go.path)).not.toEqual([]), 20_000);
    await rig.ok({ type: "run.pause", run });
    await vi.waitFor(() => expect(processesWith(go.path).map(isStopped)).toContain(true), 20_000);
    const said = go.say("go");
    await settle();
    expect(rig.run(run)).toMatchObject({ state: "paused", callsDone: 0, call: { number: 0, started: true } });
    await rig.ok({ type: "run.resume", run });
    await said;
    expect(await rig.ended(run)).toBe("done");
    expect(await rig.file("a")).toBe("x");
  });

  test.each([
    ["a word", "say: after", ["after"]],
    ["the end", "", []],
  ])("[EN17] holds back %s", async (_what, step, said) => {
    const rig = await NodeRig.open();
    const run = await rig.submit(await rig.project(), `sleep: 1s\n${step}`.trim());
    await rig.until(() => rig.run(run).call?.started === true);
    await rig.ok({ type: "run.pause", run });
    rig.clock.advance(1000);
    await rig.until(() => rig.run(run).callsDone === 1);
    await settle();
    expect(rig.run(run).state).toBe("paused");
    expect(rig.said(run)).toEqual([]);
    await rig.ok({ type: "run.resume", run });
    expect(await rig.ended(run)).toBe("done");
    expect(rig.said(run)).toEqual(said);
  });
});

describe("a result", () => {
  test("that its acceptance command likes is brought home", async () => {
    const rig = await NodeRig.open();
    const acceptance = ["/bin/sh", "-c", "test -f a"];
    const run = await rig.submit(await rig.project(), "write: {path: a, content: x}", { acceptance });
    expect(await rig.ended(run)).toBe("done");
  });

  test("that it does not like fails the run, which cannot mend it", async () => {
    const rig = await NodeRig.open();
    const acceptance = ["/bin/sh", "-c", "echo tried >> tried; echo so so; exit 4"];
    const run = await rig.submit(await rig.project(), "write: {path: a, content: x}", { acceptance });
    expect(await rig.ended(run)).toBe("failed: the acceptance command ended with 4");
    const output = {
      exit: 4,
      summary: "so so\n",
      output: expect.stringMatching(/^r_\w+\/validate-\d+\/output$/) as string,
    };
    expect(rig.log.filter(({ type }) => type === "run.tested")).toMatchObject([{ run, ok: false, ...output }]);
    expect(await rig.trash(run)).toEqual({ a: "x", tried: "tried\n" });
    expect(await rig.file("a")).toBeUndefined();
  });

  test("[EN17] that is returned from review is taken up again, with what the person said", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const policy = { name: "four eyes", priority: 0, enabled: true, scope: {}, rules: { approvalRequired: true } };
    await rig.ok({ type: "policy.set", policy });
    const text = "task: t\nsteps:\n  - run: echo step >> ran\nonMessage:\n  - run: echo message >> ran\n";
    const run = await rig.submitText(project, text);
    await rig.untilState(run, "review");
    await rig.ok({ type: "run.return", run, message: "once more" });
    await rig.until(() => rig.run(run).state === "review" && rig.run(run).messages.length === 1);
    expect(await rig.inside(run, "ran")).toBe("step\nmessage\n");
    await rig.ok({ type: "run.approve", run, approved: null });
    expect(await rig.ended(run)).toMatch(/^done/);
    await rig.ok({ type: "run.continue", run, message: "and again" });
    await rig.until(() => rig.run(run).state === "review");
    expect(await rig.file("ran")).toBe("step\nmessage\n");
    expect(await rig.inside(run, "ran")).toBe("step\nmessage\nmessage\n");
    expect(rig.run(run).incarnation).toBe(2);
  });

  test("[LD53] that has landed on a branch of its own goes on there, and at mainline once that has it", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project({}, { git: true, files: { ran: "" } });
    await rig.ok({ type: "project.change", project, landingBranch: "ai/{run}" });
    const text =
      "task: t\nsteps:\n  - run: echo step >> ran\nonMessage:\n  - run: cat ran > seen; echo message >> ran\n";
    const run = await rig.submitText(project, text);
    expect(await rig.ended(run)).toMatch(/^done/);
    const again = async (): Promise<void> => {
      const before = rig.run(run).incarnation;
      await rig.ok({ type: "run.continue", run, message: "and again" });
      await rig.until(() => rig.run(run).incarnation > before && rig.run(run).state === "done");
    };
    await again();
    const person = rig.person(project);
    expect(person.git("show", `ai/${run}:seen`)).toBe("step");
    expect(person.git("log", "--format=%an", "--first-parent", `main..ai/${run}`).split("\n")).toHaveLength(2);
    expect(await rig.file("ran")).toBe("");
    person.git("merge", "--no-ff", "--quiet", "-m", "merge", `ai/${run}`);
    person.git("branch", "--quiet", "-D", `ai/${run}`);
    await again();
    expect(person.git("show", `ai/${run}:ran`)).toBe("step\nmessage\nmessage");
    expect(person.git("log", "--format=%s", `main..ai/${run}`).split("\n")).toHaveLength(1);
  });

  test("[EN17] that is returned in the same breath as it is given is taken up as well", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const policy = { name: "four eyes", priority: 0, enabled: true, scope: {}, rules: { approvalRequired: true } };
    await rig.ok({ type: "policy.set", policy });
    const text = "task: t\nsteps:\n  - run: echo step >> ran\nonMessage:\n  - run: echo message >> ran\n";
    const run = await rig.submitText(project, text);
    rig.engine.subscribe(() => {
      // The driver has not even heard that its finish was taken.
      if (rig.run(run).state === "review" && rig.run(run).messages.length === 0)
        void rig.give({ type: "run.return", run, message: "at once" });
    });
    await rig.until(() => rig.run(run).state === "review" && rig.run(run).messages.length === 1);
    expect(await rig.inside(run, "ran")).toBe("step\nmessage\n");
  });

  test("[EN17] waits for its sub-runs", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const run = await rig.submit(project, "ask: ready?");
    await rig.untilState(run, "awaiting-input");
    const sub = await rig.submit(project, "ask: ready too?", { parent: run, sub: true });
    await rig.untilState(sub, "awaiting-input");
    await rig.ok({ type: "run.answer", run, text: "yes" });
    await rig.untilState(run, "running");
    await expect.poll(() => rig.clock.nextMs).toBeLessThanOrEqual(500);
    await rig.ok({ type: "run.answer", run: sub, text: "yes" });
    expect(await rig.ended(sub)).toBe("done");
    rig.clock.advance(500);
    expect(await rig.ended(run)).toBe("done");
  });
});

describe("an act", () => {
  test("[EN32] that is asked for again while it is under way is done once, and once done it does no harm", async () => {
    const rig = await NodeRig.open();
    const go = rig.pipe();
    const run = await rig.submit(await rig.project(), `say: hello\nrun: echo once >> ran; read line < ${go.path}`);
    for (let times = 0; times < 5; times++) {
      for (const act of actsPending(rig.state)) rig.node.perform(act);
      await settle();
    }
    await rig.until(() => rig.run(run).call?.started === true);
    for (const act of actsPending(rig.state)) rig.node.perform(act);
    await go.say("go");
    expect(await rig.ended(run)).toBe("done");
    expect(rig.said(run)).toEqual(["hello"]);
    expect(await rig.file("ran")).toBe("once\n");
  });

  test("[EN32] of another node is none of ours", async () => {
    const rig = await NodeRig.open();
    const run = await rig.submit(await rig.project(), "say: hello", { node: "elsewhere" });
    await settle();
    expect(rig.run(run).state).toBe("starting");
  });

  test("[EN33] that the world is in the way of is tried again, until it can be done", async () => {
    const ground = await makeGround();
    const agents = join(ground.agents.folder, "agents");
    writeFileSync(agents, "in the way");
    const rig = await NodeRig.open({ ground });
    const run = await rig.submit(await rig.project(), "write: {path: a, content: x}");
    // When it is tried again depends on when it last failed.
    const told = { run, doing: "taking it up", why: expect.stringContaining("ENOTDIR") as string };
    const heldUp = (): unknown => {
      rig.clock.advance(1000);
      return rig.node.heldUp.list();
    };
    await expect.poll(heldUp).toMatchObject([told]);
    expect(rig.run(run).state).toBe("starting");
    rmSync(agents);
    const passTime = (): string => {
      rig.clock.advance(1000);
      return rig.run(run).state;
    };
    await expect.poll(passTime, { timeout: 30_000 }).not.toBe("starting");
    expect(await rig.ended(run)).toBe("done");
    expect([rig.defects, rig.node.heldUp.list()]).toEqual([[], []]);
  });
});
