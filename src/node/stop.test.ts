import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Ground, makeGround, NodeRig, type NodeRigOptions } from "../../test/support/node-rig.ts";
import { commandsWith, isRunning, Pipe, pidOf, sayWho } from "../../test/support/processes.ts";
import type { KeeperOp } from "../protocol/keeper/keeper-wire.ts";
import { KeptWorkspaces } from "./workspace/kept-workspaces.ts";
import { stopGraceMs } from "./workspace/workspaces.ts";

/** A command that writes its pid and cannot be asked to go. */
function deaf(pipe: Pipe): string {
  return `trap "" TERM; ${sayWho} > ${pipe.path}; while :; do sleep 1000; done`;
}

/** Terminates a run of whose files keepers die from then on. */
async function endWithDeadlyFiles(
  options: NodeRigOptions & { readonly ground: Ground },
): Promise<{ readonly rig: NodeRig; readonly run: string; readonly files: string }> {
  let isDeadly = false;
  const rig = await NodeRig.open({ ...options, isDeadly: ({ op }) => op === "scan" && isDeadly });
  const started = rig.pipe();
  const run = await rig.submit(await rig.project(), `run: echo more > b; echo > ${started.path}; exec sleep 1000`);
  await started.heard();
  isDeadly = true;
  await rig.terminate(run);
  const { agents, namespaces } = options.ground;
  return { rig, run, files: join(agents.folder, "kept", `${run}.1`, namespaces ? "upper" : "clone/files", "b") };
}

describe("stopping a run", () => {
  test("[EN29] opens its process unit only when the process is proven dead", async () => {
    const rig = await NodeRig.open();
    const started = rig.pipe();
    const project = await rig.project({ test: ["/bin/sh", "-c", deaf(started)] });
    const holder = await rig.submit(project, "process: test");
    const pid = pidOf(await started.heard());
    const waiter = await rig.submit(project, "claim: [process:test]\nsay: mine");
    await rig.untilState(waiter, "blocked");
    const seen: { readonly type: string; readonly alive: boolean }[] = [];
    rig.engine.subscribe((events) => {
      for (const { type } of events) seen.push({ type, alive: isRunning(pid) });
    });
    await rig.terminate(holder);
    expect(rig.run(holder)).toMatchObject({ state: "terminated", stopped: false });
    expect(rig.run(waiter).state).toBe("blocked");
    expect(await rig.ended(waiter)).toBe("done");
    expect(seen.find(({ type }) => type === "family.ended")?.alive).toBe(true);
    const proof = seen.filter(({ type }) => ["run.stopped", "unit.cleared", "lease.granted"].includes(type));
    expect(proof.slice(0, 3)).toEqual([
      { type: "run.stopped", alive: false },
      { type: "unit.cleared", alive: false },
      { type: "lease.granted", alive: false },
    ]);
  });

  test("[EN29] by force leaves its processes no time to tidy up", async () => {
    const rig = await NodeRig.open();
    const started = rig.pipe();
    const script = `trap 'echo tidy > tidied; exit' TERM; ${sayWho} > ${started.path}; while :; do sleep 1000 & wait $!; done`;
    const project = await rig.project({ p: ["/bin/sh", "-c", script] });
    const run = await rig.submit(project, "process: p");
    const pid = pidOf(await started.heard());
    await rig.ok({ type: "run.terminate", select: { by: "run", run }, because: "now", force: true });
    expect(await rig.ended(run)).toBe("terminated: now");
    expect(isRunning(pid)).toBe(false);
    expect(await rig.trash(run)).toEqual({});
  });

  test("[EN29] ends what its earlier calls left behind, also when it ended well", async () => {
    const rig = await NodeRig.open();
    const pipes = [rig.pipe(), rig.pipe()];
    const [one, two] = pipes.map((pipe) => `sh -c '${sayWho} > ${pipe.path}; exec sleep 1000'`);
    const run = await rig.submit(
      await rig.project(),
      `run: (${one} &); setsid ${two} &
       say: they live on
       ask: ready?`,
    );
    const pids = (await Promise.all(pipes.map((pipe) => pipe.heard()))).map(pidOf);
    await rig.untilState(run, "awaiting-input");
    expect(pids.filter(isRunning)).toHaveLength(2);
    await rig.ok({ type: "run.answer", run, text: "yes" });
    expect(await rig.ended(run)).toBe("done");
    expect(pids.filter(isRunning)).toEqual([]);
    expect(rig.kept).toEqual([]);
  });

  test("[EN29] ends its acceptance command, too", async () => {
    const rig = await NodeRig.open();
    const started = rig.pipe();
    const acceptance = ["/bin/sh", "-c", `${sayWho} > ${started.path}; exec sleep 1000`];
    const run = await rig.submit(await rig.project(), "say: done", { acceptance });
    const pid = pidOf(await started.heard());
    await rig.terminate(run);
    expect(await rig.ended(run)).toBe("terminated: enough");
    expect(isRunning(pid)).toBe(false);
  });

  test("[EN29] leaves nothing running, however it falls together with a start", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    for (let turn = 0; turn < 12; turn++) {
      const mark = `${4000 + turn}.${process.pid}`;
      const run = await rig.submit(project, `run: exec sleep ${mark}`);
      // Early ones meet the making of the workspace, later ones the start of the command.
      if (turn % 2 === 1) await rig.until(() => rig.run(run).call?.started === true);
      for (let wait = 0; wait < turn * turn; wait++) await new Promise((resolve) => setImmediate(resolve));
      await rig.terminate(run);
      expect(await rig.ended(run)).toBe("terminated: enough");
      expect(rig.kept).toEqual([]);
      expect(commandsWith(mark)).toBe(0);
    }
    expect(rig.defects).toEqual([]);
  });

  test("[EN53] ends it also where keepers die of what is in its workspace, which is kept whole", async () => {
    const ground = await makeGround();
    const { rig, run, files } = await endWithDeadlyFiles({ ground });
    expect(await rig.ended(run)).toBe("terminated: enough");
    expect(readFileSync(files, "utf8")).toBe("more\n");
    expect([rig.kept, existsSync(join(ground.agents.folder, "agents", run))]).toEqual([[], false]);
    expect(rig.node.heldUp.list()).toEqual([]);
    expect(rig.defects).toEqual([]);
    await rig.close();
    // A daemon that begins takes away what is left of runs, and not this.
    const next = await NodeRig.open({ ground });
    expect(await next.ended(await next.submit(next.run(run).project, "say: on it goes"))).toBe("done");
    expect(readFileSync(files, "utf8")).toBe("more\n");
    const folder = join(ground.agents.folder, "kept");
    const name = `${run}.1`;
    expect(new KeptWorkspaces(folder).list()).toEqual([{ name, run, path: join(folder, name) }]);
  });

  test("[EN53] ends it also where it has left folders in folders for which no path is long enough", async () => {
    const rig = await NodeRig.open();
    const name = "d".repeat(100);
    const script = `cd "$HOME"; mkdir deep; for i in $(seq 60); do mkdir outer; mv deep outer/${name}; mv outer deep; done; chmod 555 deep`;
    const run = await rig.submit(await rig.project(), `run: ${script}`);
    expect(await rig.ended(run)).toBe("done");
    await rig.ok({ type: "run.remove", run });
    await expect.poll(() => existsSync(join(rig.ground.agents.folder, "agents", run))).toBe(false);
    expect([rig.kept, rig.node.heldUp.list(), rig.defects]).toEqual([[], [], []]);
  });

  test("[EN53] ends it in the next life of a daemon that died when its workspace was kept", async () => {
    const ground = await makeGround();
    const { rig, run, files } = await endWithDeadlyFiles({
      ground,
      dieAt: (events) => (events.some(({ type }) => type === "run.stopped") ? "lost" : undefined),
    });
    await rig.died;
    const next = await NodeRig.open({ ground });
    expect(await next.ended(run)).toBe("terminated: enough");
    expect(readFileSync(files, "utf8")).toBe("more\n");
    expect([next.kept, next.defects]).toEqual([[], []]);
  });

  test("[EN29] of a run that never started anything leaves nothing either", async () => {
    const rig = await NodeRig.open();
    const run = await rig.submit(await rig.project(), "ask: anybody?");
    await rig.untilState(run, "awaiting-input");
    await rig.terminate(run);
    expect(await rig.ended(run)).toBe("terminated: enough");
    expect(existsSync(join(rig.ground.folder, "calls", run))).toBe(false);
    expect(rig.kept).toEqual([]);
  });

  test("[EN29] of a sub-run ends what is its own in the cage that it shares, and nothing else", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const [mine, its] = [rig.pipe(), rig.pipe()];
    const run = await rig.submit(project, `run: (sh -c '${sayWho} > ${mine.path}; exec sleep 1000' &)\nask: ready?`);
    const own = pidOf(await mine.heard());
    await rig.untilState(run, "awaiting-input");
    const sub = await rig.submit(project, `run: ${sayWho} > ${its.path}; exec sleep 1000`, { parent: run, sub: true });
    const pid = pidOf(await its.heard());
    expect([own, pid].map(isRunning)).toEqual([true, true]);
    await rig.terminate(sub);
    expect(await rig.ended(sub)).toBe("terminated: enough");
    expect([own, pid].map(isRunning)).toEqual([true, false]);
    await rig.ok({ type: "run.answer", run, text: "yes" });
    expect(await rig.ended(run)).toBe("done");
    expect(isRunning(own)).toBe(false);
  });

  test("[EN28, EN29] asks everybody of a run and its sub-runs to go at once, with one grace for all, and says of each that it is gone", async () => {
    const seen: string[] = [];
    const isDeadly = (op: KeeperOp): boolean => {
      if (op.op === "stop" || op.op === "stop-all") seen.push(`${op.op} within ${op.graceMs} ms`);
      return false;
    };
    const rig = await NodeRig.open({ isDeadly });
    const project = await rig.project();
    const [mine, its] = [rig.pipe(), rig.pipe()];
    const run = await rig.submit(project, `run: (sh -c '${deaf(mine)}' &)\nask: ready?`);
    const own = pidOf(await mine.heard());
    await rig.untilState(run, "awaiting-input");
    const sub = await rig.submit(project, `run: ${deaf(its)}`, { parent: run, sub: true });
    const pid = pidOf(await its.heard());
    rig.engine.subscribe((events) => {
      for (const event of events) if (event.type === "run.stopped") seen.push(`${event.run} is gone`);
    });
    seen.length = 0;
    await rig.terminate(run);
    expect(await rig.ended(run)).toBe("terminated: enough");
    await rig.until(() => rig.run(sub).stopped);
    expect([own, pid].map(isRunning)).toEqual([false, false]);
    expect(seen).toEqual([`stop-all within ${stopGraceMs} ms`, `${run} is gone`, `${sub} is gone`]);
    expect(rig.node.heldUp.list()).toEqual([]);
  });

  test("[LD38] keeps what nobody had reported yet", async () => {
    const rig = await NodeRig.open();
    const started = rig.pipe();
    const project = await rig.project({}, { files: { old: "old" } });
    const run = await rig.submit(project, `run: echo new > a; rm old; echo x > ${started.path}; exec sleep 1000`);
    await started.heard();
    await rig.terminate(run);
    expect(await rig.ended(run)).toBe("terminated: enough");
    expect(await rig.trash(run)).toEqual({ a: "new\n", old: null });
    expect(await rig.file("old")).toBe("old");
  });

  test("[EN29] is over before the run can go on, in a workspace of its new life", async () => {
    const rig = await NodeRig.open();
    const text = "task: t\nsteps:\n  - write: {path: a, content: one}\nonMessage:\n  - run: cat a >> b\n";
    const run = await rig.submitText(await rig.project(), text);
    rig.engine.subscribe((events) => {
      if (!events.some((event) => event.type === "run.stopped") || rig.run(run).messages.length > 0) return;
      void rig.give({ type: "run.continue", run, message: "go on" });
    });
    await rig.until(() => rig.run(run).messages.length === 1);
    expect(await rig.ended(run)).toBe("done");
    expect(await rig.file("b")).toBe("one");
    expect(rig.defects).toEqual([]);
  });
});

describe("a process", () => {
  test("[EN30] leaves nothing behind when its unit goes back", async () => {
    const rig = await NodeRig.open();
    const started = rig.pipe();
    const script = `(setsid sh -c '${sayWho} > ${started.path}; exec sleep 1000' &); read line < ${started.path}.go`;
    const go = new Pipe(dirname(started.path), `${basename(started.path)}.go`);
    const project = await rig.project({ serve: ["/bin/sh", "-c", script] });
    const alive: boolean[] = [];
    const run = await rig.submit(project, "process: serve\nsay: done");
    const pid = pidOf(await started.heard());
    expect(isRunning(pid)).toBe(true);
    rig.engine.subscribe((events) => {
      for (const event of events) if (event.type === "lease.released") alive.push(isRunning(pid));
    });
    await go.say("go");
    expect(await rig.ended(run)).toBe("done");
    expect(alive).toEqual([false]);
  });

  test("[EN27, EN30] that lost its keeper goes back as unknown, and dead", async () => {
    const rig = await NodeRig.open();
    const started = rig.pipe();
    const project = await rig.project({ p: ["/bin/sh", "-c", `${sayWho} > ${started.path}; exec sleep 1000`] });
    const run = await rig.submit(project, "process: p");
    const pid = pidOf(await started.heard());
    const { pid: keeper } = await rig.keeper(run).hello();
    process.kill(keeper, "SIGKILL");
    expect(await rig.ended(run)).toMatch(/^failed: step 0 \(process\): exit-unknown/);
    expect(isRunning(pid)).toBe(false);
    const finished = rig.log.find((event) => event.type === "call.finished");
    expect(finished).toMatchObject({ ok: false, exit: "unknown" });
  });

  test("[EN27] a run whose keeper was lost goes on in the same workspace", async () => {
    const rig = await NodeRig.open();
    const run = await rig.submit(await rig.project(), "write: {path: a, content: x}\nask: ready?\nrun: cat a > b");
    await rig.untilState(run, "awaiting-input");
    const { pid: keeper } = await rig.keeper(run).hello();
    process.kill(keeper, "SIGKILL");
    await rig.ok({ type: "run.answer", run, text: "yes" });
    expect(await rig.ended(run)).toBe("done");
    expect(await rig.file("b")).toBe("x");
  });
});
