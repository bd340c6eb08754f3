import { describe, expect, test } from "vitest";
import { canonical } from "../base/canonical.ts";
import { Fault } from "../base/fault.ts";
import type { Logged } from "../core/events.ts";
import { toPlain } from "../core/snapshot.ts";
import { toProject } from "../../test/support/core-world.ts";
import { claimOf, EngineRig, settle, toClaim, toSubmit } from "../../test/support/engine-rig.ts";

const typesOf = (events: readonly Logged[]): string[] => events.map((event) => event.type);

describe("a batch", () => {
  test("[EN1] nodes hear first, then subscribers, then those who asked, and then come the acts", async () => {
    const rig = await EngineRig.open();
    const project = await rig.project();
    rig.listen();
    const from = rig.notes.length;
    await rig.run(project);
    expect(rig.notes.slice(from).map(({ what }) => what)).toEqual(["hear", "listener", "reply", "act"]);
    expect(rig.link.acts).toMatchObject([{ type: "drive", node: "local" }]);
  });

  test("[EN2] nobody is told anything before it is durable", async () => {
    const rig = await EngineRig.open();
    const project = await rig.project();
    rig.listen();
    const release = rig.store.hold();
    const from = rig.notes.length;
    const answered = rig.give(toSubmit(project));
    await settle();
    expect(rig.notes.slice(from)).toEqual([]);
    expect(rig.engine.state.seq).toBeGreaterThan(rig.store.lastSeq);
    release();
    expect(await answered).toMatchObject({ ok: true });
    expect(rig.engine.state.seq).toBe(rig.store.lastSeq);
  });

  test("[EN3] what waits together shares one append, and each sees what the one before it left", async () => {
    const rig = await EngineRig.open();
    const project = await rig.project();
    const appends = rig.store.appends.length;
    const [mine, yours] = await Promise.all([rig.claim({ project, as: "eva" }), rig.claim({ project, as: "bob" })]);
    expect(rig.store.appends.length).toBe(appends + 1);
    expect(mine.state).toBe("granted");
    expect(yours).toMatchObject({ state: "queued", behind: [{ holder: "eva", unit: "file:a", by: "lease" }] });
  });

  test("[EN3] a batch takes no more than it may, and the rest comes right after it", async () => {
    const rig = await EngineRig.open({ options: { batchMax: 2 } });
    const project = await rig.project();
    const appends = rig.store.appends.length;
    const claims = ["a", "b", "c", "d", "e"].map((as) => rig.claim({ project, as, units: [`file:${as}`] }));
    for (const claim of await Promise.all(claims)) expect(claim.state).toBe("granted");
    expect(rig.store.appends.length).toBe(appends + 3);
  });

  test("[EN4] a no that changes nothing needs no append", async () => {
    const rig = await EngineRig.open();
    const appends = rig.store.appends.length;
    expect(await rig.give(toSubmit("p_none"))).toMatchObject({ ok: false, refusal: { code: "not-found" } });
    expect(rig.store.appends.length).toBe(appends);
  });

  test("[EN15] whoever begins to listen while others are told hears only what comes later", async () => {
    const rig = await EngineRig.open();
    const late: number[] = [];
    let knownSeq = 0;
    const stop = rig.engine.subscribe(() => {
      stop();
      knownSeq = rig.engine.state.seq;
      rig.engine.subscribe((events) => late.push(...events.map(({ seq }) => seq)));
    });
    const project = await rig.project();
    expect(late).toEqual([]);
    await rig.claim({ project });
    expect(late[0]).toBe(knownSeq + 1);
  });
});

describe("back-pressure", () => {
  test("[EN8] beyond its limit the inbox says when to come again, and nothing of it has happened", async () => {
    const rig = await EngineRig.open({ options: { inboxMax: 3 } });
    const release = rig.store.hold();
    const under = rig.project("under-way");
    await settle();
    const waiting = ["a", "b", "c"].map((name) => rig.project(name));
    const outcome = await rig.give(toProject("d"));
    expect(outcome).toEqual({ ok: false, refusal: { code: "overloaded", retryAfterMs: 100 } });
    release();
    await Promise.all([under, ...waiting]);
    expect([...rig.engine.state.projects.values()].map(({ name }) => name)).toEqual(["under-way", "a", "b", "c"]);
  });
});

describe("a store that fails", () => {
  test("[EN5] an append that was refused leaves no trace, and everyone is told to try again", async () => {
    const rig = await EngineRig.open();
    const project = await rig.project();
    const heard = rig.listen();
    const before = canonical(toPlain(rig.engine.state));
    rig.store.fate = "refused";
    const release = rig.store.hold();
    const decided = rig.give(toClaim({ project }));
    await settle();
    const waiting = rig.give(toClaim({ project, as: "bob" }));
    release();
    const sorry = { code: "store-unavailable", retryAfterMs: 250, message: "the disk is full" };
    expect(await decided).toEqual({ ok: false, refusal: sorry });
    expect(await waiting).toEqual({ ok: false, refusal: sorry });
    await settle();
    expect(canonical(toPlain(rig.engine.state))).toBe(before);
    expect(heard).toEqual([]);
    rig.store.fate = "done";
    expect((await rig.claim({ project })).state).toBe("granted");
  });

  test("[EN6] what got through although the store said no is told once, in order, and known by its key", async () => {
    const rig = await EngineRig.open();
    const project = await rig.project();
    const heard = rig.listen();
    const fromSeq = rig.store.lastSeq;
    rig.store.fate = "ack-lost";
    const request = toClaim({ project, key: "once" });
    expect(await rig.give(request)).toMatchObject({ ok: false, refusal: { code: "store-unavailable" } });
    await settle();
    rig.store.fate = "done";
    expect(typesOf(heard)).toContain("lease.granted");
    const again = claimOf(await rig.give(request));
    expect(again.state).toBe("granted");
    expect([...rig.engine.state.table.claims.keys()]).toEqual([again.claim]);
    await rig.claim({ project, as: "bob", units: ["file:b"] });
    const seqs = heard.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, at) => fromSeq + 1 + at));
    expect(rig.link.heard.map(({ seq }) => seq)).toEqual(rig.link.heard.map((_, at) => at + 1));
  });

  test("[EN6] the acts of what got through are performed", async () => {
    const rig = await EngineRig.open();
    const project = await rig.project();
    rig.store.fate = "ack-lost";
    await rig.give(toSubmit(project));
    expect(rig.link.acts).toEqual([]);
    await settle();
    expect(rig.link.acts.map(({ type }) => type)).toEqual(["drive"]);
  });

  test("[EN7] while the log cannot be read the engine says later, and takes up again when it can", async () => {
    const rig = await EngineRig.open();
    const project = await rig.project();
    rig.store.fate = "refused";
    rig.store.readFault = new Fault("store-unavailable", { retry: "later", message: "the disk is away" });
    await rig.give(toClaim({ project }));
    await settle();
    expect(await rig.give(toClaim({ project }))).toMatchObject({ ok: false, refusal: { code: "store-unavailable" } });
    rig.clock.advance(250);
    await settle();
    expect(await rig.give(toClaim({ project }))).toMatchObject({ ok: false, refusal: { retryAfterMs: 250 } });
    rig.store.fate = "done";
    rig.store.readFault = undefined;
    rig.clock.advance(250);
    await settle();
    expect((await rig.claim({ project })).state).toBe("granted");
  });

  test("[EN7] a log that turns out to be damaged stops the engine, with its reason", async () => {
    const halted: unknown[] = [];
    const rig = await EngineRig.open({ options: { onHalt: (error) => halted.push(error) } });
    const damage = new Fault("log-damaged", { retry: "never", message: "event 2 is damaged" });
    const project = await rig.project();
    rig.store.fate = "refused";
    rig.store.readFault = damage;
    await rig.give(toClaim({ project }));
    await settle();
    expect(halted).toEqual([damage]);
    expect(await rig.give(toClaim({ project }))).toEqual({ ok: false, refusal: { code: "closing" } });
  });

  test("[EN7] a fault while missed events are read is survived, too", async () => {
    const rig = await EngineRig.open();
    const project = await rig.project();
    const heard = rig.listen();
    rig.store.fate = "ack-lost";
    const read = rig.store.read.bind(rig.store);
    let reads = 0;
    rig.store.read = (afterSeq, limit) => {
      // The first read folds, the second one is for what nobody has heard yet.
      if (++reads === 2) throw new Fault("store-unavailable", { retry: "later", message: "the disk is away" });
      return read(afterSeq, limit);
    };
    await rig.give(toClaim({ project }));
    await settle();
    expect(heard).toEqual([]);
    rig.clock.advance(250);
    await settle();
    expect(typesOf(heard)).toEqual(["family.opened", "lease.granted"]);
    rig.store.fate = "done";
    expect((await rig.claim({ project, as: "bob", units: ["file:b"] })).state).toBe("granted");
  });
});

describe("time", () => {
  test("[EN10] what falls due happens by itself, and not early", async () => {
    const rig = await EngineRig.open();
    const project = await rig.project();
    const heard = rig.listen();
    await rig.claim({ project, ttlMs: 5000 });
    await rig.claim({ project, as: "bob", ttlMs: 60_000 });
    heard.length = 0;
    rig.clock.advance(4999);
    await settle();
    expect(heard).toEqual([]);
    rig.clock.advance(1);
    await settle();
    expect(typesOf(heard)).toEqual(["family.ended", "lease.granted"]);
    expect(heard.map(({ actor }) => actor)).toEqual(["system", "system"]);
  });

  test("[EN10] a timer that found nothing looks again, and none is left when nothing can fall due", async () => {
    const rig = await EngineRig.open();
    const project = await rig.project();
    expect(rig.clock.nextMs).toBeUndefined();
    const { claim } = await rig.claim({ project, ttlMs: 5000 });
    rig.clock.advance(3000);
    await rig.ok({ type: "lease.renew", claim, ttlMs: null });
    rig.clock.advance(3000);
    await settle();
    expect(rig.engine.state.table.claims.get(claim)?.state).toBe("granted");
    expect(rig.clock.nextMs).toBe(2000);
    await rig.ok({ type: "lease.release", claim, units: null });
    rig.clock.advance(60_000);
    await settle();
    expect(rig.clock.nextMs).toBeUndefined();
  });
});
