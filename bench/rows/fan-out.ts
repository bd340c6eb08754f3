// One event, a hundred readers. Batches are published one after the other; the next leaves when the last reader has the
// one before. Ours decides and stores every event before anyone sees it; the naive server only passes them on.

import type { Contender, Work } from "../harness/contender.ts";
import type { Daemon } from "../peers/daemon.ts";
import type { NaiveBroadcast } from "../peers/naive-broadcast.ts";
import { Subscriber } from "../peers/subscriber.ts";
import { streamPath } from "../../src/protocol/stream.ts";
import { pathOf } from "./lease-load.ts";
import type { RowMaker } from "./row-maker.ts";

const readers = 100;
const ttlMs = 86_400_000;

/** One row where events come in crowds, and one where each comes alone and nothing can be put together. */
export const fanOutRows: readonly RowMaker[] = [fanOut("fan-out", 64), fanOut("fan-out-alone", 1)];

function fanOut(name: string, batch: number): RowMaker {
  return {
    name,
    programs: [],
    make: async (peers) => {
      const ours = await ourFanOut(await peers.daemon(), name, batch);
      const naive = await naiveFanOut(await peers.naiveBroadcast(), batch);
      return {
        name,
        title: `events to ${readers} WebSocket readers, ${batch} at a time; ours decided and durable`,
        ops: "deliveries",
        ours: ours.contender,
        others: [naive.contender],
        comparisons: [
          { against: "naive broadcast", measure: "rate", ...(batch > 1 ? { aim: { atLeast: 5 } } : {}) },
          { against: "naive broadcast", measure: "p99", ...(batch > 1 ? { aim: { atMost: 1 } } : {}) },
          { against: "naive broadcast", measure: "cpu" },
        ],
        leftOut: [],
        close: () => {
          ours.close();
          naive.close();
        },
      };
    },
  };
}

type Opened = { readonly contender: Contender; readonly close: () => void };

async function ourFanOut(daemon: Daemon, name: string, batch: number): Promise<Opened> {
  const { url, token, project } = daemon;
  const client = daemon.connect();
  const held: (string | undefined)[] = [];
  const publish = async (): Promise<void> => {
    const one = async (at: number): Promise<void> => {
      const claim = held[at];
      const units = [pathOf(name, at)];
      if (claim !== undefined) await client.call("claim.release", { claim });
      held[at] =
        claim === undefined
          ? (await client.call("claim.make", { project, units, as: `${name}-${at}`, ttlMs })).claim
          : undefined;
    };
    await Promise.all(Array.from({ length: batch }, (_, at) => one(at)));
  };
  // The first claim of a holder makes two events; from then on each request makes one.
  await publish();
  const subscribers = await subscribe(() =>
    Subscriber.connect({
      port: Number(new URL(url).port),
      path: streamPath,
      protocols: ["signalbox", `bearer.${token}`],
      hello: JSON.stringify({ subscribe: {} }),
      progress: (message) => readAt(message),
    }),
  );
  await publish();
  await Promise.all(subscribers.map((subscriber) => subscriber.reach(1)));
  return {
    contender: broadcasting("signalbox", subscribers, batch, publish, daemon.cpuMs),
    close: () => {
      client.close();
      for (const subscriber of subscribers) subscriber.close();
    },
  };
}

async function naiveFanOut(naive: NaiveBroadcast, batch: number): Promise<Opened> {
  const line = naive.connect();
  const subscribers = await subscribe(() =>
    Subscriber.connect({ port: naive.port, path: "/", progress: (_, before) => before + 1 }),
  );
  const event = {
    seq: 812_345,
    atMs: 1_780_000_000_000,
    cause: null,
    actor: "person:bench",
    type: "lease.granted",
    v: 1,
    claim: "c_hetk",
    family: "h_2k",
    project: "p_2",
    units: [pathOf("fan-out", 7)],
    fences: [406_172],
    expiresAtMs: 1_780_086_400_000,
    ready: true,
    slot: null,
    arrival: { priority: 0, key: null, passed: [] },
  };
  const lines = `${JSON.stringify(event)}\n`.repeat(batch);
  const publish = async (): Promise<void> => {
    line.write(lines);
  };
  return {
    contender: broadcasting("naive broadcast", subscribers, batch, publish, naive.cpuMs),
    close: () => {
      line.destroy();
      for (const subscriber of subscribers) subscriber.close();
    },
  };
}

function subscribe(one: () => Promise<Subscriber>): Promise<Subscriber[]> {
  return Promise.all(Array.from({ length: readers }, one));
}

function broadcasting(
  name: string,
  subscribers: readonly Subscriber[],
  batch: number,
  publish: () => Promise<void>,
  cpuMs: () => number,
): Contender {
  const work = async (sliceMs: number): Promise<Work> => {
    const untilMs = performance.now() + sliceMs;
    const latenciesUs: number[] = [];
    let ops = 0;
    do {
      const startMs = performance.now();
      const arrived = subscribers.map(async (subscriber) => {
        await subscriber.reach(subscriber.at + batch);
        latenciesUs.push((performance.now() - startMs) * 1000);
      });
      await publish();
      await Promise.all(arrived);
      ops += batch * subscribers.length;
    } while (performance.now() < untilMs);
    return { ops, errors: 0, latenciesUs };
  };
  return { name, cpuMs, work };
}

/** The number at the end of a message of ours: `…,"at":812}`. */
function readAt(message: Buffer): number {
  let at = message.length - 2;
  let value = 0;
  for (let place = 1; ; place *= 10) {
    const digit = (message[at--] ?? 0) - 48;
    if (digit < 0 || digit > 9) return value;
    value += digit * place;
  }
}
