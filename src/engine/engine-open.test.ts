import { describe, expect, test } from "vitest";
import { makeMemoryDisk, type MemoryDisk } from "../adapters/store/memory-store.ts";
import { toRecord } from "../adapters/store/record.ts";
import { canonical } from "../base/canonical.ts";
import { Fault } from "../base/fault.ts";
import type { Logged } from "../core/events.ts";
import { snapshotVersion, toPlain } from "../core/snapshot.ts";
import { expectFault } from "../../test/support/expect-fault.ts";
import { EngineRig, type RigParts, settle, toClaim } from "../../test/support/engine-rig.ts";
import { TestClock } from "../../test/support/test-clock.ts";

describe("opening", () => {
  test("[EN13] nodes learn where things stand before anything else, and the log says that the engine is open", async () => {
    const rig = await EngineRig.open();
    expect(rig.notes.map(({ what }) => what)).toEqual(["prime", "hear"]);
    expect(rig.link.heard).toMatchObject([{ seq: 1, type: "engine.opened", version: "test", actor: "system" }]);
  });

  test("[EN13] what was still to be done is done once, and what is done is not done again", async () => {
    const first = await EngineRig.open();
    const project = await first.project();
    const mine = await first.run(project, { plan: ["file:a"] });
    const yours = await first.run(project);
    await first.ok({ type: "run.driven", run: yours, family: `${yours}.1` }, "system");
    await first.ok({ type: "run.terminate", select: { by: "run", run: yours }, because: "enough" });
    const gone = await first.run(project);
    await first.ok({ type: "run.terminate", select: { by: "run", run: gone }, because: "enough" });
    await first.ok({ type: "run.stopped", run: gone, works: [] }, "system");
    await first.engine.close();

    const rig = await EngineRig.open({ disk: first.disk });
    const acts = rig.link.acts.map(({ type, id }) => `${type} ${id}`);
    expect(acts).toHaveLength(3);
    expect(acts[0]).toMatch(/^refresh refresh:c_/);
    expect(acts[1]).toContain(`drive:${mine}`);
    expect(acts[2]).toMatch(new RegExp(`^stop stop:${yours}@`));
    await settle();
    expect(rig.link.acts).toHaveLength(3);
  });

  test("[EN13] acts keep their names across a restart, so that a repetition can be told", async () => {
    const first = await EngineRig.open();
    await first.run(await first.project(), { plan: ["file:a"] });
    const before = first.link.acts.map(({ id }) => id);
    await first.engine.close();
    const rig = await EngineRig.open({ disk: first.disk });
    expect(rig.link.acts.map(({ id }) => id)).toEqual(before);
  });

  test("[EN13] an engine whose opening the log did not take does nothing at all", async () => {
    const first = await EngineRig.open();
    await first.run(await first.project());
    await first.engine.close();
    const links: EngineRig["link"][] = [];
    const opening = EngineRig.open({
      disk: first.disk,
      prepare: (store) => (store.fate = "refused"),
      onLink: (link) => links.push(link),
    });
    await expectFault(opening, "store-unavailable", "full");
    await settle();
    expect(links[0]?.notes.map(({ what }) => what)).toEqual(["prime"]);
  });

  test("[EN16] folding the log performs nothing", async () => {
    const first = await EngineRig.open();
    const project = await first.project();
    const run = await first.run(project);
    await first.ok({ type: "run.driven", run, family: `${run}.1` }, "system");
    await first.ok({ type: "run.finish", run, family: `${run}.1`, ok: false, message: "no" }, "system");
    await first.ok({ type: "run.stopped", run, works: [] }, "system");
    expect(first.link.acts.length).toBeGreaterThan(1);
    await first.engine.close();
    first.disk.snapshots = [];
    const rig = await EngineRig.open({ disk: first.disk });
    expect(rig.link.acts).toEqual([]);
  });

  test("[EN9] time stands still while the engine is down, and a live lease gets a full period", async () => {
    const clock = new TestClock();
    const first = await EngineRig.open({ clock });
    const project = await first.project();
    const { claim } = await first.claim({ project, ttlMs: 5000 });
    clock.advance(4000);
    await first.run(project);
    const lastMs = first.engine.state.atMs;
    await first.engine.close();
    clock.advance(1_000_000);
    const rig = await EngineRig.open({ disk: first.disk, clock });
    expect(rig.engine.state.atMs).toBe(lastMs + 1);
    clock.advance(4999);
    await settle();
    const { families, claims } = rig.engine.state.table;
    const family = claims.get(claim)?.family ?? "";
    expect(families.get(family)?.life).toBe("live");
    clock.advance(1);
    await settle();
    expect(families.has(family)).toBe(false);
  });
});

describe("a log that cannot be read", () => {
  test("[EN12] an event of a newer release is refused with its number", async () => {
    const first = await EngineRig.open();
    await first.engine.close();
    append(first.disk, { type: "engine.opened", v: 2, version: "next", wallMs: 0 });
    await expectFault(EngineRig.open({ disk: first.disk }), "log-newer", "event 2 is a engine.opened of version 2");
  });

  test("[EN12] so is an event that this release has never heard of", async () => {
    const first = await EngineRig.open();
    await first.engine.close();
    append(first.disk, { type: "comet.seen", v: 1 });
    await expectFault(EngineRig.open({ disk: first.disk }), "log-newer", "event 2 is a comet.seen");
  });

  test("[EN11] a snapshot of events that the log does not have means that its end is missing", async () => {
    const first = await EngineRig.open();
    await first.project();
    const ahead = toPlain(first.engine.state);
    await first.engine.close();
    const opening = EngineRig.open({ prepare: (store) => (store.foundSnapshot = ahead) });
    await expectFault(opening, "log-damaged", "the log ends at event 0, but a snapshot knows of event 2");
  });

  test("[EN11] a snapshot of another shape is left aside", async () => {
    const first = await EngineRig.open();
    await first.project();
    const plain = toPlain(first.engine.state);
    await first.engine.close();
    const odd = { ...plain, version: snapshotVersion + 1, projects: [] };
    const rig = await EngineRig.open({ disk: first.disk, prepare: (store) => (store.foundSnapshot = odd) });
    expect(rig.engine.state.projects.size).toBe(1);
  });
});

describe("snapshots", () => {
  test("[EN11] a snapshot with the rest of the log gives what the whole log gives", async () => {
    const first = await EngineRig.open({ options: { snapshotEvery: 5 } });
    await work(first);
    await first.project("last");
    expect(first.store.snapshots.length).toBeGreaterThan(2);
    const { runs } = toPlain(first.engine.state);
    // As after kill -9: the newest snapshot is a while ago, and nobody has closed anything.
    const [tail, whole] = [copyOf(first.disk), copyOf(first.disk)];
    whole.snapshots = [];
    expect(tail.snapshots[0]?.seq).toBeLessThan(tail.head.seq);
    const fromTail = await EngineRig.open({ disk: tail });
    const fromAll = await EngineRig.open({ disk: whole });
    expect(canonical(toPlain(fromTail.engine.state))).toBe(canonical(toPlain(fromAll.engine.state)));
    expect(fromTail.link.acts).toEqual(fromAll.link.acts);
    expect(canonical(toPlain(fromTail.engine.state).runs)).toBe(canonical(runs));
    await Promise.all([work(fromTail, "again"), work(fromAll, "again")]);
    expect(canonical(toPlain(fromTail.engine.state))).toBe(canonical(toPlain(fromAll.engine.state)));
  });

  test("[EN11] losing a snapshot costs nothing but time", async () => {
    const noRoom = new Fault("store-unavailable", { retry: "later", message: "no room" });
    const prepare: RigParts["prepare"] = (store) => (store.snapshotFault = noRoom);
    const rig = await EngineRig.open({ options: { snapshotEvery: 1 }, prepare });
    await work(rig);
    await rig.engine.close();
    expect(rig.store.isClosed).toBe(true);
    expect(rig.disk.snapshots).toEqual([]);
    const again = await EngineRig.open({ disk: rig.disk });
    expect(again.engine.state.runs.size).toBe(2);
  });

  test("[EN11] a life that was short keeps the tail from growing without end", async () => {
    const disk = makeMemoryDisk();
    for (let life = 0; life < 6; life++) {
      const rig = await EngineRig.open({ disk, options: { snapshotEvery: 10 } });
      await rig.project(`p${life}`);
      await rig.project(`q${life}`);
      // The process is killed: nothing is closed.
      disk.isInUse = false;
    }
    expect(disk.snapshots[0]?.seq).toBeGreaterThanOrEqual(10);
  });
});

describe("closing", () => {
  test("[EN14] what is under way is finished, what waits is told to come again, a snapshot is kept", async () => {
    const rig = await EngineRig.open();
    const project = await rig.project();
    const release = rig.store.hold();
    const under = rig.give(toClaim({ project }));
    await settle();
    const waiting = rig.give(toClaim({ project, as: "bob" }));
    const closed = rig.engine.close();
    await settle();
    expect(rig.store.isClosed).toBe(false);
    release();
    expect(await under).toMatchObject({ ok: true });
    expect(await waiting).toEqual({ ok: false, refusal: { code: "closing" } });
    await closed;
    expect(rig.store.isClosed).toBe(true);
    expect(rig.store.snapshots).toEqual([rig.store.lastSeq]);
    expect(await rig.give(toClaim({ project }))).toEqual({ ok: false, refusal: { code: "closing" } });
    expect(rig.clock.nextMs).toBeUndefined();
  });

  test("[EN14] closing twice is closing once", async () => {
    const rig = await EngineRig.open();
    await Promise.all([rig.engine.close(), rig.engine.close()]);
    await rig.engine.close();
    expect(rig.store.snapshots).toHaveLength(1);
  });

  test("[EN14] an engine whose store is away closes too, and keeps nothing that the log has not", async () => {
    const rig = await EngineRig.open();
    const project = await rig.project();
    rig.store.fate = "refused";
    rig.store.readFault = new Fault("store-unavailable", { retry: "later", message: "the disk is away" });
    const release = rig.store.hold();
    const under = rig.give(toClaim({ project }));
    await settle();
    const closed = rig.engine.close();
    release();
    expect(await under).toMatchObject({ ok: false, refusal: { code: "store-unavailable" } });
    await closed;
    expect(rig.store.isClosed).toBe(true);
    expect(rig.store.snapshots).toEqual([]);
    rig.clock.advance(1000);
    await settle();
    expect(await rig.give(toClaim({ project }))).toEqual({ ok: false, refusal: { code: "closing" } });
  });
});

/** A bit of everything that a snapshot has to keep. */
async function work(rig: EngineRig, name = "p"): Promise<void> {
  const project = await rig.project(name);
  const held = await rig.claim({ project, units: ["dir:src", "process:test"], key: "k" });
  await rig.claim({ project, as: "bob", units: ["file:src/a"], priority: 3, waitMs: 10_000 });
  const run = await rig.run(project, { plan: ["file:x"], tags: ["t"] });
  await rig.run(project, { plan: ["file:src/b"], dependsOn: [run] });
  await rig.ok({ type: "run.driven", run, family: `${run}.1` }, "system");
  await rig.ok({ type: "lease.release", claim: held.claim, units: ["process:test"] });
}

function copyOf(disk: MemoryDisk): MemoryDisk {
  return { ...disk, records: [...disk.records], snapshots: [...disk.snapshots], isInUse: false };
}

function append(disk: MemoryDisk, body: Record<string, unknown>): void {
  const event = { seq: disk.head.seq + 1, atMs: Number.MAX_SAFE_INTEGER, cause: null, actor: "system", ...body };
  const record = toRecord(event as unknown as Logged, disk.head);
  disk.records.push(record);
  disk.head = { seq: record.seq, hash: record.hash };
  disk.snapshots = [];
}
