import { expect, test } from "vitest";
import { TestClock } from "../../test/support/test-clock.ts";
import { EngineTime } from "./engine-time.ts";

test("[EN9] an empty log begins at wall time", () => {
  const clock = new TestClock();
  expect(new EngineTime(clock, 0).nowMs()).toBe(clock.wallMs());
});

test("[EN9] time goes on a millisecond after the last logged instant, by what the steady clock says", () => {
  const clock = new TestClock();
  clock.advance(77_000);
  const time = new EngineTime(clock, 4999);
  expect(time.nowMs()).toBe(5000);
  clock.advance(250);
  expect(time.nowMs()).toBe(5250);
});

test("[EN9] a jump of the wall clock changes nothing", () => {
  const clock = new TestClock();
  const time = new EngineTime(clock, 4999);
  clock.wallOffsetMs += 86_400_000;
  expect(time.nowMs()).toBe(5000);
  clock.wallOffsetMs -= 10 * 86_400_000;
  clock.advance(1);
  expect(time.nowMs()).toBe(5001);
});

test("[EN9] instants are whole milliseconds and never go back", () => {
  const clock = new TestClock();
  const time = new EngineTime(clock, 4999);
  clock.advance(0.9);
  expect(time.nowMs()).toBe(5000);
  clock.advance(0.2);
  expect(time.nowMs()).toBe(5001);
  clock.advance(-10);
  expect(time.nowMs()).toBe(5000);
});
