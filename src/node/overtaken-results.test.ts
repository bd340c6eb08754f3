import { expect, test } from "vitest";
import { ScriptRunner } from "../adapters/runner/script-runner.ts";
import type { Logged } from "../core/events.ts";
import type { PolicyRules } from "../core/policy/policy.ts";
import type { Door, Runner } from "../ports/runner.ts";
import { NodeRig, type NodeRigOptions } from "../../test/support/node-rig.ts";

const minuteMs = 60_000;
const before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const ours = before.replace("two", "OURS");
const theirs = before.replace("two", "THEIRS");
const both = before.replace("two", "THEIRS and OURS");

/** Changes a file and finishes. Woken again, it does what it is told by then, and finishes. */
function assistant(heard: string[], whenOvertaken: (door: Door) => Promise<void>): Runner {
  return {
    name: "own",
    drive: async (job, door) => {
      if (job.sentBack === null) {
        await door.change({ do: "write", path: "hot", content: ours });
      } else {
        heard.push(job.sentBack);
        door.skipTo(job.callsDone);
        await whenOvertaken(door);
      }
      await door.finish(true, "done");
    },
  };
}

/** A result in review whose hold has run out, and somebody else has landed in the same place. */
async function overtakenInReview(
  own: Runner,
  options: NodeRigOptions = {},
  there = theirs,
): Promise<[NodeRig, string]> {
  const rig = await NodeRig.open({ ...options, runners: [own, new ScriptRunner()] });
  const project = await rig.project({}, { files: { hot: before } });
  await setRules(rig, "patience", { holdPatienceMs: minuteMs });
  await setRules(rig, "four eyes", { approvalRequired: true });
  const run = await rig.submit(project, "say: hello", { runner: "own" });
  await rig.untilState(run, "review");
  await setRules(rig, "four eyes", {});
  const other = await rig.submit(project, `write: {path: hot, content: ${JSON.stringify(there)}}`);
  await rig.untilState(other, "blocked");
  await rig.passTime(minuteMs);
  expect(await rig.ended(other)).toBe("done");
  return [rig, run];
}

async function setRules(rig: NodeRig, name: string, rules: PolicyRules): Promise<void> {
  await rig.ok({ type: "policy.set", policy: { name, priority: 0, enabled: true, scope: {}, rules } });
}

test("[LD20, LD33] a result that lost its lease in review and met somebody else's work goes to its runner before it is judged", async () => {
  const heard: string[] = [];
  const again = assistant(heard, async (door) => {
    const there = await door.read("hot");
    if (there.ok && there.text.includes("THEIRS"))
      await door.change({ do: "edit", path: "hot", find: "THEIRS", replace: "THEIRS and OURS" });
  });
  const [rig, run] = await overtakenInReview(again);
  await rig.ok({ type: "run.approve", run, approved: null });
  expect(await rig.ended(run)).toBe("done");
  expect(heard).toEqual([expect.stringMatching(/somebody else changed hot in the same place.*and finish$/)]);
  expect(await rig.file("hot")).toBe(both);
  expect(await rig.trash(run)).toEqual({ hot: ours });
  await rig.close();
});

test("[LD20] it hears so once: finished again without a change, it is done, and its side is in the trash", async () => {
  const heard: string[] = [];
  const [rig, run] = await overtakenInReview(assistant(heard, () => Promise.resolve()));
  await rig.ok({ type: "run.approve", run, approved: null });
  expect(await rig.ended(run)).toBe("done");
  expect(heard).toHaveLength(1);
  expect(rig.run(run).because).toBe("all that it changed was set aside");
  expect([await rig.file("hot"), await rig.trash(run)]).toEqual([theirs, { hot: ours }]);
  await rig.close();
});

test("[LD20] it hears so also when the daemon died right after its side had given way", async () => {
  const heard: string[] = [];
  const own = assistant(heard, () => Promise.resolve());
  const dieAt = (events: readonly Logged[]): "kept" | undefined =>
    events.some(({ type }) => type === "paths.set-aside") ? "kept" : undefined;
  const [rig, run] = await overtakenInReview(own, { dieAt });
  await rig.ok({ type: "run.approve", run, approved: null });
  await rig.died;
  expect(heard).toEqual([]);
  const next = await NodeRig.open({ ground: rig.ground, clock: rig.clock, runners: [own, new ScriptRunner()] });
  expect(await next.ended(run)).toBe("done");
  expect(heard).toHaveLength(1);
  await next.close();
});

test("[LD20, LD33] what merges is claimed again and lands without its runner", async () => {
  const heard: string[] = [];
  const apart = before.replace("seven", "SEVEN");
  const [rig, run] = await overtakenInReview(
    assistant(heard, () => Promise.resolve()),
    {},
    apart,
  );
  await rig.ok({ type: "run.approve", run, approved: null });
  expect(await rig.ended(run)).toBe("done");
  expect([heard, await rig.trash(run)]).toEqual([[], {}]);
  expect(await rig.file("hot")).toBe(apart.replace("two", "OURS"));
  await rig.close();
});

test("[LD33, RN27] what a person says while it is claimed again is heard before anything is judged", async () => {
  const heard: string[] = [];
  const own: Runner = {
    name: "own",
    drive: async (job, door) => {
      door.skipTo(job.callsDone);
      if (job.messages.length === 0) await door.change({ do: "write", path: "hot", content: ours });
      else await door.change({ do: "write", path: "hot", content: before.replace("seven", "rather") });
      heard.push(...job.messages);
      await door.finish(true, "done");
    },
  };
  const held = Promise.withResolvers<void>();
  const hold: Runner = {
    name: "hold",
    drive: async (_job, door) => {
      await door.claim(["file:hot"]);
      await held.promise;
      await door.finish(true, "done");
    },
  };
  const rig = await NodeRig.open({ runners: [own, hold] });
  const project = await rig.project({}, { files: { hot: before } });
  await setRules(rig, "patience", { holdPatienceMs: minuteMs });
  await setRules(rig, "four eyes", { approvalRequired: true });
  const run = await rig.submit(project, "say: hello", { runner: "own" });
  await rig.untilState(run, "review");
  await setRules(rig, "four eyes", {});
  const other = await rig.submit(project, "say: hello", { runner: "hold" });
  await rig.untilState(other, "blocked");
  await rig.passTime(minuteMs);
  await rig.untilState(other, "running");
  await rig.ok({ type: "run.approve", run, approved: null });
  await rig.untilState(run, "blocked");
  await rig.ok({ type: "run.steer", run, message: "rather the last line", interrupt: true });
  held.resolve();
  expect(await rig.ended(run)).toBe("done");
  expect(heard).toEqual(["rather the last line"]);
  expect(await rig.file("hot")).toContain("rather");
  expect(await rig.file("hot")).not.toContain("OURS");
  await rig.close();
});
