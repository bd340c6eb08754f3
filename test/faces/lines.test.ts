// The socket in the home, by hand: many at once, half lines, and clients that ask without listening.

import net from "node:net";
import { describe, expect, test } from "vitest";
import { connectLines } from "../../src/client/client.ts";
import { type FaceWorld, inFaceWorld } from "../support/faces/face-world.ts";

type Reply = { id: number | null; ok: boolean; value?: Record<string, unknown>; error?: { code: string } };

function open(world: FaceWorld): { socket: net.Socket; replies: Reply[]; until: (count: number) => Promise<void> } {
  const socket = net.connect(world.server.socket ?? "");
  const replies: Reply[] = [];
  const waiting: (() => void)[] = [];
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) replies.push(JSON.parse(line) as Reply);
    for (const wake of waiting) wake();
  });
  const until = (count: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (replies.length >= count) resolve();
      };
      socket.on("error", reject);
      waiting.push(look);
      look();
    });
  return { socket, replies, until };
}

const line = (id: number, op: string, input: unknown = {}): string => `${JSON.stringify({ id, op, input })}\n`;

describe("the socket in the home", () => {
  test("answers everything that is asked at once, in whatever order it is ready", () =>
    inFaceWorld(async (world) => {
      await world.http.call("project.add", { root: world.folder, name: "demo" });
      const held = await world.http.call("claim.make", { project: "demo", units: ["file:a"], as: "ann" });
      const { socket, replies, until } = open(world);
      const wait = line(1, "claim.make", { project: "demo", units: ["file:a"], as: "bob", waitMs: 10_000 });
      const rest = Array.from({ length: 200 }, (_, at) => line(at + 2, "status"));
      socket.write(wait + rest.join(""));
      await until(200);
      expect(replies.map((reply) => reply.id)).not.toContain(1);
      await world.http.call("claim.release", { claim: held.claim });
      await until(201);
      expect(replies.at(-1)).toMatchObject({ id: 1, ok: true, value: { state: "granted", holder: "bob" } });
      expect(new Set(replies.map((reply) => reply.id)).size).toBe(201);
      socket.destroy();
    }));

  test("puts lines together from any pieces, also in the middle of a letter", () =>
    inFaceWorld(async (world) => {
      const { socket, replies, until } = open(world);
      const bytes = Buffer.from(`\n${line(1, "project.get", { project: "größe" })}${line(2, "status")}`);
      for (const byte of bytes) {
        await new Promise<void>((resolve) => {
          socket.write(Uint8Array.of(byte), () => resolve());
        });
      }
      await until(2);
      expect(replies.map((reply) => [reply.id, reply.ok])).toEqual([
        [1, false],
        [2, true],
      ]);
      socket.destroy();
    }));

  test("hangs up on a line without end, after saying why", () =>
    inFaceWorld(async (world) => {
      const { socket, replies } = open(world);
      const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
      socket.on("error", () => undefined);
      socket.write("x".repeat(1_100_000));
      await closed;
      expect(replies).toMatchObject([{ id: null, ok: false, error: { code: "too-large" } }]);
    }));

  test("a client that asks without listening is not read from, and takes up where it was", () =>
    inFaceWorld(async (world) => {
      const { socket, replies, until } = open(world);
      socket.pause();
      const asked = 60_000;
      for (let id = 1; id <= asked; id++) socket.write(line(id, "status"));
      await world.http.call("status", {});
      socket.resume();
      await until(asked);
      expect(replies.every((reply) => reply.ok)).toBe(true);
      socket.destroy();
    }));

  test("a model's face may not do what is for people", () =>
    inFaceWorld(async (world) => {
      const model = connectLines({ open: () => net.connect(world.server.socket ?? ""), face: "mcp" });
      await expect(model.call("shutdown", {})).rejects.toMatchObject({ code: "forbidden" });
      expect((await model.call("status", {})).version).toBe("0.0.0");
      expect(world.shutdowns).toEqual([]);
      model.close();
    }));
});

describe("the client on the socket", () => {
  test("says when nobody is there, and when the connection broke", async () => {
    const nobody = connectLines({ open: () => net.connect("/nowhere/signalbox.sock") });
    await expect(nobody.call("status", {})).rejects.toMatchObject({ code: "daemon-not-running" });
    const server = net.createServer((socket) => socket.once("data", () => socket.destroy()));
    await inFaceWorld(async (world) => {
      const place = `${world.home}/other.sock`;
      await new Promise<void>((resolve) => server.listen(place, resolve));
      const cut = connectLines({ open: () => net.connect(place) });
      await expect(cut.call("status", {})).rejects.toMatchObject({ code: "connection-lost" });
      await new Promise<void>((resolve) => server.close(() => resolve()));
    });
  });

  test("connects anew for the next request, and lets a request go when asked to", () =>
    inFaceWorld(async (world) => {
      const sockets: net.Socket[] = [];
      const client = connectLines({
        open: () => {
          const socket = net.connect(world.server.socket ?? "");
          sockets.push(socket);
          return socket;
        },
      });
      await client.call("status", {});
      const closed = new Promise<void>((resolve) => sockets[0]?.on("close", () => resolve()));
      sockets[0]?.destroy();
      await closed;
      await client.call("status", {});
      expect(sockets).toHaveLength(2);
      const abort = new AbortController();
      await world.http.call("project.add", { root: world.folder, name: "demo" });
      const { run } = await world.http.call("run.submit", { project: "demo", script: "task: x\nsteps: []" });
      const waiting = client.call("run.wait", { run, waitMs: 60_000 }, { signal: abort.signal });
      abort.abort(new Error("enough"));
      await expect(waiting).rejects.toThrow("enough");
      client.close();
    }));
});
