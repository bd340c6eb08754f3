import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Toasts } from "./toasts.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("what was done to the same thing before gives way, and cannot be taken back on its own", () => {
  const toasts = new Toasts();
  const undone: string[] = [];
  toasts.did({
    command: "signalbox ps",
    tone: "go",
    about: "r_1",
    title: "r_1 is paused",
    undo: () => undone.push("pause of r_1"),
  });
  toasts.did({
    command: "signalbox ps",
    tone: "go",
    about: "r_2",
    title: "r_2 is paused",
    undo: () => undone.push("pause of r_2"),
  });
  toasts.note({ tone: "stop", title: "Not done" });
  toasts.did({ command: "signalbox ps", tone: "go", about: "r_1", title: "r_1 goes on" });
  expect(toasts.read().map(({ title }) => title)).toEqual(["r_2 is paused", "Not done", "r_1 goes on"]);
  toasts.undoLast();
  toasts.undoLast();
  expect(undone).toEqual(["pause of r_2"]);
});

test("each goes by itself; trouble stays longer", () => {
  const toasts = new Toasts();
  toasts.did({ command: "signalbox ps", tone: "go", title: "done" });
  toasts.note({ tone: "stop", title: "not done" });
  vi.advanceTimersByTime(10_000);
  expect(toasts.read().map(({ title }) => title)).toEqual(["not done"]);
  vi.advanceTimersByTime(20_000);
  expect(toasts.read()).toEqual([]);
});
