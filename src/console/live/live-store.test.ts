import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  makeAgent,
  makeEvent,
  makeLocks,
  makeRun,
  makeService,
  makeStatus,
} from "../../../test/support/wire-samples.ts";
import type { EventBatch, EventStreamOptions } from "../../client/event-stream.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { AgentView } from "../../protocol/wire/agent.ts";
import type { Run } from "../../protocol/wire/run.ts";
import type { Source } from "./fetch.ts";
import { LiveStore } from "./live-store.ts";

/** A daemon that answers at once, counts what it is asked, and whose stream is in the test's hands. */
class FakeDaemon {
  readonly calls: string[] = [];
  runs = new Map<string, Run>();
  agents = new Map<string, AgentView>();
  seq = 10;
  /** What every call throws, when set. */
  refusal: Error | undefined;
  #options: EventStreamOptions = {};
  #next = Promise.withResolvers<EventBatch>();

  readonly source: Source = {
    call: (name: string, input: object) => {
      this.calls.push(name);
      return this.refusal === undefined ? Promise.resolve(this.#answer(name, input)) : Promise.reject(this.refusal);
    },
    batches: (options) => this.#stream(options ?? {}),
  } as Source;

  connect(is: boolean): void {
    this.#options.onConnection?.(is);
  }

  async send(...events: EventBatch["events"]): Promise<void> {
    this.seq = Math.max(this.seq, ...events.map((event) => event.seq));
    const next = this.#next;
    this.#next = Promise.withResolvers();
    next.resolve({ events, at: this.seq });
    await vi.advanceTimersByTimeAsync(0);
  }

  async *#stream(options: EventStreamOptions): AsyncGenerator<EventBatch> {
    this.#options = options;
    while (options.signal?.aborted !== true) yield await this.#next.promise;
  }

  #answer(name: string, input: object): object {
    if (name === "status") return makeStatus(this.seq);
    if (name === "project.list") return { projects: [] };
    if (name === "agent.list") return { agents: [...this.agents.values()] };
    if (name === "agent.get") {
      const agent = this.agents.get((input as { agent: string }).agent);
      if (agent === undefined) throw protocolError("not-found", { kind: "agent", id: "" });
      return { agent };
    }
    if (name === "locks") return makeLocks([], []);
    if (name === "events.read") return { events: [makeEvent(this.seq, "run.said", { run: "r_1" })], more: false };
    if (name === "run.get") return { run: this.runs.get((input as { run: string }).run) };
    const wanted = [...this.runs.values()].filter((run) => (run.state === "done") !== "active" in input);
    const isFailed = "state" in input && (input.state as string[])[0] === "failed";
    const runs = isFailed ? [] : wanted;
    return { runs, next: null, total: runs.length, nowMs: 0 };
  }
}

let daemon: FakeDaemon;
let store: LiveStore;

beforeEach(() => {
  vi.useFakeTimers();
  daemon = new FakeDaemon();
  daemon.runs.set("r_1", makeRun("r_1"));
  store = new LiveStore(daemon.source, (draw) => draw());
});

afterEach(() => {
  store.stop();
  vi.useRealTimers();
});

async function start(): Promise<void> {
  store.start();
  await vi.advanceTimersByTimeAsync(0);
  daemon.connect(true);
  daemon.calls.length = 0;
}

test("it loads everything once and is live when the stream is", async () => {
  store.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(store.read()).toMatchObject({ link: { is: "loading" }, seq: 10, totals: { active: 1 } });
  daemon.connect(true);
  expect(store.read().link.is).toBe("live");
});

test("without events it asks for nothing", async () => {
  await start();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(daemon.calls).toEqual([]);
});

test("an event is answered at once, by asking for what it touched", async () => {
  await start();
  daemon.runs.set("r_1", makeRun("r_1", { state: "paused" }));
  await daemon.send(makeEvent(11, "run.moved", { run: "r_1", from: "running", to: "paused" }));
  expect(daemon.calls).toEqual(["run.get"]);
  expect(store.read().runs.get("r_1")?.state).toBe("paused");
  expect(store.read().events[0]?.seq).toBe(11);
});

test("a move is shown by its event, before anything is answered; an older one than what was read is not", async () => {
  daemon.agents.set("a_1", makeAgent("a_1", { services: [makeService("web")] }));
  await start();
  const { services, state } = store.read().agents.get("a_1")!;
  const service = services[0]!;
  daemon.refusal = new Error("the daemon is slow");
  await daemon.send(
    makeEvent(11, "run.moved", { run: "r_1", from: "running", to: "done", because: "all is well" }),
    makeEvent(12, "service.moved", { agent: "a_1", service: service.name, from: service.state, to: "stopping" }),
    makeEvent(13, "agent.moved", { agent: "a_1", from: state, to: "error", because: "web failed" }),
  );
  expect(store.read().runs.get("r_1")).toMatchObject({ state: "done", because: "all is well" });
  expect(store.read().totals.active).toBe(0);
  expect(store.read().agents.get("a_1")).toMatchObject({ state: "error", because: "web failed" });
  expect(store.read().agents.get("a_1")?.services[0]).toMatchObject({ state: "stopping", healthy: null });
  const { runs } = store.read();
  await daemon.send(makeEvent(14, "run.moved", { run: "r_1", from: "running", to: "paused" }));
  expect(store.read().runs).toBe(runs);
});

test("whether a service is wanted and well is shown by the event that says so; an older one than what was read changes nothing", async () => {
  const web = makeService("web", { state: "down", wanted: false, healthy: null, life: 2, sinceMs: 5 });
  daemon.agents.set("a_1", makeAgent("a_1", { services: [web] }));
  await start();
  daemon.refusal = new Error("the daemon is slow");
  const about = { agent: "a_1", service: "web" };
  const shown = (): unknown => store.read().agents.get("a_1")?.services[0];
  await daemon.send(makeEvent(11, "service.wished", { ...about, up: true }));
  expect(shown()).toMatchObject({ wanted: true, state: "down" });
  const moves = [
    makeEvent(12, "service.moved", { ...about, from: "down", to: "starting", life: 3 }),
    makeEvent(13, "service.moved", { ...about, from: "starting", to: "up", life: 3 }),
    makeEvent(14, "service.judged", { ...about, life: 3, healthy: true }),
  ];
  await daemon.send(...moves);
  expect(shown()).toMatchObject({ wanted: true, state: "up", healthy: true });

  // Of a life that is over, and from before its last move.
  const before = shown();
  await daemon.send(
    makeEvent(15, "service.judged", { ...about, life: 2, healthy: false }),
    { ...makeEvent(16, "service.judged", { ...about, life: 3, healthy: false }), atMs: 1 },
    { ...makeEvent(17, "service.wished", { ...about, up: false }), atMs: 1 },
  );
  expect(shown()).toBe(before);
});

test("an answer that was given before a move does not take it back", async () => {
  await start();
  const slow = Promise.withResolvers<void>();
  const { call } = daemon.source;
  const old = makeRun("r_1", { state: "running", sinceMs: 5 });
  Object.assign(daemon.source, { call: () => slow.promise.then(() => ({ run: old })) });
  await daemon.send(makeEvent(11, "call.started", { run: "r_1" }));
  Object.assign(daemon.source, { call });
  const move = makeEvent(12, "run.moved", { run: "r_1", from: "running", to: "review" });
  daemon.runs.set("r_1", makeRun("r_1", { state: "review", sinceMs: move.atMs, filesChanged: 3 }));
  await daemon.send(move);
  slow.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(store.read().runs.get("r_1")?.state).toBe("review");
  await vi.advanceTimersByTimeAsync(200);
  expect(store.read().runs.get("r_1")).toMatchObject({ state: "review", filesChanged: 3 });
});

test("a long list is asked for once a second, however many of it change", async () => {
  for (let at = 0; at < 300; at++) daemon.runs.set(`r_${at}`, makeRun(`r_${at}`));
  await start();
  for (let round = 0; round < 20; round++) {
    const many = Array.from({ length: 20 }, (_, at) =>
      makeEvent(11 + round * 20 + at, "call.started", { run: `r_${at}` }),
    );
    await daemon.send(...many);
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(2000);
  expect(daemon.calls.length).toBeGreaterThanOrEqual(3);
  expect(daemon.calls.length).toBeLessThanOrEqual(4);
});

test("a storm of events is at most ten rounds a second", async () => {
  await start();
  for (let seq = 11; seq < 511; seq++) {
    await daemon.send(makeEvent(seq, "call.started", { run: "r_1" }));
    await vi.advanceTimersByTimeAsync(2);
  }
  await vi.advanceTimersByTimeAsync(200);
  expect(daemon.calls.length).toBeLessThanOrEqual(12);
  expect(daemon.calls.length).toBeGreaterThan(8);
});

test("when many runs change, they are asked for together", async () => {
  await start();
  const events = Array.from({ length: 30 }, (_, at) => makeEvent(11 + at, "run.submitted", { run: `r_${at}` }));
  await daemon.send(...events);
  expect(daemon.calls).toEqual(["run.list"]);
});

test("an agent is asked for when it or a service of it moved, and is gone when the daemon has none", async () => {
  daemon.agents.set("a_1", makeAgent("a_1"));
  await start();
  expect([...store.read().agents.keys()]).toEqual(["a_1"]);
  const before = store.read().agents;
  await daemon.send(makeEvent(11, "service.judged", { agent: "a_1", service: "web", healthy: true }));
  expect(daemon.calls).toEqual(["agent.get"]);
  expect(store.read().agents).toBe(before);
  daemon.agents.clear();
  await vi.advanceTimersByTimeAsync(200);
  await daemon.send(makeEvent(12, "agent.removed", { agent: "a_1" }));
  expect(store.read().agents.size).toBe(0);
});

test("an agent is asked for when the run in it moves on", async () => {
  daemon.agents.set("a_1", makeAgent("a_1", { name: "shop-1" }));
  await start();
  daemon.runs.set("r_1", makeRun("r_1", { state: "paused", agent: "shop-1" }));
  await daemon.send(makeEvent(11, "run.moved", { run: "r_1", from: "running", to: "paused" }));
  await vi.advanceTimersByTimeAsync(200);
  expect(daemon.calls).toEqual(["run.get", "agent.get"]);
});

test("when many agents change, they are asked for together", async () => {
  await start();
  const events = Array.from({ length: 30 }, (_, at) => makeEvent(11 + at, "agent.made", { agent: `a_${at}` }));
  await daemon.send(...events);
  expect(daemon.calls).toEqual(["agent.list"]);
});

test("a run that ended is counted by the daemon, and no longer among the active", async () => {
  await start();
  daemon.runs.set("r_1", makeRun("r_1", { state: "done" }));
  await daemon.send(makeEvent(11, "run.moved", { run: "r_1", from: "landing", to: "done" }));
  expect(store.read().totals).toEqual({ active: 0, failed: 0, rest: 1 });
});

test("what did not change keeps its identity", async () => {
  await start();
  const before = store.read().runs.get("r_1");
  daemon.runs.set("r_1", makeRun("r_1"));
  await daemon.send(makeEvent(11, "call.started", { run: "r_1" }));
  expect(store.read().runs.get("r_1")).toBe(before);
});

test("disconnected, it says since when, and its clock stands", async () => {
  await start();
  await vi.advanceTimersByTimeAsync(500);
  daemon.connect(false);
  const atMs = store.clock.now();
  await vi.advanceTimersByTimeAsync(5000);
  expect(store.clock.now()).toBe(atMs);
  expect(store.read().link).toMatchObject({ is: "away", seenWallMs: store.clock.toWallMs(atMs) });
});

test("connected again, it reads all anew before it calls itself live, and shows no event twice", async () => {
  await start();
  daemon.connect(false);
  daemon.seq = 12;
  daemon.connect(true);
  expect(store.read().link.is).toBe("away");
  await vi.advanceTimersByTimeAsync(0);
  expect(store.read().link.is).toBe("live");
  await daemon.send(makeEvent(12, "run.said", { run: "r_1" }), makeEvent(13, "run.said", { run: "r_1" }));
  expect(store.read().events.map(({ seq }) => seq)).toEqual([13, 12]);
});

test("without a session it is signed out, and looks again when told to", async () => {
  daemon.refusal = protocolError("unauthorized");
  store.start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(store.read().link.is).toBe("signed-out");
  daemon.refusal = undefined;
  await start();
  expect(store.read().link.is).toBe("live");
});

test("a daemon that does not answer is a reason, and is tried again", async () => {
  daemon.refusal = protocolError("daemon-not-running");
  store.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(store.read().link).toMatchObject({ is: "failed", code: "daemon-not-running" });
  daemon.refusal = undefined;
  await vi.advanceTimersByTimeAsync(2000);
  daemon.connect(true);
  expect(store.read().link.is).toBe("live");
});

test("renewals may wait a second", async () => {
  await start();
  await daemon.send(makeEvent(11, "lease.renewed", { families: ["r_1.1"] }));
  expect(daemon.calls).toEqual([]);
  await vi.advanceTimersByTimeAsync(1100);
  expect(daemon.calls).toEqual(["locks"]);
});

test("whoever listens hears each event when it comes, though nothing is drawn and the page keeps only the last", async () => {
  const undrawn = new LiveStore(daemon.source, () => undefined);
  const heard: number[] = [];
  undrawn.hear((events) => heard.push(...events.map(({ seq }) => seq)));
  undrawn.start();
  await vi.advanceTimersByTimeAsync(0);
  daemon.connect(true);
  const burst = Array.from({ length: 900 }, (_, at) => makeEvent(11 + at, "run.said", { run: "r_1" }));
  await daemon.send(...burst);
  expect(heard).toEqual(burst.map(({ seq }) => seq));
  expect(undrawn.read().events.length).toBe(400);
  undrawn.stop();
});
