import { describe, expect, test } from "vitest";
import { NodeRig } from "../../test/support/node-rig.ts";
import { isRunning, pidOf, sayWho } from "../../test/support/processes.ts";
import { settle } from "../../test/support/engine-rig.ts";
import { TestClock } from "../../test/support/test-clock.ts";

describe("signs of life", () => {
  test("[EN31] keep the leases of a run that works for long", async () => {
    const rig = await NodeRig.open();
    const go = rig.pipe();
    const run = await rig.submit(await rig.project(), `claim: [file:a]\nrun: read line < ${go.path}`);
    await rig.until(() => rig.run(run).call?.tool === "run");
    await rig.passTime(120_000);
    expect(rig.run(run)).toMatchObject({ state: "running", lost: false, incarnation: 1 });
    await go.say("go");
    expect(await rig.ended(run)).toBe("done");
  });

  test("[EN31] go on while its result is tried, also after a restart", async () => {
    const rig = await NodeRig.open();
    const [started, go] = [rig.pipe(), rig.pipe()];
    const acceptance = ["/bin/sh", "-c", `${sayWho} > ${started.path}; read line < ${go.path}`];
    const run = await rig.submit(await rig.project(), "claim: [file:a]\nsay: done", { acceptance });
    await started.heard();
    await rig.passTime(60_000);
    expect(rig.run(run)).toMatchObject({ state: "validating", lost: false });
    const next = await rig.reopen();
    await next.passTime(60_000);
    expect(next.run(run)).toMatchObject({ state: "validating", lost: false });
    await go.say("go");
    expect(await next.ended(run)).toBe("done");
  });
});

describe("commands of two scripts that change one file", () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join("");

  test("[LD60] in different places land both, the second when the first has", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project({}, { files: { hot: lines } });
    const go = rig.pipe();
    const first = await rig.submit(project, `run: sed -i 's/line 2$/two/' hot\nrun: read line < ${go.path}`);
    await rig.until(() => rig.run(first).call?.number === 1);
    const second = await rig.submit(
      project,
      "run: sed -i 's/line 17$/seventeen/' hot\nrun: cat hot\nwrite: {path: own, content: x}",
    );
    await rig.untilState(second, "blocked");
    expect(await rig.inside(second, "hot")).toContain("seventeen");
    await go.say("go");
    expect([await rig.ended(first), await rig.ended(second)]).toEqual(["done", "done"]);
    expect(await rig.file("hot")).toBe(lines.replace("line 2\n", "two\n").replace("line 17", "seventeen"));
    expect([await rig.file("own"), await rig.trash(first), await rig.trash(second)]).toEqual(["x", {}, {}]);
    await rig.close();
  });

  test("[LD60] in the same place: of the second, that is set aside when it comes to it", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project({}, { files: { hot: lines } });
    const go = rig.pipe();
    const first = await rig.submit(project, `run: sed -i 's/line 2$/two/' hot\nrun: read line < ${go.path}`);
    await rig.until(() => rig.run(first).call?.number === 1);
    const second = await rig.submit(project, "run: sed -i 's/line 2$/zwei/' hot");
    await rig.untilState(second, "blocked");
    await go.say("go");
    expect([await rig.ended(first), await rig.ended(second)]).toEqual(["done", "done"]);
    expect(await rig.file("hot")).toBe(lines.replace("line 2\n", "two\n"));
    expect(await rig.trash(second)).toEqual({ hot: lines.replace("line 2\n", "zwei\n") });
    await rig.close();
  });
});

describe("a node that was silent", () => {
  test("[EN31] comes back as a new family, finds its command, and claims again what it lost", async () => {
    const [clock, nodeClock] = [new TestClock(), new TestClock()];
    const rig = await NodeRig.open({ clock, nodeClock });
    const project = await rig.project();
    const [started, go] = [rig.pipe(), rig.pipe()];
    const steps = `write: {path: a, content: first}
      run: echo once >> ran; ${sayWho} > ${started.path}; read line < ${go.path}
      write: {path: a, content: last}`;
    const run = await rig.submit(project, steps);
    await started.heard();
    clock.advance(30_000);
    await rig.until(() => rig.run(run).lost);
    expect(rig.run(run).state).toBe("parked");
    const claim = { type: "claim.make", project, as: "eva", units: ["file:a"], priority: 0 } as const;
    const held = await rig.ok({ ...claim, key: null, mode: "try", ttlMs: 3_600_000, waitMs: null });
    expect(held).toMatchObject({ of: "claim", claim: { state: "granted" } });
    nodeClock.advance(5000);
    await rig.until(() => rig.run(run).family === `${run}.2`);
    await go.say("go");
    await rig.untilState(run, "blocked");
    expect(await rig.inside(run, "a")).toBe("first");
    if (held.of === "claim") await rig.ok({ type: "lease.release", claim: held.claim.claim, units: null });
    expect(await rig.ended(run)).toBe("done");
    expect(await rig.file("a")).toBe("last");
    expect(await rig.file("ran")).toBe("once\n");
    expect(rig.defects).toEqual([]);
  });

  test("[EN31] comes back also when its driver noticed first that it was overtaken", async () => {
    const [clock, nodeClock] = [new TestClock(), new TestClock()];
    const rig = await NodeRig.open({ clock, nodeClock });
    const go = rig.pipe();
    const run = await rig.submit(await rig.project(), `run: read line < ${go.path}\nsay: after`);
    await rig.until(() => rig.run(run).call?.started === true);
    clock.advance(30_000);
    await rig.until(() => rig.run(run).lost);
    // The end of the command is reported under a family that is over.
    await go.say("go");
    await expect.poll(() => rig.log.length).toBeGreaterThan(0);
    await settle();
    nodeClock.advance(5000);
    expect(await rig.ended(run)).toBe("done");
    expect(rig.said(run)).toEqual(["after"]);
  });

  test("[EN31] and died meanwhile comes back after its restart", async () => {
    const [clock, nodeClock] = [new TestClock(), new TestClock()];
    const rig = await NodeRig.open({ clock, nodeClock });
    const run = await rig.submit(await rig.project(), "claim: [file:a]\nask: ready?\nsay: after");
    await rig.untilState(run, "awaiting-input");
    clock.advance(30_000);
    await rig.until(() => rig.run(run).lost);
    await rig.ok({ type: "run.answer", run, text: "yes" });
    const next = await rig.reopen();
    next.clock.advance(5000);
    expect(await next.ended(run)).toBe("done");
    expect(next.run(run).incarnation).toBe(2);
    expect(next.said(run)).toEqual(["after"]);
  });

  test("[EN31] finds the process that it left running, and nobody else gets its unit meanwhile", async () => {
    const [clock, nodeClock] = [new TestClock(), new TestClock()];
    const rig = await NodeRig.open({ clock, nodeClock });
    const [started, go] = [rig.pipe(), rig.pipe()];
    const script = `echo once >> ran; ${sayWho} > ${started.path}; read line < ${go.path}`;
    const project = await rig.project({ test: ["/bin/sh", "-c", script] });
    const run = await rig.submit(project, "process: test\nsay: after");
    const pid = pidOf(await started.heard());
    clock.advance(30_000);
    await rig.until(() => rig.run(run).lost);
    const waiter = await rig.submit(project, "claim: [process:test]\nsay: mine");
    await rig.untilState(waiter, "blocked");
    nodeClock.advance(5000);
    await rig.until(() => !rig.run(run).lost);
    expect(isRunning(pid)).toBe(true);
    expect(rig.run(waiter).state).toBe("blocked");
    await go.say("go");
    expect(await rig.ended(run)).toBe("done");
    expect(await rig.ended(waiter)).toBe("done");
    expect(await rig.file("ran")).toBe("once\n");
  });
});
