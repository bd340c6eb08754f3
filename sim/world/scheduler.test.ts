import { expect, test } from "vitest";
import { Life } from "./life.ts";
import { Scheduler } from "./scheduler.ts";
import { SimClock } from "./sim-clock.ts";

function makeLife(bornMs = 0): Life {
  return new Life({ number: 1, bornMs, onCrash: () => undefined, onDefect: () => undefined });
}

test("jobs run by time, those of one instant in the order they were asked for", () => {
  const scheduler = new Scheduler();
  const seen: string[] = [];
  for (const [name, delayMs] of [
    ["late", 9],
    ["first", 1],
    ["second", 1],
    ["third", 1],
  ] as const) {
    scheduler.after(delayMs, () => seen.push(`${name}@${scheduler.nowMs}`));
  }
  while (scheduler.step()) continue;
  expect(seen).toEqual(["first@1", "second@1", "third@1", "late@9"]);
});

test("a thousand jobs come out sorted", () => {
  const scheduler = new Scheduler();
  const seen: number[] = [];
  for (let at = 0; at < 1000; at++) scheduler.after((at * 7919) % 1009, () => seen.push(scheduler.nowMs));
  while (scheduler.step()) continue;
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(seen).toHaveLength(1000);
});

test("a cancelled job does nothing, and a dead process hears no timer", () => {
  const scheduler = new Scheduler();
  const life = makeLife();
  const clock = new SimClock({ scheduler, life, wall: { offsetMs: 0 }, startMs: 5, lateMs: () => 0 });
  const seen: string[] = [];
  clock.setTimer(1, () => seen.push("cancelled"))();
  clock.setTimer(2, () => seen.push("in time"));
  clock.setTimer(4, () => seen.push("too late"));
  scheduler.after(3, () => life.end("anywhere"));
  while (scheduler.step()) continue;
  expect(seen).toEqual(["in time"]);
});

test("the wall clock jumps and the monotonic one does not", () => {
  const scheduler = new Scheduler();
  const wall = { offsetMs: 1_000_000 };
  const clock = new SimClock({ scheduler, life: makeLife(), wall, startMs: 250.5, lateMs: () => 0 });
  scheduler.after(10, () => (wall.offsetMs -= 999_999_999));
  while (scheduler.step()) continue;
  expect(clock.monotonicMs()).toBe(260.5);
  expect(clock.wallMs()).toBe(10 + 1_000_000 - 999_999_999);
});

test("an armed crash happens at its point and nowhere else", () => {
  const points: string[] = [];
  const life = new Life({ number: 1, bornMs: 0, onCrash: (point) => points.push(point), onDefect: () => undefined });
  life.arm("before-reply");
  expect(life.reach("before-acts")).toBe(false);
  expect(life.reach("before-reply")).toBe(true);
  expect(life.reach("before-acts")).toBe(true);
  expect(points).toEqual(["before-reply"]);
});
