import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NodeRig } from "../../test/support/node-rig.ts";
import { isRunning, Pipe, pidsIn } from "../../test/support/processes.ts";
import { makeTempFolder } from "../../test/support/temp-folder.ts";

/** A command that writes its pid and cannot be asked to go. */
function deaf(pipe: Pipe): string {
  return `trap "" TERM; echo $$ > ${pipe.path}; while :; do sleep 1000; done`;
}

describe("stopping a run", () => {
  test("[EN29] opens its process unit only when the process is proven dead", async () => {
    const rig = await NodeRig.open();
    const started = new Pipe(makeTempFolder());
    const project = await rig.project({ test: ["/bin/sh", "-c", deaf(started)] });
    const holder = await rig.submit(project, "process: test");
    const pid = Number(await started.heard());
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
    const started = new Pipe(makeTempFolder());
    const script = `trap 'echo tidy > tidied; exit' TERM; echo $$ > ${started.path}; while :; do sleep 1000 & wait $!; done`;
    const project = await rig.project({ p: ["/bin/sh", "-c", script] });
    const run = await rig.submit(project, "process: p");
    const pid = Number(await started.heard());
    await rig.ok({ type: "run.terminate", select: { by: "run", run }, because: "now", force: true });
    expect(await rig.ended(run)).toBe("terminated: now");
    expect(isRunning(pid)).toBe(false);
    expect(rig.file("tidied")).toBeUndefined();
  });

  test("[EN29] ends what its earlier calls left behind, also when it ended well", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const run = await rig.submit(
      project,
      `run: (sleep 1000 & echo $! >> pids); setsid sh -c 'echo $$ >> pids; exec sleep 1000' & until [ "$(wc -l < pids)" = 2 ]; do sleep 0.01; done
       say: they live on
       ask: ready?`,
    );
    await rig.untilState(run, "awaiting-input");
    const pids = pidsIn(join(rig.scratch(project), "pids"));
    expect(pids.filter(isRunning)).toHaveLength(2);
    await rig.ok({ type: "run.answer", run, text: "yes" });
    expect(await rig.ended(run)).toBe("done");
    expect(pids.filter(isRunning)).toEqual([]);
  });

  test("[EN29] ends its acceptance command, too", async () => {
    const rig = await NodeRig.open();
    const started = new Pipe(makeTempFolder());
    const acceptance = ["/bin/sh", "-c", `echo $$ > ${started.path}; exec sleep 1000`];
    const run = await rig.submit(await rig.project(), "say: done", { acceptance });
    const pid = Number(await started.heard());
    await rig.terminate(run);
    expect(await rig.ended(run)).toBe("terminated: enough");
    expect(isRunning(pid)).toBe(false);
  });

  test("[EN29] leaves nothing running, however it falls together with a start", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    for (let turn = 0; turn < 20; turn++) {
      const run = await rig.submit(project, `run: echo $$ > pid-${turn}; exec sleep 1000`);
      await rig.until(() => rig.run(run).call?.started === true);
      for (let wait = 0; wait < turn; wait++) await new Promise((resolve) => setImmediate(resolve));
      await rig.terminate(run);
      expect(await rig.ended(run)).toBe("terminated: enough");
      expect(pidsIn(join(rig.scratch(project), `pid-${turn}`)).filter(isRunning)).toEqual([]);
    }
    expect(rig.defects).toEqual([]);
  });

  test("[EN29] of a run that never started anything is quick", async () => {
    const rig = await NodeRig.open();
    const run = await rig.submit(await rig.project(), "ask: anybody?");
    await rig.untilState(run, "awaiting-input");
    await rig.terminate(run);
    expect(await rig.ended(run)).toBe("terminated: enough");
    expect(existsSync(join(rig.ground.folder, "calls", run))).toBe(false);
  });
});

describe("a process", () => {
  test("[EN30] leaves nothing behind when its unit goes back", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project({ serve: ["/bin/sh", "-c", "sleep 1000 & echo $! > pid"] });
    const alive: boolean[] = [];
    rig.engine.subscribe((events) => {
      const [pid = 0] = pidsIn(join(rig.scratch(project), "pid"));
      for (const event of events) if (event.type === "lease.released") alive.push(isRunning(pid));
    });
    const run = await rig.submit(project, "process: serve\nsay: done");
    expect(await rig.ended(run)).toBe("done");
    expect(alive).toEqual([false]);
  });

  test("[EN30] that lost its leader goes back as unknown, and dead", async () => {
    const rig = await NodeRig.open();
    const started = new Pipe(makeTempFolder());
    const project = await rig.project({ p: ["/bin/sh", "-c", `echo $PPID $$ > ${started.path}; exec sleep 1000`] });
    const run = await rig.submit(project, "process: p");
    const [leader = 0, pid = 0] = (await started.heard()).split(" ").map(Number);
    process.kill(leader, "SIGKILL");
    expect(await rig.ended(run)).toMatch(/^failed: step 1 \(process\): exit-unknown/);
    expect(isRunning(pid)).toBe(false);
    const finished = rig.log.find((event) => event.type === "call.finished");
    expect(finished).toMatchObject({ ok: false, exit: "unknown" });
  });
});
