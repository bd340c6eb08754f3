// Several clients take and give back units over the real socket while the daemon is killed again and again. Every request
// is repeated, under its key, until it is answered; then the whole history must have an explanation in which one table
// did one thing at a time.

import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Prng } from "../../src/base/prng.ts";
import { connectLines, type Client } from "../../src/client/client.ts";
import { ProtocolError } from "../../src/protocol/errors.ts";
import { homePaths } from "../../src/protocol/home.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { findOrder, type Model, type Operation } from "../support/linearizability.ts";

type Call = "take" | "give";
/** A fence, or a no. */
type Answer = number | "busy" | "given";
type State = { readonly holder: string; readonly fence: number };

const clients = 5;
const requestsPerClient = 60;
const kills = 4;
const units = ["file:a", "file:b"];
/** The daemon went away with the request, or was not there yet. */
const cutOff = new Set(["connection-lost", "daemon-not-running", "closing"]);

let daemon: DaemonProcess;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-project-"));
  daemon = await DaemonProcess.start();
  const client = await daemon.connect();
  await client.call("project.add", { root: folder, name: "track" });
});

afterEach(async () => {
  await daemon.remove();
  await rm(folder, { recursive: true, force: true });
});

/** One unit: whoever holds it may take it again, fences only rise, everybody else is told that it is busy. */
const unitModel: Model<State, Call, Answer> = {
  start: { holder: "", fence: 0 },
  name: (state) => `${state.holder} ${state.fence}`,
  apply: (state, call, answer, client) => {
    if (call === "give") return state.holder === client ? { ...state, holder: "" } : undefined;
    if (answer === "busy") return state.holder !== "" && state.holder !== client ? state : undefined;
    const free = state.holder === "" || state.holder === client;
    return free && typeof answer === "number" && answer > state.fence ? { holder: client, fence: answer } : undefined;
  },
};

test("[LS8] claims over the socket are linearizable while the daemon is killed", { timeout: 120_000 }, async () => {
  const random = new Prng(20_261);
  const histories = new Map(units.map((unit) => [unit, [] as Operation<Call, Answer>[]]));
  const answered = new Counter();
  const workers = Array.from({ length: clients }, (_, at) =>
    work(`client-${at}`, random.stream(`client-${at}`), histories, answered),
  );
  const killer = (async () => {
    for (let kill = 1; kill <= kills; kill++) {
      await answered.reaches((kill * clients * requestsPerClient) / (kills + 1));
      await daemon.kill();
      await daemon.up();
    }
  })();
  await Promise.all([...workers, killer]);
  for (const [unit, history] of histories) {
    expect(findOrder(history, unitModel), `the history of ${unit} has an explanation`).toBeDefined();
    const fences = history.map((operation) => operation.answer).filter((answer) => typeof answer === "number");
    expect(new Set(fences).size, "no fence is given twice").toBe(fences.length);
    expect(history.some((operation) => operation.answer === "busy")).toBe(true);
  }
});

async function work(
  name: string,
  random: Prng,
  histories: Map<string, Operation<Call, Answer>[]>,
  answered: Counter,
): Promise<void> {
  const client = open();
  const held = new Map<string, string>();
  for (let number = 0; number < requestsPerClient; number++) {
    const unit = random.pick(units);
    const claim = held.get(unit);
    const sentAt = performance.now();
    const call: Call = claim === undefined ? "take" : "give";
    let answer: Answer = "given";
    if (claim === undefined) {
      const input = { project: "track", units: [unit], as: name, key: `${name}-${number}` };
      const taken = await insist(() => client.call("claim.make", { ...input, mode: "try", ttlMs: 600_000 }));
      if (taken.state === "granted") held.set(unit, taken.claim);
      answer = taken.state === "granted" ? (taken.fence ?? 0) : "busy";
    } else {
      await insist(() => client.call("claim.release", { claim }), "not-held");
      held.delete(unit);
    }
    histories.get(unit)?.push({ client: name, call, answer, sentAt, answeredAt: performance.now() });
    answered.add();
  }
  client.close();
}

/** Repeats a request until it is answered. A repetition that finds its work done already is answered, too. */
async function insist<T>(request: () => Promise<T>, alreadyDone?: string): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      if (attempt > 1 && error.code === alreadyDone) return undefined as T;
      if (!cutOff.has(error.code)) throw error;
      await daemon.whenUp();
    }
  }
}

function open(): Client {
  const path = homePaths(daemon.home).socket;
  return connectLines({ open: () => connect(path), where: path });
}

/** Counts, and tells when it has got somewhere. */
class Counter {
  #count = 0;
  readonly #waiting: { readonly at: number; readonly tell: () => void }[] = [];

  add(): void {
    this.#count++;
    for (const waiter of this.#waiting) if (this.#count >= waiter.at) waiter.tell();
  }

  reaches(at: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#count >= at) resolve();
      else this.#waiting.push({ at, tell: resolve });
    });
  }
}
