import { existsSync, mkdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeGround, NodeRig } from "../../test/support/node-rig.ts";

const everyStep = `
  claim: [file:early]
  release: all
  claim: [file:a.txt, dir:src, file:spare]
  write: {path: a.txt, content: one}
  edit: {path: a.txt, find: one, replace: two}
  read: a.txt
  write: {path: src/deep/b.txt, content: bee}
  run: echo ran >> ran; echo output
  run: [cp, a.txt, copy.txt]
  process: test
  sleep: 0ms
  say: half way
  repeat: {times: 3, steps: [{say: again}, {run: echo again >> ran}]}
  release: [file:spare]
  release: {units: [file:copy.txt], setAside: true}
  ask: shall I?
  say: the end`;

describe("a script", () => {
  test("[EN17] goes through every kind of step", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project({ test: ["/bin/sh", "-c", "echo tested >> tested"] });
    const run = await rig.submit(project, everyStep);
    await rig.untilState(run, "awaiting-input");
    expect(rig.run(run)).toMatchObject({ state: "awaiting-input", because: "shall I?" });
    await rig.ok({ type: "run.answer", run, text: "do" });
    expect(await rig.ended(run)).toBe("done");
    expect(await rig.file("a.txt")).toBe("two");
    expect(await rig.file("copy.txt")).toBeUndefined();
    expect(await rig.trash(run)).toEqual({ "copy.txt": "two" });
    expect(await rig.file("src/deep/b.txt")).toBe("bee");
    expect(await rig.file("ran")).toBe("ran\nagain\nagain\nagain\n");
    expect(await rig.file("tested")).toBe("tested\n");
    expect(rig.said(run)).toEqual(["half way", "again", "again", "again", "the end"]);
    expect(rig.state.table.families.get(`${run}.1`)?.leases.size ?? 0).toBe(0);
    await rig.close();
  });

  test("that says fail fails, with its words", async () => {
    const rig = await NodeRig.open();
    const run = await rig.submit(await rig.project(), `fail: it is not to be\nsay: never`);
    expect(await rig.ended(run)).toBe("failed: it is not to be");
    expect(rig.said(run)).toEqual([]);
  });

  test.each([
    ["run: exit 3", "step 0 (run): exit-nonzero: /bin/sh -c exit 3 ended with 3"],
    ["run: [no-such-program]", "step 0 (run): exit-nonzero: no-such-program ended with 127"],
    ["read: none.txt", "step 0 (read): no-file: none.txt does not exist"],
    ["edit: {path: none.txt, find: a, replace: b}", "step 0 (edit): no-file: none.txt does not exist"],
    ["process: dance", `step 0 (process): no-process: the project has no process "dance"; it has: build`],
    ["release: [file:a]", "release: not-held: "],
  ])("whose step goes wrong fails with a reason: %s", async (step, reason) => {
    const rig = await NodeRig.open();
    const run = await rig.submit(await rig.project({ build: ["true"] }), `${step}\nsay: never`);
    expect(await rig.ended(run)).toContain(`failed: ${reason}`);
    expect(rig.said(run)).toEqual([]);
  });

  test("that cannot be read fails with the place of the mistake", async () => {
    const rig = await NodeRig.open();
    const run = await rig.submitText(await rig.project(), "task: t\nsteps:\n  - dance: wildly\n");
    expect(await rig.ended(run)).toMatch(/^failed: steps\[0\]: there is no step "dance"/);
  });

  test("that is not stored any more fails, and so does a runner that is not here", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const lost = await rig.submit(project, "say: hello", { script: "gone" });
    expect(await rig.ended(lost)).toBe(
      "failed: its script cannot be read: the script gone is not stored here any more",
    );
    const other = await rig.submit(project, "say: hello", { runner: "oracle" });
    expect(await rig.ended(other)).toBe(`failed: there is no runner "oracle" on this node; it has: script`);
  });

  test("is refused a wait that would never end, in words", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const first = await rig.submit(project, `claim: [file:a]\nask: ready?\nclaim: [file:b]\nsay: got b`);
    await rig.untilState(first, "awaiting-input");
    const second = await rig.submit(project, `claim: [file:b]\nclaim: [file:a]\nsay: got a`);
    await rig.untilState(second, "blocked");
    await rig.ok({ type: "run.answer", run: first, text: "yes" });
    const end = await rig.ended(first);
    expect(end).toContain("failed: step 2 (claim): deadlock: Waiting would never end, because");
    expect(end).toContain(`${first}.1 waits for file:b on ${second}.1`);
    // Whoever wrote the script is told what they can do, and not only what the run could have done.
    expect(end).toContain(`Once they are done: signalbox retry ${first}. For good: name all that the script changes`);
    expect(await rig.ended(second)).toBe("done");
  });
});

describe("contention", () => {
  test("ten scripts that want three units finish in the order in which they came", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const pipe = rig.pipe();
    const wants = ["file:a", "file:b", "file:order"];
    const holder = await rig.submit(project, `claim: [${wants.join(", ")}]\nrun: read line < ${pipe.path}`);
    await rig.until(() => rig.run(holder).call?.tool === "run" && rig.run(holder).call?.started === true);
    const runs: string[] = [];
    for (let number = 0; number < 10; number++) {
      const steps = `claim: [${wants.join(", ")}]\nrun: echo ${number} >> order\nsay: done`;
      const run = await rig.submit(project, steps);
      await rig.untilState(run, "blocked");
      runs.push(run);
    }
    await pipe.say("go");
    for (const run of runs) expect(await rig.ended(run)).toBe("done");
    expect(await rig.file("order")).toBe("0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    const granted = rig.log.flatMap((event) =>
      event.type === "lease.granted" && event.units.length === 3 ? event.family : [],
    );
    expect(granted).toEqual([holder, ...runs].map((run) => `${run}.1`));
  });
});

test("output is kept where the event says", async () => {
  const rig = await NodeRig.open();
  const run = await rig.submit(
    await rig.project({ p: ["echo", "processed"] }),
    "run: echo hello; echo you >&2\nprocess: p",
  );
  expect(await rig.ended(run)).toBe("done");
  const outputs = rig.log.flatMap((event) => (event.type === "call.finished" ? (event.output ?? []) : []));
  const texts = outputs.map((name) => readFileSync(join(rig.ground.folder, "calls", name), "utf8"));
  expect(texts).toEqual(["hello\nyou\n", "processed\n"]);
});

describe("what commands wrote", () => {
  test("[RN23] goes when their run is removed, and what was missed then goes at the next start", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project();
    const run = await rig.submit(project, "run: echo hello");
    expect(await rig.ended(run)).toBe("done");
    const calls = join(rig.ground.folder, "calls");
    const left = join(calls, "r_zzz");
    mkdirSync(left);
    expect(readFileSync(join(calls, run, "0", "output"), "utf8")).toBe("hello\n");
    const removed = gone(calls, run);
    await rig.ok({ type: "run.remove", run });
    await removed;
    const missed = gone(calls, "r_zzz");
    const again = await rig.reopen();
    await missed;
    await again.close();
  });
});

/** Resolves when a folder has no such name any more. */
function gone(folder: string, name: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, () => {
      if (existsSync(join(folder, name))) return;
      watcher.close();
      resolve();
    });
  });
}

test("without user namespaces a run fails and says why, the node goes on, and a person's word is enough", async () => {
  const rig = await NodeRig.open({ ground: await makeGround({ namespaces: false }) });
  const project = await rig.project({});
  const steps = "write: {path: a.txt, content: one}\nrun: cat a.txt > b.txt";
  expect(await rig.ended(await rig.submit(project, steps))).toMatch(/^failed: there are no user namespaces/);
  expect(await rig.ended(await rig.submit(project, steps, { noCage: true }))).toBe("done");
  expect([await rig.file("a.txt"), await rig.file("b.txt")]).toEqual(["one", "one"]);
  await rig.close();
});
