import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import type { WebSocket } from "ws";
import { Hearing } from "./hearing.ts";

/** A socket whose other end answers when the test says so. */
class SlowSocket extends EventEmitter {
  readonly pings: string[] = [];

  ping(data: string): void {
    this.pings.push(data);
  }

  answer(index: number): void {
    this.emit("pong", Buffer.from(this.pings[index] ?? ""));
  }
}

test("[TM25] who was told something is behind until a ping after it is answered, and one before it does not do", () => {
  const socket = new SlowSocket();
  const hearing = new Hearing(socket as unknown as WebSocket);
  expect(hearing.isBehind).toBe(false);
  hearing.ping();
  hearing.await();
  expect(hearing.isBehind).toBe(true);
  socket.answer(0);
  expect(hearing.isBehind).toBe(true);
  // A pong that nobody asked for says nothing.
  socket.emit("pong", Buffer.from("hello"));
  expect(hearing.isBehind).toBe(true);
  hearing.ping();
  socket.answer(2);
  expect(hearing.isBehind).toBe(false);
  socket.answer(1);
  expect(hearing.isBehind).toBe(false);
});
