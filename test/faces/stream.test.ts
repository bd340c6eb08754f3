// The event stream: every event once, in order, whatever happens to the connection and however slowly somebody reads.

import net from "node:net";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { Client } from "../../src/client/client.ts";
import { makeHttpTransport } from "../../src/client/http-transport.ts";
import type { LogEvent } from "../../src/protocol/wire/log-event.ts";
import { type FaceWorld, inFaceWorld } from "../support/faces/face-world.ts";

type Message = { events?: LogEvent[]; at?: number; error?: { code: string; message: string } };

/** A reader that shows every message. */
class Reader {
  readonly socket: WebSocket;
  readonly messages: Message[] = [];
  readonly closed: Promise<number>;
  #wake: (() => void)[] = [];

  constructor(world: FaceWorld, first: unknown) {
    this.socket = new WebSocket(`${world.server.url.replace("http", "ws")}/stream`, {
      headers: { authorization: `Bearer ${world.token}` },
    });
    this.socket.on("open", () => this.socket.send(typeof first === "string" ? first : JSON.stringify(first)));
    this.socket.on("message", (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString("utf8")) as Message);
      for (const wake of this.#wake) wake();
    });
    this.closed = new Promise((resolve) => {
      this.socket.on("close", (code) => resolve(code));
    });
  }

  get events(): LogEvent[] {
    return this.messages.flatMap((message) => message.events ?? []);
  }

  get at(): number {
    return this.messages.at(-1)?.at ?? -1;
  }

  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (condition()) resolve();
      };
      this.#wake.push(look);
      look();
    });
  }
}

const numbersFrom = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at + 1);
const seqs = (events: readonly LogEvent[]): number[] => events.map((event) => event.seq);

async function makeEvents(world: FaceWorld, count: number, text = ""): Promise<void> {
  const name = (at: number): string => `p${at}`;
  await Promise.all(
    Array.from({ length: count }, (_, at) =>
      world.submit({
        type: "policy.set",
        policy: { name: name(at), priority: 0, enabled: true, scope: {}, rules: { deniedPaths: [text] } },
      }),
    ),
  );
}

describe("the event stream", () => {
  test("history and present join without a gap or a repetition", () =>
    inFaceWorld(async (world) => {
      await makeEvents(world, 700);
      const reader = new Reader(world, { subscribe: { after: 0 } });
      // More happens while the past is still being read.
      for (let round = 0; round < 20; round++) await makeEvents(world, 25);
      const last = world.engine.state.seq;
      await reader.until(() => reader.at === last);
      expect(seqs(reader.events)).toEqual(numbersFrom(0, last));
      reader.socket.close();
      await reader.closed;
    }));

  test("without a number it starts now, and says where that is", () =>
    inFaceWorld(async (world) => {
      await makeEvents(world, 3);
      const before = world.engine.state.seq;
      const reader = new Reader(world, { subscribe: {} });
      await reader.until(() => reader.messages.length > 0);
      expect(reader.messages[0]).toEqual({ events: [], at: before });
      await makeEvents(world, 3);
      await reader.until(() => reader.at === before + 3);
      expect(seqs(reader.events)).toEqual(numbersFrom(before, before + 3));
      reader.socket.terminate();
    }));

  test("events carry the same words as the log", () =>
    inFaceWorld(async (world) => {
      const live = new Reader(world, { subscribe: { after: 0 } });
      await world.http.call("project.add", { root: world.folder, name: "demo" });
      const last = world.engine.state.seq;
      await live.until(() => live.at === last);
      const late = new Reader(world, { subscribe: { after: 0 } });
      await late.until(() => late.at === last);
      const page = await world.http.call("events.read", {});
      expect(live.events).toEqual(page.events);
      expect(late.events).toEqual(page.events);
      live.socket.terminate();
      late.socket.terminate();
    }));

  test("filters by type, project and run, also for holders that are forgotten by now", () =>
    inFaceWorld(async (world) => {
      const other = `${world.folder}-other`;
      await import("node:fs/promises").then((fs) => fs.mkdir(other));
      await world.http.call("project.add", { root: world.folder, name: "demo" });
      await world.http.call("project.add", { root: other, name: "other" });
      const live = new Reader(world, { subscribe: { after: 0, project: "demo" } });
      const { claim } = await world.http.call("claim.make", { project: "demo", units: ["file:a"] });
      await world.http.call("claim.make", { project: "other", units: ["file:a"] });
      const { run } = await world.http.call("run.submit", { project: "demo", script: "task: x\nsteps: []" });
      await world.http.call("run.stop", { run });
      await world.http.call("claim.release", { claim });
      const last = world.engine.state.seq;
      const late = new Reader(world, { subscribe: { after: 0, project: "demo" } });
      const byRun = new Reader(world, { subscribe: { after: 0, run } });
      const byType = new Reader(world, { subscribe: { after: 0, types: ["lease.", "project.added"] } });
      for (const reader of [late, byRun, byType]) await reader.until(() => reader.at >= last);
      await live.until(() => live.events.at(-1)?.seq === late.events.at(-1)?.seq);
      expect(seqs(live.events)).toEqual(seqs(late.events));
      const types = late.events.map((event) => event.type);
      expect(types).toContain("lease.released");
      expect(types).toContain("run.moved");
      expect(
        late.events.filter((event) => event["project"] !== undefined).every((event) => event["project"] !== "p_3"),
      ).toBe(true);
      expect(byRun.events.map((event) => event.type)).toContain("family.ended");
      expect(byRun.events.every((event) => event["run"] === run || String(event["family"]).startsWith(run))).toBe(true);
      expect(new Set(byType.events.map((event) => event.type))).toEqual(
        new Set(["project.added", "lease.granted", "lease.released"]),
      );
      for (const reader of [live, late, byRun, byType]) reader.socket.terminate();
    }));

  test("a slow reader hinders nobody and misses nothing", () =>
    inFaceWorld(async (world) => {
      const slow = new Reader(world, { subscribe: { after: 0 } });
      await slow.until(() => slow.messages.length > 0);
      const wire = (slow.socket as unknown as { _socket: net.Socket })._socket;
      wire.pause();
      const fast = new Reader(world, { subscribe: { after: 0 } });
      const text = "x".repeat(500);
      for (let round = 0; round < 40; round++) await makeEvents(world, 400, text);
      const last = world.engine.state.seq;
      await fast.until(() => fast.at === last);
      expect(seqs(fast.events)).toEqual(numbersFrom(0, last));
      expect(slow.at).toBeLessThan(last);
      wire.resume();
      await slow.until(() => slow.at === last);
      expect(seqs(slow.events)).toEqual(numbersFrom(0, last));
      slow.socket.terminate();
      fast.socket.terminate();
    }));

  test.each([
    ["not JSON", "hello", "bad-input"],
    ["an unknown field", { subscribe: { after: 0, nonsense: 1 } }, "bad-input"],
    ["nothing", {}, "bad-input"],
    ["a number from another log", { subscribe: { after: 1_000_000 } }, "bad-input"],
    ["an unknown project", { subscribe: { project: "nobody" } }, "not-found"],
    ["an unknown run", { subscribe: { run: "r_zz" } }, "not-found"],
    ["a run that is none", { subscribe: { after: 0, run: "r_1" } }, "not-found"],
    ["a type that is none", { subscribe: { types: ["<script>"] } }, "bad-input"],
    ["something far too deep", `{"subscribe":${"[".repeat(100)}${"]".repeat(100)}}`, "too-large"],
  ])("%s is answered with a code and a sentence, and the connection ends", (_, first, code) =>
    inFaceWorld(async (world) => {
      const reader = new Reader(world, first);
      expect(await reader.closed).toBe(1008);
      expect(reader.messages).toEqual([{ error: expect.objectContaining({ code }) as object }]);
      expect(world.defects).toEqual([]);
    }),
  );

  test("a second subscription on one connection is refused, and so is a huge message", () =>
    inFaceWorld(async (world) => {
      const reader = new Reader(world, { subscribe: {} });
      await reader.until(() => reader.messages.length > 0);
      reader.socket.send(JSON.stringify({ subscribe: {} }));
      expect(await reader.closed).toBe(1008);
      const huge = new Reader(world, "x".repeat(100_000));
      expect(await huge.closed).toBe(1009);
    }));

  test("readers are told when the daemon ends", async () => {
    let reader: Reader | undefined;
    await inFaceWorld(async (world) => {
      reader = new Reader(world, { subscribe: {} });
      await reader.until(() => (reader?.messages.length ?? 0) > 0);
    });
    expect(await reader?.closed).toBe(1001);
    expect(reader?.messages.at(-1)?.error?.code).toBe("closing");
  });
});

describe("the client's stream", () => {
  test("goes on after every break where it was", () =>
    inFaceWorld(async (world) => {
      const broken = new BreakingPort(world.server.port);
      const port = await broken.listen();
      const open = (): globalThis.WebSocket =>
        new WebSocket(`ws://127.0.0.1:${port}/stream`, {
          headers: { authorization: `Bearer ${world.token}`, host: `127.0.0.1:${world.server.port}` },
        }) as unknown as globalThis.WebSocket;
      const client = new Client(makeHttpTransport({ url: world.server.url, token: world.token }), open);
      const abort = new AbortController();
      const seen: number[] = [];
      const connections: boolean[] = [];
      const onConnection = (connected: boolean): void => void connections.push(connected);
      let last = 0;
      for await (const batch of client.batches({ after: 0, signal: abort.signal, onConnection })) {
        seen.push(...seqs(batch.events));
        if (broken.breaks < 5) {
          await makeEvents(world, 50);
          last = world.engine.state.seq;
          broken.break();
        } else if (batch.at === last) {
          abort.abort();
        }
      }
      expect(seen).toEqual(numbersFrom(0, last));
      expect(connections.filter((connected) => connected).length).toBeGreaterThan(2);
      await broken.close();
    }));

  test("ends with the reason when no new attempt would help", () =>
    inFaceWorld(async (world) => {
      const open = (): globalThis.WebSocket =>
        new WebSocket(`${world.server.url.replace("http", "ws")}/stream`, {
          headers: { authorization: "Bearer wrong" },
        }) as unknown as globalThis.WebSocket;
      const client = new Client(makeHttpTransport({ url: world.server.url, token: "wrong" }), open);
      await expect(client.batches({ after: 0 }).next()).rejects.toMatchObject({ code: "unauthorized" });
    }));

  test("a browser's way in works: the token as a subprotocol, never in the address", () =>
    inFaceWorld(async (world) => {
      const events = world.http.events({ after: 0 });
      expect((await events.next()).value).toMatchObject({ seq: 1, type: "engine.opened" });
      await events.return(undefined);
    }));
});

/** Passes connections on until it is told to cut them. */
class BreakingPort {
  breaks = 0;
  readonly #target: number;
  readonly #sockets = new Set<net.Socket>();
  readonly #server: net.Server;

  constructor(target: number) {
    this.#target = target;
    this.#server = net.createServer((near) => {
      const far = net.connect(this.#target, "127.0.0.1");
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => {
          this.#sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far).pipe(near);
    });
  }

  listen(): Promise<number> {
    return new Promise((resolve) => {
      this.#server.listen(0, "127.0.0.1", () => resolve((this.#server.address() as net.AddressInfo).port));
    });
  }

  break(): void {
    if (this.#sockets.size > 0) this.breaks++;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
