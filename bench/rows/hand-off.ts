// From the release to the moment when the waiter hears of its grant. One hand-off at a time, with a little peace before
// each, so that the waiter really waits.

import { setTimeout as sleep } from "node:timers/promises";
import type { Comparison, Contender, Work } from "../harness/contender.ts";
import { runTimed } from "../harness/workers.ts";
import type { Daemon } from "../peers/daemon.ts";
import { keyed, number } from "../peers/etcd-client.ts";
import type { Etcd } from "../peers/etcd.ts";
import { bind } from "../peers/pg-client.ts";
import type { Postgres } from "../peers/postgres.ts";
import type { Redis } from "../peers/redis.ts";
import { encode } from "../peers/resp-client.ts";
import type { RowMaker } from "./row-maker.ts";

const unit = "file:src/handed-over.ts";
const settleMs = 2;
const settleEtcdMs = 150;
const etcdWaiters = 24;
const waitMs = 10_000;

export const handOff: RowMaker = {
  name: "hand-off",
  programs: ["redis-server", "postgres", "etcd"],
  make: async (peers) => {
    const closers: (() => void)[] = [];
    const [plain, durable] = [await peers.redisPlain(), await peers.redisDurable()];
    const [postgres, etcd] = [await peers.postgres(), await peers.etcd()];
    const others = [
      ...(plain === undefined ? [] : [await redisHandOff("Redis BLPOP", plain, closers)]),
      ...(durable === undefined ? [] : [await redisHandOff("Redis BLPOP, AOF always", durable, closers)]),
      ...(postgres === undefined ? [] : [await postgresHandOff(postgres, closers)]),
      ...(etcd === undefined ? [] : [await etcdHandOff(etcd, closers)]),
    ];
    return {
      name: "hand-off",
      title: "release → the waiter hears of its grant; ours is durable",
      ops: "hand-offs",
      ours: ourHandOff(await peers.daemon(), closers),
      others,
      comparisons: others.flatMap(({ name }) => comparisonsWith(name)),
      leftOut: peers.whyAbsent("Redis", "Redis with AOF always", "PostgreSQL", "etcd"),
      close: () => {
        for (const close of closers) close();
      },
    };
  },
};

function comparisonsWith(against: string): Comparison[] {
  const atMost = against === "Redis BLPOP" ? 1.2 : against === "etcd Lock" ? 0.5 : undefined;
  return [
    { against, measure: "p50", ...(atMost === undefined ? {} : { aim: { atMost } }) },
    { against, measure: "p99" },
  ];
}

function ourHandOff({ connect, project, cpuMs }: Daemon, closers: (() => void)[]): Contender {
  const [holder, waiter] = [connect(), connect()];
  closers.push(
    () => holder.close(),
    () => waiter.close(),
  );
  const work = (sliceMs: number) =>
    runTimed(sliceMs, async () => {
      const held = await holder.call("claim.make", { project, units: [unit], as: "holder" });
      // Queued means durable; only then it waits, and that is where the clock of the others starts, too.
      const queued = await waiter.call("claim.make", { project, units: [unit], as: "waiter" });
      const granted = waiter
        .call("claim.get", { claim: queued.claim, waitMs })
        .then((claim) => ({ claim, atMs: performance.now() }));
      await sleep(settleMs);
      const startMs = performance.now();
      const released = holder.call("claim.release", { claim: held.claim });
      const { claim, atMs } = await granted;
      await released;
      await waiter.call("claim.release", { claim: claim.claim });
      return held.state === "granted" && claim.state === "granted" ? (atMs - startMs) * 1000 : undefined;
    });
  return { name: "signalbox", cpuMs, work };
}

async function redisHandOff(name: string, redis: Redis, closers: (() => void)[]): Promise<Contender> {
  const [holder, waiter] = [await redis.connect(), await redis.connect()];
  closers.push(
    () => holder.close(),
    () => waiter.close(),
  );
  const push = encode("LPUSH", unit, "free");
  const pop = encode("BLPOP", unit, "10");
  const work = (sliceMs: number) =>
    runTimed(sliceMs, async () => {
      const popped = waiter.send(pop).then((reply) => ({ reply, atMs: performance.now() }));
      await sleep(settleMs);
      const startMs = performance.now();
      const pushed = holder.send(push);
      const { reply, atMs } = await popped;
      await pushed;
      return Array.isArray(reply) ? (atMs - startMs) * 1000 : undefined;
    });
  return { name, cpuMs: redis.cpuMs, work };
}

async function postgresHandOff(postgres: Postgres, closers: (() => void)[]): Promise<Contender> {
  const [holder, waiter] = [await postgres.connect(), await postgres.connect()];
  closers.push(
    () => holder.close(),
    () => waiter.close(),
  );
  for (const client of [holder, waiter]) {
    await client.prepare("take", "SELECT pg_advisory_lock(hashtextextended($1::text, 0))");
    await client.prepare("free", "SELECT pg_advisory_unlock(hashtextextended($1::text, 0))");
  }
  const [take, free] = [bind("take", [unit]), bind("free", [unit])];
  const work = (sliceMs: number) =>
    runTimed(sliceMs, async () => {
      await holder.send(take);
      const taken = waiter.send(take).then((reply) => ({ reply, atMs: performance.now() }));
      await sleep(settleMs);
      const startMs = performance.now();
      const freed = holder.send(free);
      const { reply, atMs } = await taken;
      await freed;
      await waiter.send(free);
      return reply.error === null ? (atMs - startMs) * 1000 : undefined;
    });
  return { name: "PostgreSQL, advisory only", cpuMs: postgres.cpuMs, work };
}

/**
 * A waiter of etcd hears at once only when it has waited for a tenth of a second, because the server first brings its
 * watch up to date. So many wait at the same time, each for its own lock, and are served one after the other.
 */
async function etcdHandOff(etcd: Etcd, closers: (() => void)[]): Promise<Contender> {
  const [holder, waiter] = [await etcd.connect(), await etcd.connect()];
  closers.push(
    () => holder.close(),
    () => waiter.close(),
  );
  const grant = number(1, 36_000n);
  const leases = await Promise.all(
    [holder, waiter].map((client) => client.call("/etcdserverpb.Lease/LeaseGrant", grant)),
  );
  const [held = 0n, waiting = 0n] = leases.map((lease) => lease.get(2) as bigint);
  const names = Array.from({ length: etcdWaiters }, (_, at) => `${unit}-${at}`);
  const lock = "/v3lockpb.Lock/Lock";
  const unlock = "/v3lockpb.Lock/Unlock";
  const work = async (sliceMs: number): Promise<Work> => {
    const latenciesUs: number[] = [];
    const untilMs = performance.now() + sliceMs;
    do {
      const holds = await Promise.all(names.map((name) => holder.call(lock, keyed(name, held))));
      const waits = names.map(async (name) => {
        const reply = await waiter.call(lock, keyed(name, waiting));
        return { key: reply.get(2) as Buffer, atMs: performance.now() };
      });
      await sleep(settleEtcdMs);
      for (const [at, hold] of holds.entries()) {
        const startMs = performance.now();
        const freed = holder.call(unlock, keyed(hold.get(2) as Buffer));
        const taken = await waits[at];
        await freed;
        if (taken !== undefined) latenciesUs.push((taken.atMs - startMs) * 1000);
      }
      const taken = await Promise.all(waits);
      await Promise.all(taken.map(({ key }) => waiter.call(unlock, keyed(key))));
    } while (performance.now() < untilMs);
    return { ops: latenciesUs.length, errors: 0, latenciesUs };
  };
  return { name: "etcd Lock", cpuMs: etcd.cpuMs, work };
}
