// Whoever has to wait or hears no is told by whom or by what, and what to do about it; the same in every face.

import { describe, expect, test } from "vitest";
import { FaceNode } from "../support/faces/face-node.ts";
import { type FaceWorld, inFaceWorld } from "../support/faces/face-world.ts";

const script = "task: x\nsteps: []";

async function withProject(world: FaceWorld): Promise<void> {
  await world.http.call("project.add", { root: world.folder, name: "demo", processes: { test: { argv: ["true"] } } });
}

/** Lets everything expire that lasts no longer than this. */
async function pass(world: FaceWorld, claim: string): Promise<void> {
  const life = async (): Promise<string> => {
    await world.submit({ type: "tick" });
    const family = world.engine.state.table.claims.get(claim)?.family ?? "";
    return world.engine.state.table.families.get(family)?.life ?? "over";
  };
  await expect.poll(life).toBe("over");
}

describe("a run that waits", () => {
  test("[SC3] for a limit says whose it is, and no longer once it is at work", () =>
    inFaceWorld(async (world) => {
      await withProject(world);
      await world.http.call("policy.set", { name: "one", rules: { maxConcurrent: 1 } });
      const { run: first } = await world.http.call("run.submit", { project: "demo", script });
      const { run: second } = await world.http.call("run.submit", { project: "demo", script });
      expect((await world.http.call("run.get", { run: first })).run).toMatchObject({
        state: "starting",
        waitsFor: null,
      });
      expect((await world.http.call("run.get", { run: second })).run).toMatchObject({
        state: "queued",
        behind: [],
        waitsFor: { policy: "one", limit: 1 },
      });
      await world.http.call("run.stop", { run: first });
      expect((await world.http.call("run.get", { run: second })).run).toMatchObject({ waitsFor: null });
    }));

  test("[SC11] and one that is over say which policies decided", () =>
    inFaceWorld(async (world) => {
      const node = new FaceNode(world);
      await withProject(world);
      await world.http.call("policy.set", { name: "careful", rules: { approvalRequired: true } });
      await world.http.call("policy.set", { name: "brief", rules: { maxTimeMs: 60_000 } });
      const { run } = await world.http.call("run.submit", { project: "demo", script, acceptance: ["true"] });
      await node.start(run);
      await node.write(run, { "a.txt": "a\n" });
      await node.finish(run);
      const tested = { exit: 0, summary: "all good\n", output: null };
      await world.submit({ type: "run.validated", run, ok: true, message: "", tested });
      const shown = (await world.http.call("run.get", { run })).run;
      expect(shown).toMatchObject({
        state: "review",
        limitPolicy: "brief",
        approvalPolicy: "careful",
        approvedBy: null,
        tested: { ok: true, exit: 0 },
      });
      const after = (shown.tested?.event ?? 0) - 1;
      const { events } = await world.http.call("events.read", { after, limit: 1 });
      expect(events).toMatchObject([{ type: "run.tested", summary: "all good\n" }]);
      await world.http.call("run.approve", { run });
      expect((await world.http.call("run.get", { run })).run).toMatchObject({
        approvalPolicy: "careful",
        approvedBy: "person:test",
      });
    }));
});

describe("a run that is submitted again with its key", () => {
  test("[RN2] is the same one, whatever its profile says by now; with other content it is refused by name", () =>
    inFaceWorld(async ({ http, folder }) => {
      await http.call("project.add", { root: folder, name: "demo" });
      await http.call("profile.set", { name: "own", settings: { runner: "script", egress: "none" } });
      const asked = { project: "demo", script, profile: "own", key: "k" };
      const { run } = await http.call("run.submit", asked);
      await http.call("profile.set", { name: "own", settings: { runner: "mcp", egress: "list" } });
      expect((await http.call("run.submit", asked)).run).toBe(run);
      const other = http.call("run.submit", { ...asked, description: "more", tags: ["late"] });
      const differs = `The key "k" was used before, for run ${run}, and this differs: description, tags.`;
      await expect(other).rejects.toThrow(differs);
    }));
});

describe("a claim that is not granted", () => {
  test("[LS27] names who holds the unit, or wants it further ahead", () =>
    inFaceWorld(async (world) => {
      await withProject(world);
      await world.http.call("claim.make", { project: "demo", units: ["file:a"], as: "bob" });
      const busy = await world.http.call("claim.make", { project: "demo", units: ["file:a"], as: "ann", mode: "try" });
      expect(busy).toMatchObject({ state: "busy", code: "busy", behind: [{ holder: "bob", unit: "file:a" }] });
      expect(busy.message).toContain("file:a is held by bob");
    }));

  test("[LS32] says of a closed unit how it is opened", () =>
    inFaceWorld(async (world) => {
      await withProject(world);
      const held = await world.http.call("claim.make", {
        project: "demo",
        units: ["process:test"],
        as: "bob",
        ttlMs: 100,
      });
      await pass(world, held.claim);
      for (const mode of ["try", "wait"] as const) {
        const no = await world.http.call("claim.make", { project: "demo", units: ["process:test"], as: "ann", mode });
        expect(no.message).toContain("process:test is closed: bob, who held it, is gone");
        expect(no.ways[0]).toContain("signalbox clear process:test --project demo");
        // Whoever waits has to know at once that waiting does not help.
        expect(no.hint).toBe(mode === "wait" ? no.ways[0] : null);
      }
    }));

  test("[LS1] says of a unit with a star that it is one path", () =>
    inFaceWorld(async (world) => {
      await withProject(world);
      const made = await world.http.call("claim.make", { project: "demo", units: ["file:src/*.ts"], as: "ann" });
      expect(made).toMatchObject({ state: "granted", ways: [] });
      expect(made.hint).toContain("units have no wildcards. dir:src is the folder");
      const plain = await world.http.call("claim.make", { project: "demo", units: ["file:a"], as: "ann" });
      expect(plain.hint).toBeNull();
    }));

  test("[LS8] keeps the name of its holder when that is gone", () =>
    inFaceWorld(async (world) => {
      await withProject(world);
      const held = await world.http.call("claim.make", { project: "demo", units: ["file:a"], as: "bob", ttlMs: 100 });
      await pass(world, held.claim);
      const later = await world.http.call("claim.get", { claim: held.claim });
      expect(later).toMatchObject({ holder: "bob", held: false, code: "not-held" });
      await expect(world.http.call("claim.renew", { claim: held.claim })).rejects.toMatchObject({
        code: "expired",
        message: expect.stringContaining("The leases of bob are over") as string,
      });
    }));
});

test("[RN45] a script with a process that its project does not have is not taken in, and hears which ones there are", () =>
  inFaceWorld(async (world) => {
    const names = { check: { argv: ["true"] }, build: { argv: ["true"] } };
    await world.http.call("project.add", { root: world.folder, name: "shop", processes: names, landingTest: ["true"] });
    const submit = (steps: string, more: object = {}): Promise<unknown> =>
      world.http.call("run.submit", { project: "shop", script: `task: x\n${steps}`, ...more });
    const why = "shop has no process test; it has: build, check.";
    for (const steps of [
      "steps: [{repeat: {times: 2, steps: [{process: test}]}}]",
      "steps: []\nonMessage: [{process: test}]",
    ])
      await expect(submit(steps)).rejects.toThrow(why);
    const taken = await submit("steps: [{process: check}]", { key: "k" });
    await world.http.call("project.change", { project: "shop", processes: {} });
    expect(await submit("steps: [{process: check}]", { key: "k" })).toMatchObject({
      run: (taken as { run: string }).run,
    });
  }));
