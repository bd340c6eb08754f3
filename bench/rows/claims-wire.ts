// Claims over a socket, durable on both sides. Ours is the daemon as it is: parsing, policies, queue, fences, hash chain
// and all. Each peer does what one would do with it to hold a path for a minute.

import type { Client } from "../../src/client/client.ts";
import type { Contender, Comparison } from "../harness/contender.ts";
import { runWorkers } from "../harness/workers.ts";
import { type EtcdClient, keyed, number, putIfAbsent } from "../peers/etcd-client.ts";
import type { Daemon } from "../peers/daemon.ts";
import type { Etcd } from "../peers/etcd.ts";
import type { Peers } from "../peers/peers.ts";
import { bind, type PgClient } from "../peers/pg-client.ts";
import type { Postgres } from "../peers/postgres.ts";
import type { Redis } from "../peers/redis.ts";
import { encode, type RespClient } from "../peers/resp-client.ts";
import { pathOf } from "./lease-load.ts";
import type { RowMaker } from "./row-maker.ts";

const ttlMs = 60_000;
const unitsPerWorker = 32;
/** Each is a process; fewer were slower in every try. */
const pgConnections = 20;

type Load = { readonly inFlight: number; readonly connections: number };

export const claimsWireRows: readonly RowMaker[] = [
  claimsWire("claims-wire-1", { inFlight: 1, connections: 1 }, contenders),
  claimsWire("claims-wire-100", { inFlight: 100, connections: 1 }, contenders),
  // A hundred programs, each with a line of its own: what agents are. Nothing can be put together on the way in.
  claimsWire("claims-wire-apart", { inFlight: 100, connections: 100 }, redisOnly),
];

type Opener = (peers: Peers, load: Load, closers: (() => void)[]) => Promise<Contender[]>;

function claimsWire(name: string, load: Load, open: Opener): RowMaker {
  const isAll = open === contenders;
  return {
    name,
    programs: isAll ? ["redis-server", "postgres", "etcd"] : ["redis-server"],
    make: async (peers) => {
      const closers: (() => void)[] = [];
      const others = await open(peers, load, closers);
      const apart = load.connections === 1 ? "" : ` on ${load.connections} connections`;
      return {
        name,
        title: `claim + release over a Unix socket, durable, ${load.inFlight} in flight${apart}`,
        ops: "pairs",
        ours: ourClaims(await peers.daemon(), load, closers),
        others,
        comparisons: others.flatMap((other) => comparisonsWith(other.name, name === "claims-wire-100")),
        leftOut: peers.whyAbsent("Redis with AOF always", ...(isAll ? ["PostgreSQL", "etcd"] : [])),
        close: () => {
          for (const close of closers) close();
        },
      };
    },
  };
}

/** The aims are set for 100 in flight. */
function comparisonsWith(against: string, isMany: boolean): Comparison[] {
  const times = against === "Redis, AOF always" ? 1.2 : against === "PostgreSQL, advisory only" ? undefined : 4;
  return [
    { against, measure: "rate", ...(isMany && times !== undefined ? { aim: { atLeast: times } } : {}) },
    { against, measure: "cpu", ...(isMany && times === 1.2 ? { aim: { atMost: 0.5 } } : {}) },
  ];
}

async function contenders(peers: Peers, load: Load, closers: (() => void)[]): Promise<Contender[]> {
  const [postgres, etcd] = [await peers.postgres(), await peers.etcd()];
  return [
    ...(await redisOnly(peers, load, closers)),
    ...(postgres === undefined ? [] : await postgresClaims(postgres, load.inFlight, closers)),
    ...(etcd === undefined ? [] : [await etcdClaims(etcd, load.inFlight, closers)]),
  ];
}

async function redisOnly(peers: Peers, load: Load, closers: (() => void)[]): Promise<Contender[]> {
  const redis = await peers.redisDurable();
  return redis === undefined ? [] : [await redisClaims(redis, load, closers)];
}

function ourClaims({ connect, project, cpuMs }: Daemon, load: Load, closers: (() => void)[]): Contender {
  const { inFlight, connections } = load;
  const clients = Array.from({ length: connections }, connect);
  closers.push(() => {
    for (const client of clients) client.close();
  });
  const units = unitsOf(inFlight, (unit) => [unit]);
  return {
    name: "signalbox",
    cpuMs,
    work: (sliceMs) =>
      runWorkers(inFlight, sliceMs, async (worker) => {
        const client = clients[worker % connections] as Client;
        const made = await client.call("claim.make", { project, units: units(worker), as: `worker-${worker}`, ttlMs });
        await client.call("claim.release", { claim: made.claim });
        return made.state === "granted";
      }),
  };
}

/**
 * SET NX PX and DEL. Every answer waits until the disk has it, like ours. With one connection it is at its best: then one
 * sync serves all commands that came together.
 */
async function redisClaims(redis: Redis, load: Load, closers: (() => void)[]): Promise<Contender> {
  const { inFlight, connections } = load;
  const clients = await Promise.all(Array.from({ length: connections }, () => redis.connect()));
  closers.push(() => {
    for (const client of clients) client.close();
  });
  const commands = unitsOf(inFlight, (unit, worker) => ({
    set: encode("SET", unit, `worker-${worker}`, "NX", "PX", String(ttlMs)),
    del: encode("DEL", unit),
  }));
  return {
    name: "Redis, AOF always",
    cpuMs: redis.cpuMs,
    work: (sliceMs) =>
      runWorkers(inFlight, sliceMs, async (worker) => {
        const client = clients[worker % connections] as RespClient;
        const { set, del } = commands(worker);
        const granted = await client.send(set);
        return (await client.send(del)) === 1 && granted === "OK";
      }),
  };
}

/** Advisory locks: with a row per grant that a crash does not lose, and once without. Only the former equals a lease. */
async function postgresClaims(postgres: Postgres, inFlight: number, closers: (() => void)[]): Promise<Contender[]> {
  const connections = Math.min(pgConnections, inFlight);
  const clients = await Promise.all(Array.from({ length: connections }, () => postgres.connect()));
  closers.push(() => {
    for (const client of clients) client.close();
  });
  await clients[0]?.query("CREATE TABLE IF NOT EXISTS granted (unit text, holder text, at timestamptz)");
  for (const client of clients) {
    const tryLock = "pg_try_advisory_lock(hashtextextended($1::text, 0))";
    await client.prepare("record", `INSERT INTO granted SELECT $1, $2, now() WHERE ${tryLock}`);
    await client.prepare("lock", `SELECT ${tryLock}`);
    await client.prepare("unlock", "SELECT pg_advisory_unlock(hashtextextended($1::text, 0))");
  }
  const commands = unitsOf(inFlight, (unit, worker) => ({
    record: bind("record", [unit, `worker-${worker}`]),
    lock: bind("lock", [unit]),
    unlock: bind("unlock", [unit]),
  }));
  const claims = (
    name: string,
    acquire: "record" | "lock",
    wanted: (tag: string, value: string | null) => boolean,
  ): Contender => ({
    name,
    cpuMs: postgres.cpuMs,
    work: (sliceMs) =>
      runWorkers(inFlight, sliceMs, async (worker) => {
        // A lock belongs to its connection, so a worker stays with one.
        const client = clients[worker % connections] as PgClient;
        const command = commands(worker);
        const { tag, value } = await client.send(command[acquire]);
        const released = await client.send(command.unlock);
        return wanted(tag, value) && released.value === "t";
      }),
  });
  return [
    claims("PostgreSQL, advisory + row", "record", (tag) => tag === "INSERT 0 1"),
    claims("PostgreSQL, advisory only", "lock", (_, value) => value === "t"),
  ];
}

/** A transaction that puts the key if it is absent, under the worker's lease, and a delete. */
async function etcdClaims(etcd: Etcd, inFlight: number, closers: (() => void)[]): Promise<Contender> {
  const client = await etcd.connect();
  closers.push(() => client.close());
  const leases = await Promise.all(Array.from({ length: inFlight }, () => grantLease(client)));
  const commands = unitsOf(inFlight, (unit, worker) => ({
    put: putIfAbsent(unit, `worker-${worker}`, leases[worker] ?? 0n),
    remove: keyed(unit),
  }));
  return {
    name: "etcd",
    cpuMs: etcd.cpuMs,
    work: (sliceMs) =>
      runWorkers(inFlight, sliceMs, async (worker) => {
        const { put, remove } = commands(worker);
        const granted = await client.call("/etcdserverpb.KV/Txn", put);
        const removed = await client.call("/etcdserverpb.KV/DeleteRange", remove);
        return granted.get(2) === 1n && removed.get(2) === 1n;
      }),
  };
}

async function grantLease(client: EtcdClient): Promise<bigint> {
  // A lease that lasts longer than any bench: renewing it is not what is measured.
  const granted = await client.call("/etcdserverpb.Lease/LeaseGrant", number(1, 36_000n));
  const id = granted.get(2);
  return typeof id === "bigint" ? id : 0n;
}

/** Gives each worker its own units, one after the other, made into whatever its client sends. */
function unitsOf<T>(workers: number, make: (unit: string, worker: number) => T): (worker: number) => T {
  const made = Array.from({ length: workers }, (_, worker) =>
    Array.from({ length: unitsPerWorker }, (_unused, at) => make(pathOf("work", worker * unitsPerWorker + at), worker)),
  );
  const next = Array.from({ length: workers }, () => 0);
  return (worker) => {
    const at = next[worker] ?? 0;
    next[worker] = (at + 1) % unitsPerWorker;
    return made[worker]?.[at] as T;
  };
}
