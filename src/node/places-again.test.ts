import { execFileSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Logged } from "../core/events.ts";
import { makeGround, NodeRig, type Ground } from "../../test/support/node-rig.ts";
import { noCages } from "../../test/support/keeper-rig.ts";

const files = {
  ".gitignore": "build\nnode_modules\n",
  "a.txt": "a\n",
  "other.txt": "old\n",
  "package-lock.json": "1\n",
};
const build = "run: mkdir -p build && echo built > build/x && ln -s x build/link && echo home > ~/kept";
/** Says what is there: what was built, what is at home, and what another run has landed meanwhile. */
const look = "cat build/link ~/kept other.txt > seen; mkdir -p build; echo more >> build/x";

function textOf(steps: readonly string[], onMessage = look): string {
  return `task: t\nsteps:\n${steps.map((step) => `  - ${step}\n`).join("")}onMessage:\n  - run: ${onMessage}\n`;
}

async function continued(rig: NodeRig, run: string): Promise<void> {
  const { incarnation } = rig.run(run);
  await rig.ok({ type: "run.continue", run, message: "go on" });
  await rig.until(() => rig.run(run).incarnation > incarnation && rig.run(run).state === "done");
  await rig.ended(run);
}

/** Whether it was in a fresh workspace, each time that it was continued. */
function placed(log: readonly Logged[], run: string): boolean[] {
  return log.flatMap((event) => (event.type === "run.placed" && event.run === run ? event.fresh === true : []));
}

function placeOf(ground: Ground, run: string): string {
  return join(ground.agents.folder, "agents", run);
}

/** One that is done, after which somebody else has landed something. */
async function oneThatIsDone(rig: NodeRig, more: { readonly noCage?: true } = {}): Promise<string> {
  const project = await rig.project({}, { git: true, files });
  const run = await rig.submitText(project, textOf([build, "write: { path: a.txt, content: b }"]), more);
  expect(await rig.ended(run)).toBe("done");
  expect(await rig.ended(await rig.submit(project, "write: { path: other.txt, content: new }", more))).toBe("done");
  return run;
}

describe.each([{ namespaces: true }, { namespaces: false }])("a run that is continued, %j", ({ namespaces }) => {
  const more = namespaces ? {} : ({ noCage: true } as const);

  test.skipIf(namespaces && noCages)(
    "[RN16] finds what it had built, and mainline's files as they are now, as often as it is continued",
    async () => {
      const rig = await NodeRig.open({ ground: await makeGround({ namespaces }) });
      const run = await oneThatIsDone(rig, more);
      await continued(rig, run);
      expect(await rig.file("seen")).toBe("built\nhome\nnew");
      await continued(rig, run);
      expect(await rig.file("seen")).toBe("built\nmore\nhome\nnew");
      expect(placed(rig.log, run)).toEqual([false, false]);
      expect(await rig.files()).toEqual([".gitignore", "a.txt", "other.txt", "package-lock.json", "seen"]);
      expect(await rig.trash(run)).toEqual({});
      expect(rig.kept).toEqual([]);
      await rig.close();
    },
  );

  test.skipIf(namespaces && noCages)(
    "[RN16, LD63] its git stands where its files do, whatever it had committed",
    async () => {
      const rig = await NodeRig.open({ ground: await makeGround({ namespaces }) });
      const project = await rig.project({}, { git: true, files });
      const see =
        "(git status --porcelain; git log -1 --format=%s signalbox/left; git diff HEAD signalbox/base) > seen";
      const run = await rig.submitText(project, textOf(["run: echo b > a.txt && git commit -qam mine"], see), more);
      expect(await rig.ended(run)).toBe("done");
      expect(await rig.ended(await rig.submit(project, "write: { path: other.txt, content: new }", more))).toBe("done");
      await continued(rig, run);
      expect(await rig.file("seen")).toBe("?? seen\nmine\n");
      await rig.close();
    },
  );

  test.skipIf(namespaces && noCages)("[RN16] does so after a restart as well", async () => {
    const ground = await makeGround({ namespaces });
    const first = await NodeRig.open({ ground });
    const run = await oneThatIsDone(first, more);
    const rig = await first.reopen();
    await continued(rig, run);
    expect(await rig.file("seen")).toBe("built\nhome\nnew");
    expect(placed(rig.log, run)).toEqual([false]);
    await rig.close();
  });
});

const moments: Readonly<Record<string, (event: Logged) => boolean>> = {
  "it was done": (event) => event.type === "run.moved" && event.to === "done",
  "it was proven stopped": ({ type }) => type === "run.stopped",
  "it was continued": ({ type }) => type === "run.revived",
  "it had its place again": ({ type }) => type === "run.placed",
};

describe.skipIf(noCages)("the place of a run that is done", () => {
  test.each(Object.keys(moments).flatMap((moment) => (["lost", "kept"] as const).map((how) => [moment, how] as const)))(
    "[RN16] is there when the daemon died as %s, and that was %s",
    async (moment, how) => {
      const ground = await makeGround();
      let armed = "";
      const dieAt = (events: readonly Logged[]): "lost" | "kept" | undefined => {
        const isIt = events.some((event) => "run" in event && event.run === armed && moments[moment]?.(event) === true);
        return isIt ? how : undefined;
      };
      const rig = await NodeRig.open({ ground, dieAt });
      const project = await rig.project({}, { git: true, files });
      const run = await rig.submitText(project, textOf([build, "ask: ready?", "write: { path: a.txt, content: b }"]));
      await rig.untilState(run, "awaiting-input");
      armed = run;
      void rig.give({ type: "run.answer", run, text: "yes" });
      const isDead = await Promise.race([rig.died.then(() => true), rig.ended(run).then(() => false)]);
      if (!isDead) void rig.give({ type: "run.continue", run, message: "go on" });
      await rig.died;
      const next = await NodeRig.open({ ground });
      await next.ended(run);
      if (next.run(run).incarnation === 1) await continued(next, run);
      expect(await next.file("seen")).toBe("built\nhome\nold\n");
      expect(placed(next.log, run)).toEqual([false]);
      expect(await next.trash(run)).toEqual({});
      await next.close();
    },
  );

  test("[RN16, LD45] has the dependencies, too, that others stand on by now, and does not change theirs", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project({}, { git: true, files });
    const install = "run: mkdir node_modules && echo installed > node_modules/x";
    const steps = [install, "write: { path: a.txt, content: b }"];
    const run = await rig.submitText(project, textOf(steps, "echo mine >> node_modules/x; cat node_modules/x > seen"));
    expect(await rig.ended(run)).toBe("done");
    const other = textOf(["run: cat node_modules/x > others", "ask: go on?"], "cat node_modules/x > others");
    const waits = await rig.submitText(project, other);
    await rig.untilState(waits, "awaiting-input");
    await continued(rig, run);
    expect(await rig.file("seen")).toBe("installed\nmine\n");
    await rig.ok({ type: "run.answer", run: waits, text: "yes" });
    expect(await rig.ended(waits)).toBe("done");
    expect(await rig.file("others")).toBe("installed\n");
    await continued(rig, run);
    expect(await rig.file("seen")).toBe("installed\nmine\nmine\n");
    expect(placed(rig.log, run)).toEqual([false, false]);
    await rig.close();
  });

  test("[RN16, LD38] has nothing in it that nobody saw: what was changed there later is set aside, and does not land", async () => {
    const rig = await NodeRig.open();
    const run = await oneThatIsDone(rig);
    const upper = join(placeOf(rig.ground, run), "upper");
    writeFileSync(join(upper, "stray.txt"), "stray");
    writeFileSync(join(upper, "other.txt"), "stray, too");
    await continued(rig, run);
    expect(await rig.trash(run)).toEqual({ "stray.txt": "stray", "other.txt": "stray, too" });
    expect(await rig.file("seen")).toBe("built\nhome\nnew");
    expect(await rig.file("stray.txt")).toBeUndefined();
    expect(placed(rig.log, run)).toEqual([false]);
    await rig.close();
  });

  /** One that is done, in a project that tracks `path` since. */
  async function tracking(
    path: string,
    before: (place: string) => void = () => undefined,
    dieAt: (events: readonly Logged[]) => "lost" | undefined = () => undefined,
  ): Promise<{ readonly rig: NodeRig; readonly run: string; readonly ground: Ground }> {
    const ground = await makeGround();
    const first = await NodeRig.open({ ground });
    const run = await oneThatIsDone(first);
    const person = first.person(first.run(run).project);
    await first.close();
    before(placeOf(ground, run));
    person.write({ [path]: "tracked\n" });
    person.git("add", "-f", path);
    person.git("commit", "-qm", "track it");
    const rig = await NodeRig.open({ ground, dieAt });
    await rig.ok({ type: "run.continue", run, message: "go on" });
    return { rig, run, ground };
  }

  test("[RN16, LD17] has what the project tracks by now as the project has it, and what it had there is set aside", async () => {
    const { rig, run } = await tracking("build/x");
    await rig.until(() => rig.run(run).state === "done");
    await rig.ended(run);
    expect(placed(rig.log, run)).toEqual([false]);
    expect(await rig.file("seen")).toBe("home\nnew");
    expect(await rig.file("build/x")).toBe("tracked\nmore\n");
    // In a folder that the project has something in, each new file counts as a change; this one was nobody's.
    expect(await rig.file("build/link")).toBeUndefined();
    expect(await rig.trash(run)).toEqual({ "build/x": "built\n", "build/link": "x" });
    await rig.close();
  });

  test("[RN16, LD17] what gave way is set aside also where the daemon died right after it", async () => {
    const isPlaced = ({ type }: Logged): boolean => type === "run.placed";
    const dieAt = (events: readonly Logged[]): "lost" | undefined => (events.some(isPlaced) ? "lost" : undefined);
    const { rig, run, ground } = await tracking("build/x", undefined, dieAt);
    await rig.died;
    const next = await NodeRig.open({ ground });
    await next.until(() => next.run(run).state === "done");
    await next.ended(run);
    expect(placed(next.log, run)).toEqual([false]);
    expect(await next.file("build/x")).toBe("tracked\nmore\n");
    expect(await next.trash(run)).toEqual({ "build/x": "built\n", "build/link": "x" });
    await next.close();
  });

  test("[RN16] is given up where it cannot be had, and the run goes on in a fresh one", async () => {
    // What is no file is in the way, and cannot be set aside.
    const { rig, run } = await tracking("build/pipe", (place) =>
      execFileSync("mkfifo", [join(place, "upper/build/pipe")]),
    );
    while (!["done", "failed"].includes(rig.run(run).state)) await rig.passTime(1000);
    await rig.ended(run);
    expect([rig.run(run).state, placed(rig.log, run)]).toEqual(["done", [true]]);
    expect(await rig.file("seen")).toBe("new");
    expect(await rig.file("build/pipe")).toBe("tracked\n");
    await rig.close();
  });

  test("[RN16] goes when there are too many, or it takes too much; then it is said that the workspace is a fresh one", async () => {
    const ground = await makeGround();
    const usual = { placesMax: 1, bytesMax: 1024 ** 3, diskParts: 1 };
    const rig = await NodeRig.open({ ground, done: usual });
    const run = await oneThatIsDone(rig);
    await expect.poll(() => existsSync(placeOf(ground, run)), { timeout: 20_000 }).toBe(false);
    await continued(rig, run);
    expect(placed(rig.log, run)).toEqual([true]);
    expect(await rig.file("seen")).toBe("new");
    expect(existsSync(placeOf(ground, run))).toBe(true);
    const next = await rig.reopen({ done: { ...usual, bytesMax: 1 } });
    expect(existsSync(placeOf(ground, run))).toBe(true);
    await continued(next, run);
    expect(placed(next.log, run)).toEqual([true, false]);
    await expect.poll(() => existsSync(placeOf(ground, run)), { timeout: 20_000 }).toBe(false);
    await next.close();
  });

  test("[RN16, MT6] goes with its run, with its project, and when room is made", async () => {
    const ground = await makeGround();
    const rig = await NodeRig.open({ ground });
    const project = await rig.project({}, { git: true, files });
    const end = async (): Promise<string> => {
      const run = await rig.submitText(project, textOf([build]));
      expect(await rig.ended(run)).toBe("done");
      return run;
    };
    const isThere = (run: string): boolean => existsSync(placeOf(ground, run));
    const [removed, pruned] = [await end(), await end()];
    await rig.ok({ type: "run.remove", run: removed });
    await expect.poll(() => isThere(removed), { timeout: 20_000 }).toBe(false);
    expect(isThere(pruned)).toBe(true);
    expect(await rig.node.spares.prunePlaces()).toBe(1);
    expect(isThere(pruned)).toBe(false);
    await continued(rig, pruned);
    expect(placed(rig.log, pruned)).toEqual([true]);
    await rig.ok({ type: "project.remove", project });
    await expect.poll(() => isThere(pruned), { timeout: 20_000 }).toBe(false);
    await rig.close();
    rmSync(placeOf(ground, pruned), { recursive: true, force: true });
  });

  test("[RN16] that ended badly is no place to come back to", async () => {
    const rig = await NodeRig.open();
    const project = await rig.project({}, { git: true, files });
    const run = await rig.submitText(project, textOf([build, "fail: no"]));
    expect(await rig.ended(run)).toBe("failed: no");
    await expect.poll(() => existsSync(placeOf(rig.ground, run)), { timeout: 20_000 }).toBe(false);
    await rig.close();
  });
});
