import { expect, onTestFinished, test, vi } from "vitest";
import { Countdown } from "./countdown.ts";

test("only time counts in which it runs", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const heard: string[] = [];
  const countdown = new Countdown(100, () => heard.push("over"));
  countdown.run();
  vi.advanceTimersByTime(60);
  countdown.rest();
  vi.advanceTimersByTime(1000);
  countdown.run();
  countdown.run();
  vi.advanceTimersByTime(39);
  expect(heard).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(heard).toEqual(["over"]);
});

test("one that was cancelled, or has no end, does not call back", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const heard: string[] = [];
  const [cancelled, endless] = [100, null].map((ms) => new Countdown(ms, () => heard.push(`${ms}`)));
  cancelled?.run();
  endless?.run();
  cancelled?.cancel();
  cancelled?.run();
  vi.advanceTimersByTime(100_000);
  expect(heard).toEqual([]);
});
