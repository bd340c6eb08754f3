import { describe, expect, test } from "vitest";
import { service } from "../../../test/support/agent-world.ts";
import { LandingRig } from "../../../test/support/landing-rig.ts";
import { Fault } from "../../base/fault.ts";
import type { Input } from "../../core/inputs.ts";
import { commitOn, land } from "../../../test/support/memory-workspace.ts";
import { groundIn } from "./ground-of.ts";

function dieAt(rig: LandingRig, type: Input["type"]): void {
  rig.beforeReport = (input) => {
    if (input.type === type) throw new Error("killed");
  };
}

describe("a landing", () => {
  test("[LD26, LD32] is tested, intended, swapped and recorded, in this order, and then published", async () => {
    const rig = await LandingRig.with({ a: "a", b: "b" });
    const run = await rig.finished({ a: "A", b: null });
    const before = await rig.mainline.head();
    const heads: [type: string, head: string][] = [];
    rig.beforeReport = async ({ type }) => void heads.push([type, await rig.mainline.head()]);
    await rig.lander.land(rig.act(run));
    const [candidate = ""] = rig.tested;
    expect(heads).toEqual([
      ["landing.intend", before],
      ["run.landed", candidate],
      ["mainline.publish", candidate],
    ]);
    expect([await rig.text("a"), await rig.text("b")]).toEqual(["A", null]);
    expect(rig.noted).toEqual([[run, ["a", "b"]]]);
    expect(rig.core.run(run)).toMatchObject({ state: "done", landed: await rig.mainline.head() });
    expect(rig.mainline.person.tip).toBe(await rig.mainline.head());
  });

  test("[LD49] says what its project's template says, and always names its run", async () => {
    const rig = await LandingRig.with({ a: "a" });
    const [project] = rig.core.state.projects.values();
    const message = "feat: {title}\n\nfor {project}\n\nReviewed-by: {approver}";
    rig.core.ok({ type: "project.change", project: project?.id ?? "", landingMessage: message });
    const run = await rig.finished({ a: "A" });
    await rig.lander.land(rig.act(run));
    const { message: said } = await rig.mainline.factsOf(await rig.mainline.head());
    expect(said.trimEnd()).toBe(`feat: ${rig.core.run(run).title}\n\nfor ${project?.name}\n\nSignalbox-Run: ${run}`);
  });

  test("[LD50, LD53] goes to a branch of the run's own where its project says so, part by part, and mainline stays", async () => {
    const rig = await LandingRig.with({ a: "a", b: "b" });
    const [project] = rig.core.state.projects.values();
    rig.core.policy("look", { approvalRequired: true });
    rig.core.ok({ type: "project.change", project: project?.id ?? "", landingBranch: "agents/{run}" });
    const run = await rig.finished({ a: "A", b: "B" });
    const head = await rig.mainline.head();
    const parts: string[] = [];
    for (const path of ["a", "b"]) {
      const work = rig.core.run(run).workspace.dirty.get(path);
      if (work === undefined) throw new Error(`${path} is not changed`);
      rig.core.ok({ type: "run.approve", run, approved: [{ ...work, entry: work.work }] });
      await rig.lander.land(rig.act(run));
      parts.push(rig.mainline.person.branches.get(`agents/${run}`) ?? "");
    }
    expect(rig.core.run(run)).toMatchObject({ state: "done", landed: parts[1], landedOn: `agents/${run}` });
    expect([await rig.mainline.head(), project?.mainline]).toEqual([head, head]);
    expect(await rig.mainline.isAncestor(parts[0] ?? "", parts[1] ?? "")).toBe(true);
    expect((await rig.mainline.listTree(parts[1] ?? "")).size).toBe(2);
    // The run stands on its branch until mainline has it.
    const ground = (): Promise<string> => groundIn(rig.core.state, rig.mainline, rig.core.run(run));
    expect(await ground()).toBe(parts[1]);
    await rig.mainline.swap(head, parts[1] ?? "");
    const next = await land(rig.mainline, { c: "C" });
    expect(await ground()).toBe(next);
  });

  test("[LD50, LD37] on a branch is done once, also when the daemon dies before it is recorded", async () => {
    const rig = await LandingRig.with({ a: "a" });
    const [project] = rig.core.state.projects.values();
    rig.core.ok({ type: "project.change", project: project?.id ?? "", landingBranch: "{run}" });
    const run = await rig.finished({ a: "A" });
    dieAt(rig, "run.landed");
    await expect(rig.lander.land(rig.act(run))).rejects.toThrow("killed");
    rig.restart();
    await rig.lander.land(rig.act(run));
    expect(rig.tested).toHaveLength(1);
    expect(rig.core.run(run)).toMatchObject({ state: "done", landed: rig.tested[0], landedOn: run });
  });

  test("[LD50] whose branch is somebody else's goes back to a person", async () => {
    const rig = await LandingRig.with({ a: "a" });
    const [project] = rig.core.state.projects.values();
    rig.core.ok({ type: "project.change", project: project?.id ?? "", landingBranch: "x-{run}" });
    const run = await rig.finished({ a: "A" });
    rig.mainline.person.branches.set(`x-${run}`, await rig.mainline.head());
    await rig.lander.land(rig.act(run));
    expect(rig.core.run(run)).toMatchObject({ state: "review", landed: null, landing: null });
    expect(rig.core.lastOf("run.moved")).toMatchObject([{ because: expect.stringContaining("already") as string }]);
  });

  test("[IM7, IM8] of what the image of a profile is built of waits for a person", async () => {
    const rig = await LandingRig.with({ "box/Dockerfile": "FROM a\n", b: "b" });
    const profile = { name: "boxed", settings: { image: { dockerfile: "box/Dockerfile" } } };
    rig.core.ok({ type: "profile.set", profile, ensure: false });
    const other = await rig.finished({ b: "B" });
    await rig.lander.land(rig.act(other));
    const run = await rig.finished({ "box/Dockerfile": "FROM b\n" });
    await rig.lander.land(rig.act(run));
    expect([rig.core.run(other).state, rig.core.run(run).state]).toEqual(["done", "review"]);
    expect(rig.core.run(run).because).toContain("box/Dockerfile is built of");
  });

  const image = { dockerfile: "box/Dockerfile" };
  test.each([
    ["an agent", { services: [], image }],
    ["a service", { services: [service("db", { image, ports: [] })] }],
  ])("[IM7, AW5, SV66] of what the image of %s is built of waits for a person", async (_, own) => {
    const rig = await LandingRig.with({ "box/Dockerfile": "FROM a\n" });
    const [project = ""] = rig.core.state.projects.keys();
    const spec = { template: "boxed", env: {}, faces: [], ...own };
    rig.core.ok({ type: "agent.create", name: null, project, node: "local", spec, offered: [] });
    const run = await rig.finished({ "box/Dockerfile": "FROM b\n" });
    await rig.lander.land(rig.act(run));
    expect(rig.core.run(run).state).toBe("review");
    expect(rig.core.run(run).because).toContain("box/Dockerfile is built of");
  });

  test("[LD42] takes a person's commits in first, and says where mainline went", async () => {
    const rig = await LandingRig.with({ a: "a", b: "b" });
    const run = await rig.finished({ a: "A" });
    const from = await rig.mainline.head();
    const to = await commitOn(rig.mainline, from, { b: "by hand" });
    rig.mainline.person.tip = to;
    await rig.lander.land(rig.act(run));
    expect(rig.reports[0]).toMatchObject({ type: "mainline.move", from, to });
    expect([await rig.text("a"), await rig.text("b")]).toEqual(["A", "by hand"]);
  });

  test("[LD43] whose branch is in the way is landed, not published", async () => {
    const rig = await LandingRig.with({ a: "a" });
    const run = await rig.finished({ a: "A" });
    rig.mainline.person.inTheWay = "the checkout is not clean";
    await rig.lander.land(rig.act(run));
    expect(rig.core.run(run).state).toBe("done");
    expect([...rig.core.state.projects.values()][0]).toMatchObject({
      mainline: await rig.mainline.head(),
      notPublished: { why: "the checkout is not clean" },
    });
  });

  test("[LD51] whose person commits in the middle takes that along, and is published", async () => {
    const rig = await LandingRig.with({ a: "a" });
    const run = await rig.finished({ a: "A" });
    const base = rig.mainline.person.tip ?? "";
    rig.beforeReport = async ({ type }) => {
      if (type === "run.landed") rig.mainline.person.tip = await commitOn(rig.mainline, base, { b: "by hand" });
    };
    await rig.lander.land(rig.act(run));
    expect(rig.mainline.person.tip).toBe(await rig.mainline.head());
    expect([await rig.text("a"), await rig.text("b")]).toEqual(["A", "by hand"]);
    expect(rig.project).toMatchObject({ published: await rig.mainline.head(), notPublished: null });
  });

  test("[LD51] that is not published is so once somebody looks again, and what was in the way is gone", async () => {
    const rig = await LandingRig.with({ a: "a" });
    const run = await rig.finished({ a: "A" });
    rig.mainline.person.inTheWay = "the checkout is not clean";
    await rig.lander.land(rig.act(run));
    const told = rig.core.log.length;
    await rig.lander.look(rig.project);
    expect(rig.core.log).toHaveLength(told);
    rig.mainline.person.inTheWay = null;
    await rig.lander.look(rig.project);
    expect(rig.project).toMatchObject({ published: await rig.mainline.head(), notPublished: null });
  });

  test("[LD51] whose project cannot be opened any more says so, and the landing stays what it is", async () => {
    const rig = await LandingRig.with({ a: "a" });
    const run = await rig.finished({ a: "A" });
    rig.mainline.publish = () => Promise.reject(new Fault("own-folder", { retry: "never", message: "it is ours" }));
    await rig.lander.land(rig.act(run));
    expect(rig.core.run(run).state).toBe("done");
    const { name } = rig.project;
    expect(rig.project.notPublished).toMatchObject({ why: "it is ours", how: `signalbox project remove ${name}` });
  });

  test("[LD29, LD31] that meets a change in the same place goes back whole, with the side it has not seen", async () => {
    const rig = await LandingRig.with({ a: "a", b: "b" });
    const run = await rig.finished({ a: "mine", b: "B" });
    const head = await land(rig.mainline, { a: "theirs" });
    await rig.lander.land(rig.act(run));
    const theirs = (await rig.mainline.entriesAt(head, ["a"])).get("a");
    expect(rig.reports.at(-1)).toMatchObject({ how: "conflict", conflicts: [{ path: "a", theirs }] });
    expect(rig.core.run(run).state).not.toBe("landing");
    expect([await rig.text("a"), await rig.text("b")]).toEqual(["theirs", "b"]);
    expect(rig.tested).toEqual([]);
  });

  test("[LD28, LD29] that would make a file of a folder goes back", async () => {
    const rig = await LandingRig.with({ a: "a" });
    const run = await rig.finished({ "x/y": "mine" });
    await land(rig.mainline, { x: "a file" });
    await rig.lander.land(rig.act(run));
    expect(rig.reports.at(-1)).toMatchObject({ how: "conflict", conflicts: [{ path: "x/y" }] });
    expect(await rig.text("x")).toBe("a file");
  });

  test("[LD42] on a branch that went its own way goes back to a person, who is told what to do", async () => {
    const rig = await LandingRig.with({ a: "a" });
    const run = await rig.finished({ b: "B" });
    rig.mainline.person.tip = await commitOn(rig.mainline, await rig.mainline.head(), { a: "by hand" });
    await land(rig.mainline, { a: "landed" });
    await rig.lander.land(rig.act(run));
    expect(rig.core.run(run)).toMatchObject({
      state: "review",
      because: expect.stringContaining("in a: merge") as string,
    });
    expect(await rig.text("b")).toBe(null);
  });

  test("[LD30] that is red goes back to a person, with its leases, and mainline stays", async () => {
    const rig = await LandingRig.with({ a: "a" });
    const run = await rig.finished({ a: "A" });
    rig.verdicts.push({ red: "two tests failed" });
    await rig.lander.land(rig.act(run));
    expect(rig.core.run(run)).toMatchObject({ state: "review", because: "two tests failed" });
    expect(rig.core.holdings()).toEqual([`${run}: file:a`]);
    expect(await rig.text("a")).toBe("a");
    expect(rig.mainline.person.tip).toBe(await rig.mainline.head());
  });

  test("[LD32] whose swap is lost is computed and tested again on the new head; its approval stands", async () => {
    const rig = await LandingRig.with({ a: "a", b: "b" });
    const run = await rig.finished({ a: "A" });
    rig.beforeReport = async ({ type }) => {
      if (type !== "landing.intend" || rig.tested.length > 1) return;
      rig.mainline.person.tip = await land(rig.mainline, { b: "by hand" });
    };
    await rig.lander.land(rig.act(run));
    expect(rig.tested).toHaveLength(2);
    expect([await rig.text("a"), await rig.text("b")]).toEqual(["A", "by hand"]);
    expect(rig.landed).toEqual([run]);
  });

  test("[LD26] waits for the one before it, in the order in which they came", async () => {
    const rig = await LandingRig.with({ a: "a", b: "b", c: "c" });
    const runs = [await rig.finished({ a: "A" }), await rig.finished({ b: "B" }), await rig.finished({ c: "C" })];
    rig.beforeReport = async ({ type }) => {
      if (type === "landing.intend") await new Promise((resolve) => setImmediate(resolve));
    };
    await Promise.all(runs.map((run) => rig.lander.land(rig.act(run))));
    expect(rig.reports.map(({ type }) => type)).toEqual(
      runs.flatMap(() => ["landing.intend", "run.landed", "mainline.publish"]),
    );
    expect(rig.landed).toEqual(runs);
    expect(await Promise.all(["a", "b", "c"].map((path) => rig.text(path)))).toEqual(["A", "B", "C"]);
  });

  test("[LD26, LD37] that is asked for again happens once", async () => {
    const rig = await LandingRig.with({ a: "a" });
    const run = await rig.finished({ a: "A" });
    const act = rig.act(run);
    await Promise.all([rig.lander.land(act), rig.lander.land(act)]);
    await rig.lander.land(act);
    expect(rig.landed).toEqual([run]);
    expect(rig.tested).toHaveLength(1);
  });

  test("[LD52] that the world keeps from happening goes back to a person, who hears why; what passes is only waited for", async () => {
    const rig = await LandingRig.with({ a: "a" });
    const run = await rig.finished({ a: "A" });
    const head = rig.mainline.head.bind(rig.mainline);
    const fails = (): Promise<never> =>
      Promise.reject(new Fault("git-failed", { retry: "later", message: "the folder is gone" }));
    rig.mainline.head = fails;
    const act = rig.act(run);
    for (const _ of [1, 2]) await expect(rig.lander.land(act)).rejects.toThrow("the folder is gone");
    await rig.lander.land(act);
    expect(rig.core.run(run)).toMatchObject({ state: "review" });
    expect(rig.reports.at(-1)).toMatchObject({
      how: "back",
      message: "it cannot be landed now (the folder is gone): mend that, then approve again",
    });
    rig.mainline.head = head;
    const other = await rig.finished({ b: "B" });
    rig.mainline.head = fails;
    await expect(rig.lander.land(rig.act(other))).rejects.toThrow("the folder is gone");
    rig.mainline.head = head;
    await rig.lander.land(rig.act(other));
    expect(rig.core.run(other).state).toBe("done");
  });

  test("[LD52] that is intended is never taken back, however long the world is in its way", async () => {
    const rig = await LandingRig.with({ a: "a" });
    const run = await rig.finished({ a: "A" });
    rig.mainline.swap = () => Promise.reject(new Fault("git-failed", { retry: "later", message: "the disk is full" }));
    const act = rig.act(run);
    for (const _ of [1, 2, 3, 4]) await expect(rig.lander.land(act)).rejects.toThrow("the disk is full");
    expect(rig.core.run(run)).toMatchObject({ state: "landing", landing: { candidate: expect.any(String) as string } });
  });

  test("[LD26] one that fails does not hold up the next", async () => {
    const rig = await LandingRig.with({ a: "a", b: "b" });
    const [first, second] = [await rig.finished({ a: "A" }), await rig.finished({ b: "B" })];
    dieAt(rig, "landing.intend");
    const [one, two] = [rig.lander.land(rig.act(first)), rig.lander.land(rig.act(second))];
    await expect(one).rejects.toThrow("killed");
    rig.beforeReport = () => undefined;
    await two;
    await rig.lander.land(rig.act(first));
    expect(rig.landed).toEqual([second, first]);
  });
});

describe("a landing that a crash interrupted", () => {
  async function interrupted(at: Input["type"]): Promise<{ rig: LandingRig; run: string }> {
    const rig = await LandingRig.with({ a: "a", b: "b" });
    const run = await rig.finished({ a: "A" });
    dieAt(rig, at);
    await expect(rig.lander.land(rig.act(run))).rejects.toThrow("killed");
    rig.restart();
    return { rig, run };
  }

  test("[LD37] before its intent begins again", async () => {
    const { rig, run } = await interrupted("landing.intend");
    expect(rig.core.run(run).landing).toBe(null);
    await rig.lander.land(rig.act(run));
    expect(rig.landed).toEqual([run]);
    expect(await rig.text("a")).toBe("A");
  });

  test("[LD37] with its candidate at the head is recorded, and not made again", async () => {
    const { rig, run } = await interrupted("run.landed");
    const candidate = await rig.mainline.head();
    expect(rig.core.run(run).landing).toMatchObject({ candidate });
    await rig.lander.land(rig.act(run));
    expect(rig.tested).toEqual([candidate]);
    expect(rig.core.run(run)).toMatchObject({ state: "done", landed: candidate });
    expect(await rig.mainline.head()).toBe(candidate);
  });

  test("[LD37] with somebody's commit on top of its candidate is recorded, and never landed twice", async () => {
    const { rig, run } = await interrupted("run.landed");
    const candidate = await rig.mainline.head();
    const on = await land(rig.mainline, { a: "A, by hand", b: "B" });
    await rig.lander.land(rig.act(run));
    expect(rig.core.run(run)).toMatchObject({ state: "done", landed: candidate });
    expect(await rig.mainline.head()).toBe(on);
    expect(rig.tested).toHaveLength(1);
  });

  /** The intent is in the log, and the ref has not moved. */
  async function intended(): Promise<{ rig: LandingRig; run: string; candidate: string }> {
    const rig = await LandingRig.with({ a: "a", b: "b" });
    const run = await rig.finished({ a: "A" });
    const swap = rig.mainline.swap.bind(rig.mainline);
    rig.mainline.swap = () => Promise.reject(new Error("killed"));
    await expect(rig.lander.land(rig.act(run))).rejects.toThrow("killed");
    rig.mainline.swap = swap;
    rig.restart();
    return { rig, run, candidate: rig.core.run(run).landing?.candidate ?? "" };
  }

  test("[LD37] before the ref moved is swapped as it was, when its parent is still the head", async () => {
    const { rig, run, candidate } = await intended();
    await rig.lander.land(rig.act(run));
    expect(await rig.mainline.head()).toBe(candidate);
    expect(rig.tested).toEqual([candidate]);
    expect(rig.core.run(run)).toMatchObject({ state: "done", landed: candidate });
  });

  test("[LD37] before the ref moved is computed again, when mainline has gone on without it", async () => {
    const { rig, run, candidate } = await intended();
    const on = await land(rig.mainline, { b: "B" });
    await rig.lander.land(rig.act(run));
    const head = await rig.mainline.head();
    expect(await rig.mainline.isAncestor(on, head)).toBe(true);
    expect(await rig.mainline.isAncestor(candidate, head)).toBe(false);
    expect([await rig.text("a"), await rig.text("b")]).toEqual(["A", "B"]);
    expect(rig.landed).toEqual([run]);
  });
});
