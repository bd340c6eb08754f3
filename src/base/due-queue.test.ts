import { expect, test } from "vitest";
import { DueQueue } from "./due-queue.ts";

test("a name renewed a thousand times is kept once", () => {
  const queue = new DueQueue();
  for (let at = 0; at < 1000; at++) queue.add("lease", 100 + at);
  expect(queue.size).toBe(1);
  expect(queue.peekMs()).toBe(100);
  expect(queue.take(99)).toBeUndefined();
  expect(queue.take(100)).toBe("lease");
  expect(queue.take(5000)).toBeUndefined();
});

test("an earlier wish comes first, and the later one is then forgotten", () => {
  const queue = new DueQueue();
  queue.add("a", 50);
  queue.add("a", 10);
  expect(queue.take(60)).toBe("a");
  expect(queue.take(60)).toBeUndefined();
  expect(queue.peekMs()).toBeUndefined();
});
